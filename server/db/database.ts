import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, type KyselyConfig } from 'kysely'
import pg from 'pg'
import { CannotStart, type Config } from '../config.ts'
import { noTracer, type Tracer } from '../telemetry/tracing.ts'
import { openEmbedded } from './embedded.ts'
import { BlamingDialect } from './failures.ts'
import { openPipeline } from './pipeline.ts'
import { askDirectly, type Pipelines, PreparingClient } from './prepared.ts'
import type { Db } from './reader.ts'
import type { Schema } from './schema.ts'
import { TimingOutClient } from './timeouts.ts'

export type { Db, Reader, Trx } from './reader.ts'

export interface Database {
  db: Db
  pool: pg.Pool
  embedded: boolean
  /** Calls back for each `pg_notify` on the channel, from this process or another. */
  listen(channel: string, heard: (payload: string) => void): Promise<void>
  /** A copy of one moment; the embedded one alone can be asked for it. */
  copyTo?(folder: string): Promise<void>
  close(): Promise<void>
}

// Sizes and counts stay far below 2^53, so they may be plain numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

// Both stand many times in every page, and pg reads them letter by letter.
const { TIMESTAMPTZ } = pg.types.builtins
const anyTime = pg.types.getTypeParser(TIMESTAMPTZ)
pg.types.setTypeParser(TIMESTAMPTZ, (text) =>
  text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : anyTime(text),
)
const textArray = 1009 as typeof TIMESTAMPTZ
const anyArray = pg.types.getTypeParser(textArray)
pg.types.setTypeParser(textArray, (text) => (text === '{}' ? [] : anyArray(text)))

type DatabaseSettings =
  | Pick<Config, 'databaseUrl' | 'databasePool' | 'databaseSeconds' | 'dataDir' | 'ai'>
  | { databaseUrl: undefined; dataDir: string; ai?: undefined }

export function openDatabase(settings: DatabaseSettings, tracer = noTracer): Promise<Database> {
  return settings.databaseUrl
    ? openPostgres(lineTo(settings.databaseUrl, settings.databaseSeconds), settings.databasePool, tracer)
    : openEmbeddedDefault(settings.dataDir, { vectors: !!settings.ai?.embeddingsModel }, tracer)
}

function openKysely(pool: pg.Pool, tracer: Tracer, pipelines?: Pipelines): Db {
  const db = new Kysely<Schema>({ dialect: new BlamingDialect({ pool }), ...traced(tracer) })
  if (tracer === noTracer) askDirectly(db, pool, pipelines)
  return db
}

/** A span for each query. Its text has placeholders where values go, so it tells no secret. */
const traced = (tracer: Tracer): Pick<KyselyConfig, 'log'> =>
  tracer === noTracer
    ? {}
    : {
        log: ({ level, query, queryDurationMillis }) => {
          const text = query.sql.slice(0, longestText)
          const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase()
          tracer.note(
            `database ${operation}`,
            queryDurationMillis,
            { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
            level === 'error',
          )
        },
      }

const longestText = 2000

interface Line {
  connection: pg.ClientConfig
  silentAfter: number
}

/** The server's own limit comes first, so that it stops what is slow. If not even that arrives, the connection is closed. */
const lineTo = (connectionString: string, seconds: number): Line => ({
  connection: {
    connectionString,
    statement_timeout: seconds * 1000,
    connectionTimeoutMillis: Math.min(10, seconds) * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  },
  silentAfter: seconds * 1000 + 2000,
})

/** Statements are short: to compile one, or to share it among processes, takes many times as long as it does. */
const plainly = 'set jit = off; set max_parallel_workers_per_gather = 0'

async function openPostgres(
  { connection, silentAfter }: Line,
  max: number,
  tracer: Tracer,
): Promise<Database> {
  const pool = new pg.Pool({
    Client: TimingOutClient,
    ...connection,
    max,
    async onConnect(client) {
      client.on('error', () => {})
      if (client instanceof TimingOutClient) client.givesUpAfter(silentAfter)
      await client.query(plainly)
    },
    // A new one costs as much as a dozen requests: the proof of the password alone is thousands of hashes.
    idleTimeoutMillis: 5 * 60_000,
  })
  // A broken connection is replaced on the next query, and whoever was using it hears of it there; without
  // listeners, idle or between two queries of a transaction, it would end the process.
  pool.on('error', () => {})
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new CannotStart(
      `The database at DATABASE_URL cannot be reached (${(error as Error).message}). Start it or correct DATABASE_URL.`,
    )
  }

  async function connect(): Promise<pg.Client> {
    const client = new PreparingClient({ ...connection, pipeline: true })
    client.on('error', () => {})
    await client.connect()
    await client.query(plainly)
    return client
  }
  const pipelines = { callers: openPipeline(connect, silentAfter), rows: openPipeline(connect, silentAfter) }
  const listeners: { close(): void }[] = []
  const db = openKysely(pool, tracer, pipelines)
  return {
    db,
    pool,
    embedded: false,
    async listen(channel, heard) {
      listeners.push(await listenForEver({ connection, silentAfter }, channel, heard))
    },
    async close() {
      for (const listener of listeners) listener.close()
      await Promise.all([db.destroy(), pipelines.callers.close(), pipelines.rows.close()])
    },
  }
}

/** A connection of its own that comes back after the database was away. */
async function listenForEver(
  { connection, silentAfter }: Line,
  channel: string,
  heard: (payload: string) => void,
) {
  let client: pg.Client | undefined
  let closed = false

  async function connect(): Promise<void> {
    const next = new TimingOutClient(connection)
    client = next
    client.on('notification', ({ payload }) => heard(payload ?? ''))
    client.on('error', () => {})
    await client.connect()
    next.givesUpAfter(silentAfter)
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    // Not before: an attempt that fails ends, too, and would be made again twice, and each of those twice.
    client.once('end', comeBack)
  }
  async function comeBack(): Promise<void> {
    while (!closed) {
      await pause(500, undefined, { ref: false })
      try {
        await connect()
        heard('') // whatever was said meanwhile was missed
        return
      } catch {
        client?.end().catch(() => {})
      }
    }
  }

  await connect()
  // Whoever only listens would not notice that the line is dead.
  const asking = setInterval(() => client?.query('select 1').catch(() => {}), silentAfter).unref()
  return {
    close() {
      closed = true
      clearInterval(asking)
      client?.end().catch(() => {})
    },
  }
}

async function openEmbeddedDefault(
  dataDir: string,
  wanted: { vectors: boolean },
  tracer: Tracer,
): Promise<Database> {
  const { pool, listen, copyTo, close } = await openEmbedded(dataDir, wanted)
  const db = openKysely(pool, tracer)
  return {
    db,
    pool,
    embedded: true,
    listen,
    copyTo,
    async close() {
      await db.destroy()
      await close()
    },
  }
}
