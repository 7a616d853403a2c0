import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Environment, readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/database.ts'
import { openStore } from '../../server/parts.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { freePort, startPostgres } from '../setup/postgres.ts'
import { adminLogin } from '../world.ts'

const cli = fileURLToPath(new URL('../../cli/asset-library.js', import.meta.url))

export interface FleetNode {
  name: string
  url: string
  /** Fulfilled when it has said that it serves or works. */
  ready: Promise<void>
  kill(): Promise<void>
  /** As a deployment would: asked to leave, and waited for. */
  leaves(): Promise<number>
}

/** A fresh PostgreSQL and a bucket, for any number of processes with roles. */
export async function startFleet(publicPort: number) {
  const folder = await mkdtemp(join(tmpdir(), 'library-fleet-'))
  const postgres = await startPostgres()
  await postgres.admin('create database library')
  const r2 = await startR2Simulator()
  const environment: Environment = {
    PUBLIC_URL: `http://127.0.0.1:${publicPort}`,
    DATABASE_URL: `${postgres.url}/library`,
    SECRET_KEY: 'a secret key that only the tests know',
    STORAGE_ACCOUNT_ID: 'account',
    STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
    STORAGE_BUCKET_NAME: r2.bucket,
    STORAGE_ENDPOINT: r2.endpoint,
    BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
    BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
    LOG_LEVEL: 'error',
    DRAIN_SECONDS: '2',
  }
  const children = new Set<ChildProcess>()

  function start(name: string, role: 'api' | 'worker', port: number): FleetNode {
    const child = spawn(process.execPath, [cli, 'serve'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH,
        ...environment,
        ROLE: role,
        PORT: String(port),
        DATA_DIR: join(folder, name),
      },
    })
    children.add(child)
    const gone = once(child, 'exit').then(([code]) => {
      children.delete(child)
      return code as number
    })
    let said = ''
    child.stdout!.on('data', (chunk) => {
      said += chunk
    })
    return {
      name,
      url: `http://127.0.0.1:${port}`,
      ready: (async () => {
        while (!/Client Asset Library is at|Working on jobs/.test(said)) {
          if (child.exitCode !== null) throw new Error(`${name} did not start: ${said}`)
          await pause(50)
        }
      })(),
      async kill() {
        child.kill('SIGKILL')
        await gone
      },
      async leaves() {
        child.kill('SIGTERM')
        return gone
      },
    }
  }

  const config = readConfig({ ...environment, DATA_DIR: join(folder, 'test') })
  const database = await openDatabase(config)
  const store = openStore(config, environment.SECRET_KEY!)
  return {
    environment,
    start,
    database,
    store,
    port: freePort,
    async stop() {
      for (const child of children) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await database.close()
      await store.close()
      await r2.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
