import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Delivery } from '../contract/deliveries.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { mostWaiting } from '../server/previews/film-renditions.ts'
import { wordpressPeer } from './delivery-peers.ts'
import { facebookPageOf, facebookPagePeer } from './facebook-peer.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })
const { encoder } = await w.parts.media.capabilities()
beforeEach(({ skip }) => skip(encoder === 'none', 'nothing on this machine encodes films'))
// Under load, minutes of encoding.
vi.setConfig({ testTimeout: 400_000 })
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 150_000 })

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
    isBeingMade: () => poll(async () => (await files())[0]?.progress ?? null).not.toBeNull(),
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
  await poll(its.jobs).toEqual(endedAtOnce)
  expect(await its.files()).toEqual([])

  // Somebody else wants it, too: then it is made.
  const again = await its.delivers(4)
  expect(await its.grants(4)).toEqual(refusal('media-busy'))
  await its.operator.post(`${its.at}/deliveries/${again.deliveryId}/cancel`)
  await poll(async () => (await its.grants(4)).status).toBe(201)
  expect(its.peer.posts).toEqual([])
})

test('a film that is deleted for good is not made to its end', async () => {
  const its = await hasFilm()
  expect(await its.grants(89)).toEqual(refusal('media-busy'))
  await its.isBeingMade()
  const path = `${its.operator.door.assets}/${its.assetId}`
  expect((await its.operator.delete(path)).status).toBe(200)
  expect((await w.admin.delete(`${path}?permanently=true`)).status).toBe(200)
  await poll(its.jobs).toEqual(endedAtOnce)
})

test('a film whose encoder is killed in the middle is delivered once', async ({ skip }) => {
  skip(!existsSync('/proc'), 'no /proc here')
  const its = await hasFilm()
  const { deliveryId } = await its.delivers(12)
  await its.isBeingMade()
  const killed = encoders()
  expect(killed).not.toEqual([])
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  await poll(() => its.status(deliveryId)).toBe('done')
  expect(its.peer.posts).toHaveLength(1)
  expect(await w.parts.media.inspect(inMemory(its.peer.posts[0]!.files[0]!), 'video/mp4')).toMatchObject({
    durationSeconds: expect.closeTo(12, 0),
  })
})

/** Those of our processes that let us go first. */
const encoders = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
    .map(Number)
    .filter((pid) => getPriority(pid) > getPriority())

function parentOf(pid: string): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
  } catch {
    return 0 // it has just ended
  }
}

test('the next version of a film is brought in the part that was asked for, or in another', async () => {
  const its = await hasFilm()
  const site = await wordpressPeer()
  const { body: connection } = await w.admin.post(`${its.at}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: site.url },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })
  const { assetId, assetRef } = its
  const { connectionId } = connection
  const range = { startSeconds: 62, endSeconds: 65 }
  const order = { assetRef, connectionId, surface: 'website', range }
  const { body: first } = await its.agent.post(`${its.at}/deliveries`, order)
  const secondsOf = async ({ deliveryId }: Delivery) => {
    await poll(() => its.status(deliveryId)).toBe('done')
    return (await w.parts.media.inspect(inMemory(site.items.at(-1)!.bytes), 'video/mp4')).durationSeconds
  }
  expect(await secondsOf(first)).toBeCloseTo(3, 1)
  const session = { originalFilename: 'a.mp4', mimeType: 'video/mp4', replacesAssetId: assetId } as const
  for (const [other, seconds] of [
    [{}, 3],
    [{ range: { startSeconds: 10, endSeconds: 12 } }, 2],
  ] as const) {
    await its.operator.uploads(long, { session })
    const { body } = await its.agent.post(`${its.at}/deliveries/redeliver`, { assetRef: assetId, ...other })
    expect(body).toMatchObject({ deliveries: [expect.anything()], refused: [] })
    expect(await secondsOf(body.deliveries[0])).toBeCloseTo(seconds, 1)
  }
})

test('so many films of a client may wait, and no more', async () => {
  const its = await hasFilm()
  const queued = { clientId: its.clientId, assetId: its.assetId, version: 1, recipe: {} }
  await w.parts.db.transaction().execute(async (trx) => {
    for (let i = 0; i < mostWaiting; i++)
      await w.parts.jobs.send(trx, 'film', { ...queued, name: `rendition-${i}` })
    await sql`update jobs.job set start_after = now() + interval '1 day'
      where name = 'film' and data ->> 'clientId' = ${its.clientId}`.execute(trx)
  })
  expect((await its.grants(4)).body.detail).toContain(`${mostWaiting} films of this client`)
  const { deliveryId } = await its.delivers(4)
  await poll(() => its.status(deliveryId)).toBe('preparing')
  const other = await hasFilm()
  expect((await other.grants(4)).body.detail).toContain('The film is being converted')

  await sql`delete from jobs.job where name = 'film' and data ->> 'clientId' = ${its.clientId}`.execute(
    w.parts.db,
  )
  await w.parts.db.transaction().execute((trx) => w.parts.jobs.send(trx, 'sweep', {}))
  await poll(() => its.status(deliveryId)).toBe('done')
})
