import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { test as alone, expect } from 'vitest'
import type { Delivery } from '../contract/deliveries.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { mostWaiting } from '../server/previews/film-renditions.ts'
import { facebookPageOf, facebookPagePeer } from './facebook-peer.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const { encoder } = await w.parts.media.capabilities()
const test = alone.skipIf(encoder === 'none')
const long = await readFile(fixturePath('long-upright.mp4'))

/** A client with a film that its page takes only in part. */
async function hasFilm() {
  const client = await w.newClient()
  const peer = await facebookPagePeer()
  const at = `/admin/clients/${client.clientId}`
  const { body: connection } = await w.admin.post(`${at}/connections`, {
    kind: 'facebook-page',
    name: 'Page',
    settings: { ...facebookPageOf, baseUrl: peer.url },
    secrets: { accessToken: 'graph-token' },
  })
  const session = { originalFilename: 'long.mp4', mimeType: 'video/mp4' } as const
  const { assetId, assetRef } = await client.operator.uploads(long, { session })
  const files = () =>
    w.parts.db
      .selectFrom('derived_files')
      .select(['name', 'progress', 'made_at'])
      .where('asset_id', '=', assetId)
      .where('name', 'like', 'rendition-%')
      .execute()
  return {
    ...client,
    ...{ at, peer, assetId, assetRef, files },
    async delivers(endSeconds: number): Promise<Delivery> {
      const range = { startSeconds: 0, endSeconds }
      const { connectionId } = connection
      const order = { assetRef, connectionId, surface: 'social', text: `${endSeconds} seconds`, range }
      return (await client.agent.post(`${at}/deliveries`, order)).body
    },
    grants: (endSeconds: number) =>
      client.agent.post(`${at}/pull-grants`, {
        ...{ assetRef, surface: 'social', target: 'facebook-page' },
        range: { startSeconds: 0, endSeconds },
      }),
    status: async (id: string) => (await client.operator.get(`${at}/deliveries/${id}`)).body.status,
    isBeingMade: () => expect.poll(async () => (await files())[0]?.progress ?? 0).toBeGreaterThan(0),
    /** How the jobs that made it went: their states, and how often they were tried again. */
    jobs: async () =>
      (
        await sql<{ state: string; retry_count: number }>`select state, retry_count from jobs.job
          where name = 'film' and data ->> 'assetId' = ${assetId} order by created_on`.execute(w.parts.db)
      ).rows,
  }
}

const endedAtOnce = [{ state: 'completed', retry_count: 0 }]

test('a film that nobody waits for any more is not made to its end', async () => {
  const its = await hasFilm()
  const { deliveryId } = await its.delivers(89)
  await its.isBeingMade()
  expect((await its.operator.post(`${its.at}/deliveries/${deliveryId}/cancel`)).body.status).toBe('cancelled')
  await expect.poll(its.jobs).toEqual(endedAtOnce)
  expect(await its.files()).toEqual([])

  // Somebody else wants it, too: then it is made.
  const again = await its.delivers(20)
  expect(await its.grants(20)).toEqual(refusal('media-busy'))
  await its.operator.post(`${its.at}/deliveries/${again.deliveryId}/cancel`)
  await expect.poll(async () => (await its.grants(20)).status).toBe(201)
  expect(its.peer.posts).toEqual([])
})

test('a film that is deleted for good is not made to its end', async () => {
  const its = await hasFilm()
  expect(await its.grants(89)).toEqual(refusal('media-busy'))
  await its.isBeingMade()
  const path = `${its.operator.door.assets}/${its.assetId}`
  expect((await its.operator.delete(path)).status).toBe(200)
  expect((await w.admin.delete(`${path}?permanently=true`)).status).toBe(200)
  await expect.poll(its.jobs).toEqual(endedAtOnce)
})

test('a film whose encoder is killed in the middle is delivered once', async () => {
  const its = await hasFilm()
  const { deliveryId } = await its.delivers(30)
  await its.isBeingMade()
  for (const pid of encoders()) process.kill(pid, 'SIGKILL')
  await expect.poll(() => its.status(deliveryId)).toBe('done')
  expect(its.peer.posts).toHaveLength(1)
  expect(await w.parts.media.inspect(inMemory(its.peer.posts[0]!.files[0]!), 'video/mp4')).toMatchObject({
    durationSeconds: expect.closeTo(30, 0),
  })
})

/** Those of our processes that let all others go first. */
const encoders = () =>
  execFileSync('ps', ['-o', 'pid=,ni=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, nice]) => nice! >= 5)
    .map(([pid]) => pid!)

test('so many films of a client may wait, and no more', async () => {
  const its = await hasFilm()
  const queued = { clientId: its.clientId, assetId: its.assetId, version: 1, recipe: {} }
  await w.parts.db.transaction().execute(async (trx) => {
    for (let i = 0; i < mostWaiting; i++)
      await w.parts.jobs.send(trx, 'film', { ...queued, name: `rendition-${i}` })
    await sql`update jobs.job set start_after = now() + interval '1 day'
      where name = 'film' and data ->> 'clientId' = ${its.clientId}`.execute(trx)
  })
  expect((await its.grants(5)).body.detail).toContain(`${mostWaiting} films of this client`)
  const { deliveryId } = await its.delivers(5)
  await expect.poll(() => its.status(deliveryId)).toBe('preparing')
  const other = await hasFilm()
  expect((await other.grants(5)).body.detail).toContain('The film is being converted')

  await sql`delete from jobs.job where name = 'film' and data ->> 'clientId' = ${its.clientId}`.execute(
    w.parts.db,
  )
  await w.parts.db.transaction().execute((trx) => w.parts.jobs.send(trx, 'sweep', {}))
  await expect.poll(() => its.status(deliveryId)).toBe('done')
})
