import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { CannotStart } from '../config.ts'
import { type Asked, EmbeddedLine, FailedToStart, startEmbedded, type Told } from './embedded-line.ts'
import { PreparingClient } from './prepared.ts'

export interface EmbeddedPool {
  pool: pg.Pool
  listen(channel: string, heard: (payload: string) => void): Promise<void>
  /** The database's folder as it is at one moment. */
  copyTo(folder: string): Promise<void>
  /** After the pool has ended. */
  close(): Promise<void>
}

/** A PostgreSQL that comes along, in a process of its own (embedded-process.ts). */
export async function openEmbedded(dataDir: string, wanted: { vectors: boolean }): Promise<EmbeddedPool> {
  const folder = await databaseFolder(dataDir)
  let closed = false
  /** Should it ever end before its time, it is started again. */
  function start(): Promise<ChildProcess> {
    const started = startEmbedded(folder, 'serve', wanted)
    const startAgain = () => {
      if (!closed) running = start()
    }
    started.then(
      (child) => child.once('exit', startAgain),
      () => {},
    )
    return started
  }
  let running = start()
  await running.catch((error) => {
    throw cannotStart(folder, error)
  })

  const listeners = new Map<string, (payload: string) => void>()
  async function onConnect(client: pg.ClientBase): Promise<void> {
    client.on('error', () => {})
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  }

  // One connection: a query on `db` inside a transaction would wait for itself, so waiting has an end.
  const pool = new pg.Pool({
    Client: PreparingClient,
    stream: () => new EmbeddedLine(() => running.catch(() => (running = start()))),
    user: 'postgres',
    database: 'postgres',
    onConnect,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 30_000,
  } as pg.PoolConfig)
  pool.on('error', () => {})

  return {
    pool,
    async listen(channel, heard) {
      listeners.set(channel, heard)
      await pool.query(`listen ${pg.escapeIdentifier(channel)}`)
    },
    async copyTo(to) {
      const child = await running
      const copied = new Promise<Told>((resolve, reject) => {
        child.on('message', function hear(told: Told) {
          if (!('copied' in told) || told.copied !== to) return
          child.off('message', hear)
          if (told.error) reject(new Error(told.error))
          else resolve(told)
        })
        child.once('exit', () => reject(new Error('The process of the embedded database has ended.')))
      })
      child.send({ copyTo: to } satisfies Asked, () => {})
      await copied
    },
    async close() {
      closed = true
      const child = await running.catch(() => undefined)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.send({ close: true }, () => {})
      await gone
    },
  }
}

/** Where it is, made at the first start. */
async function databaseFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'database')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    const names = await readdir(folder)
    if (names.includes('PG_VERSION')) return folder
    if (names.length > 0)
      throw new CannotStart(
        `${folder} holds no database, but something else, or one that was never finished. ${wayOut}`,
      )
    await (
      await startEmbedded(folder, 'make').catch((error) => Promise.reject(cannotStart(folder, error)))
    ).kill()
  } catch (error) {
    if (error instanceof CannotStart) throw error
    throw new CannotStart(unwritable(folder, error as NodeJS.ErrnoException))
  }
  return folder
}

function cannotStart(folder: string, error: Error): CannotStart {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof FailedToStart && error.isRefusal) return new CannotStart(error.message)
  if (code) return new CannotStart(unwritable(folder, error))
  return new CannotStart(`The embedded database in ${folder} is damaged (${error.message}). ${wayOut}`)
}

/** What PostgreSQL says of pages and files that it cannot read. */
const ofDamage = ['XX001', 'XX002', '58P01']

/** Damage that shows only when the rows are read. */
export const readFailure = (dataDir: string, error: unknown): unknown =>
  ofDamage.includes((error as pg.DatabaseError).code ?? '')
    ? cannotStart(join(dataDir, 'database'), new Error((error as Error).message))
    : error

const wayOut =
  'Restore a backup (npx asset-library restore FILE --force), or move the folder away to begin with an empty library.'

const unwritable = (folder: string, { code, message }: NodeJS.ErrnoException) =>
  code === 'EEXIST' || code === 'ENOTDIR'
    ? `${folder} is a file, and the embedded database needs a folder there. Move it away, or set DATA_DIR to another folder.`
    : `${folder} cannot be written (${code ?? message}). Correct its rights or set DATA_DIR to another folder.`
