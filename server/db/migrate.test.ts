import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from './migrate.ts'

const table = '0001-things.sql'
const index = '0002-things-by-name.concurrently.sql'

test('an index is built while others write; broken off, it is built again', async () => {
  const pool = await emptyDatabase()
  const folder = await emptyFolder()
  await writeFile(
    new URL(table, folder),
    `create table things (name text); insert into things values ('first');`,
  )
  expect(await migrate(pool, folder)).toEqual([table])
  await writeFile(
    new URL(index, folder),
    `-- Two statements.
     create index concurrently if not exists things_name on things (name);
     analyze things;`,
  )

  // It cannot finish before this transaction has ended.
  const writer = await pool.connect()
  await writer.query('begin')
  await writer.query(`insert into things values ('still open')`)

  const broken = migrate(pool, folder).catch((error: Error) => error)
  await expect.poll(() => building(pool)).toHaveLength(1)
  const other = await pool.connect()
  await other.query(`set lock_timeout = '20s'`)
  await other.query(`insert into things values ('meanwhile')`)
  other.release()
  await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [await building(pool)])
  expect(await broken).toMatchObject({ message: expect.stringContaining(index) })
  expect(await indexes(pool)).toEqual([{ name: 'things_name', valid: false }])

  const nodes = [migrate(pool, folder), migrate(pool, folder)]
  await expect.poll(() => building(pool)).toHaveLength(1)
  await writer.query('commit')
  writer.release()
  expect((await Promise.all(nodes)).flat()).toEqual([index])
  expect(await indexes(pool)).toEqual([{ name: 'things_name', valid: true }])
  expect(await migrate(pool, folder)).toEqual([])
})

// Those that were there before wrote whole tables anew.
test('since 0046 no writer waits until an index of a large table is built', async () => {
  const migrations = new URL('migrations/', import.meta.url)
  const files = (await readdir(migrations)).filter(
    (file) => file >= '0046' && !file.endsWith('.concurrently.sql'),
  )
  const onLarge =
    /create (?:unique )?index \w+\s+on (?:assets|asset_versions|derived_files|events|audit_trail)\b/i
  const texts = await Promise.all(
    files.map(async (file) => ({ file, sql: await readFile(new URL(file, migrations), 'utf8') })),
  )
  expect(texts.filter(({ sql }) => onLarge.test(sql)).map(({ file }) => file)).toEqual([])
})

async function emptyDatabase(): Promise<pg.Pool> {
  const url = inject('postgresUrl')
  const name = `migrations_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Pool({ connectionString: `${url}/postgres`, max: 1 })
  await admin.query(`create database ${name}`)
  const pool = new pg.Pool({ connectionString: `${url}/${name}` })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  onTestFinished(async () => {
    // A test that failed may still hold a connection, which the pool would wait for.
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    void pool.end()
  })
  return pool
}

async function emptyFolder(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return pathToFileURL(`${folder}/`)
}

/** The processes of the database that build an index here and wait. */
async function building(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%index concurrently%'
       and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

async function indexes(pool: pg.Pool) {
  const { rows } = await pool.query(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'things'::regclass`,
  )
  return rows
}
