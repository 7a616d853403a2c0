import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../server/config.ts'
import { freePort, startPostgres } from '../setup/postgres.ts'
import { signIn } from '../world.ts'

const login = { email: 'admin@example.com', password: 'correct-horse-battery' }

/** The server as it runs in earnest: a process of its own, on a real PostgreSQL. */
export async function startProcess(environment: Environment = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'library-hard-'))
  const postgres = await startPostgres()
  await postgres.admin('create database library')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['cli/asset-library.js', 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: folder,
      DATABASE_URL: `${postgres.url}/library`,
      LOG_LEVEL: 'fatal',
      DEMO: 'false',
      BOOTSTRAP_ADMIN_EMAIL: login.email,
      BOOTSTRAP_ADMIN_PASSWORD: login.password,
      ...environment,
    },
  })
  await ready(url, child)
  return {
    url,
    pid: child.pid!,
    cookie: await signIn(url, login.email, login.password),
    /** A figure that the server tells about itself. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)![1])
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  while (
    !(await fetch(`${url}/readyz`)
      .then((answer) => answer.ok)
      .catch(() => false))
  ) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
