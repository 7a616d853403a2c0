import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { migrate } from '../server/db/migrate.ts'
import { newId } from '../server/ids.ts'
import { seedAssets } from './million-seed.ts'
import type { Ring } from './ring.ts'
import { seedTree, seedVersions, withoutIndexes } from './seed.ts'

/** What the version upgraded from had migrated last: one of those kept in test/upgrades. */
const last = '0045-wanted-and-guessed.sql'
const goal = 1000

/** How long writers wait while a library of an earlier version is brought up to date. */
export async function upgradeBench(ring: Ring): Promise<void> {
  const count = ring.assets ?? 1_000_000
  const url = new URL(ring.databaseUrl)
  url.pathname = '/upgrade'
  const databaseUrl = url.href
  await freshDatabase(ring.databaseUrl, 'upgrade')
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const folder = await earlierMigrations()
  await migrate(pool, pathToFileURL(`${folder}/`))
  await rm(folder, { recursive: true })
  const clientId = await seedLibrary(pool, databaseUrl, count)

  const writers = await startWriters(databaseUrl, clientId)
  await pause(5000)
  const before = writers.waits.splice(0)
  const began = performance.now()
  const applied = await migrate(pool)
  const took = (performance.now() - began) / 1000
  const during = await writers.stop()
  await pool.end()
  const longest = during.reduce((most, wait) => Math.max(most, wait), 0)
  ring.report(
    `longest write during ${applied.length} migrations`,
    `${took.toFixed(0)} s; ${during.length} writes: ${spread(during)}; before them ${before.length}: ${spread(before)}`,
    longest,
    `≤ ${goal} ms`,
    longest <= goal,
  )
}

const spread = (waits: number[]) => {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(1)
  return `median ${at(0.5)}, 99 of 100 within ${at(0.99)}, longest ${at(1)} ms`
}

async function freshDatabase(databaseUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
}

async function earlierMigrations(): Promise<string> {
  const ours = new URL('../server/db/migrations/', import.meta.url)
  const folder = await mkdtemp(join(tmpdir(), 'library-migrations-'))
  for (const file of await readdir(ours)) if (file <= last) await cp(new URL(file, ours), join(folder, file))
  return folder
}

async function seedLibrary(pool: pg.Pool, databaseUrl: string, count: number): Promise<string> {
  const clientId = newId('client')
  await pool.query(`insert into clients (id, name, quota_bytes) values ($1, 'upgraded', 1e12)`, [clientId])
  await pool.query('insert into client_counters (client_id) values ($1)', [clientId])
  await seedTree(databaseUrl, clientId, 100)
  const { rows } = await pool.query<{ id: string }>('select id from folders')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const folders = rows.map(({ id }) => id)
  await withoutIndexes(client, () => seedAssets(client, clientId, folders, count, newId('asset').slice(-16)))
  await client.end()
  // Nothing is asked of each asset that its version belongs to: it is there.
  await seedVersions(`${databaseUrl}?options=-c%20session_replication_role%3Dreplica`, clientId)
  await pool.query('vacuum analyze')
  return clientId
}

/** Two people who change a title, tags, or put an asset into the trash and back, one after the other. */
async function startWriters(databaseUrl: string, clientId: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const { rows } = await pool.query<{ id: string }>(
    'select id from assets where client_id = $1 order by random() limit 20000',
    [clientId],
  )
  const changes = [
    `title = 'New ' || left(title, 100)`,
    `tags = array['new tag', 'tag 7']`,
    'trashed_at = case when trashed_at is null then now() end',
  ]
  const waits: number[] = []
  let isOver = false
  const write = async (start: number) => {
    for (let n = start; !isOver; n += 2) {
      const began = performance.now()
      await pool.query(`update assets set ${changes[n % 3]} where client_id = $1 and id = $2`, [
        clientId,
        rows[n % rows.length]!.id,
      ])
      waits.push(performance.now() - began)
      await pause(5)
    }
  }
  const writing = [write(0), write(1)]
  return {
    waits,
    async stop() {
      isOver = true
      await Promise.all(writing)
      await pool.end()
      return waits
    },
  }
}
