import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../server/ids.ts'
import { faultProxy } from '../fault-proxy.ts'
import { faultyStore } from '../faulty-store.ts'
import { person } from '../person.ts'
import { pngOfSize } from '../pictures.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const files = 5000
const fileBytes = 16_000_000
const readers = 20
const seconds = 30

test(`a zip of ${files} files that ${readers} people read at 10 kB/s and abort: little memory, and nothing of the store stays open`, {
  timeout: 300_000,
}, async () => {
  const r2 = await startR2Simulator()
  onTestFinished(r2.stop)
  const store = await faultyStore(r2.endpoint)
  onTestFinished(store.stop)
  const server = await startProcess({
    STORAGE_ACCOUNT_ID: 'account',
    STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
    STORAGE_BUCKET_NAME: r2.bucket,
    STORAGE_ENDPOINT: store.endpoint,
  })
  onTestFinished(server.stop)
  const line = await faultProxy({ port: Number(new URL(server.url).port) })
  onTestFinished(line.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Zips' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
  const { folderId } = await operator.makesFolder('Many')
  const { assetId } = await operator.uploads(pngOfSize(fileBytes), { session: { folderId } })
  await multiply(server.environment.DATABASE_URL!, assetId)

  const path = `${operator.door.assets}/folders/download?folderId=${folderId}`
  const download = (port: number) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = get(
        { port, host: '127.0.0.1', path, agent: false, headers: operator.credentials },
        resolve,
      )
      asked.on('error', reject)
    })

  // Once at full speed, so that what the server keeps anyway is not counted.
  const warm = await download(Number(new URL(server.url).port))
  const length = Number(warm.headers['content-length'])
  expect(length).toBeGreaterThan(files * fileBytes)
  const beginning: Buffer[] = []
  for await (const chunk of warm) {
    beginning.push(chunk)
    if (beginning.reduce((sum, { length }) => sum + length, 0) > 50_000_000) break
  }
  const archive = Buffer.concat(beginning)
  await pause(2000)
  const before = { memoryMb: await server.memoryMb(), files: await server.openFiles() }

  line.weather({ bytesPerSecond: 10_000 })
  const slow = await Promise.all(Array.from({ length: readers }, () => download(line.port)))
  const read = slow.map((answer) => {
    const chunks: Buffer[] = []
    answer.on('error', () => {})
    answer.on('data', (chunk) => chunks.push(chunk))
    return chunks
  })
  const peak = { memoryMb: 0, streams: 0 }
  for (let second = 0; second < seconds; second++) {
    await pause(1000)
    peak.memoryMb = Math.max(peak.memoryMb, (await server.memoryMb()) - before.memoryMb)
    peak.streams = Math.max(peak.streams, store.open())
  }
  for (const answer of slow) answer.destroy()
  line.cut()
  const aborted = performance.now()
  while (store.open() > 0 && performance.now() - aborted < 30_000) await pause(50)
  const closedIn = (performance.now() - aborted) / 1000
  await pause(1000)
  const filesLeft = (await server.openFiles()) - before.files
  const got = read.map((chunks) => Buffer.concat(chunks))
  const torn = got.filter((bytes) => bytes.length === 0 || !archive.subarray(0, bytes.length).equals(bytes))
  const bytesRead = got.reduce((sum, bytes) => sum + bytes.length, 0)
  // Lines that the pool keeps to the store and the database.
  const filesLeaked = Math.max(0, filesLeft - readers - 10)
  console.log(
    `zip of ${(length / 1e9).toFixed(1)} GB: ${(bytesRead / readers / seconds / 1000).toFixed(1)} kB/s each, ${peak.memoryMb.toFixed(0)} MB more at most, ${peak.streams} store streams at most, closed ${closedIn.toFixed(1)} s after the abort, ${filesLeft} more open files`,
  )
  experiment({
    experiment: 'zip read slowly',
    load: `${readers} readers of ${files} files, ${peak.memoryMb.toFixed(0)} MB more at most`,
    faults: '10 kB/s, then aborted',
    lost: torn.length,
    leaked: store.open() + filesLeaked,
    recoveredInSeconds: closedIn,
  })
  expect(peak.streams).toBeGreaterThanOrEqual(readers / 2)
  expect(peak.memoryMb).toBeLessThan(200)
  expect(closedIn).toBeLessThan(5)
  expect(torn).toHaveLength(0)
  expect(filesLeaked).toBe(0)
})

/** The same file many times over: rows of their own, one object. */
async function multiply(databaseUrl: string, assetId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const ids = Array.from({ length: files - 1 }, () => newId('asset'))
  await client.query(
    `insert into assets (client_id, id, folder_id, title, original_filename, mime_type, size_bytes, created_by)
     select client_id, copy.id, folder_id, 'Picture ' || copy.number, original_filename, mime_type, size_bytes, created_by
     from assets, unnest($2::text[]) with ordinality as copy (id, number) where assets.id = $1`,
    [assetId, ids],
  )
  await client.query(
    `insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type, size_bytes, sha256, crc32, created_by)
     select client_id, copy.id, 1, upload_id, object_prefix, original_filename, mime_type, size_bytes, sha256, crc32, created_by
     from asset_versions, unnest($2::text[]) as copy (id) where asset_id = $1`,
    [assetId, ids],
  )
  await client.end()
}
