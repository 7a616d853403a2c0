import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { faultsOf, libraryToCheck } from '../server/check/check.ts'
import { png } from './pictures.ts'
import { world } from './world.ts'

const w = await world()
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const framing = { focalPoint: { x: 1, y: 0 }, crops: { '3:2': { x: 0.5, y: 0.5, width: 0.5, height: 0.5 } } }

describe.each(['operator', 'portal'] as const)('an old version, by the %s,', (who) => {
  async function twoVersions() {
    const client = await w.newClient()
    const me = client[who]
    const [first, second] = [png(30, 20, [200, 0, 0]), png(40, 10, [0, 0, 200])]
    const { assetId } = await me.uploads(first, { words: { title: 'Logo', tags: ['brand'] } })
    await me.edits(assetId, framing)
    await me.uploads(second, { session: { replacesAssetId: assetId } })
    const at = `${me.door.assets}/${assetId}`
    const stored = async () => (await w.admin.get(`/admin/clients/${client.clientId}`)).body.storedBytes
    return { client, me, assetId, first, second, at, stored }
  }

  test('comes back as the newest, with its own bytes and nothing lost', async () => {
    const { client, me, assetId, first, second, at, stored } = await twoVersions()
    const before = await stored()
    expect((await me.reads(assetId)).body).toMatchObject({ focalPoint: null, crops: {} })
    const { status, body } = await me.post(`${at}/versions/1/restore`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ focalPointIsGuess: false, ...framing })
    expect(body).toMatchObject({ assetId, assetRef: assetId, version: 3, title: 'Logo', tags: ['brand'] })
    expect(body).toMatchObject({ sha256: sha(first), width: 30, height: 20, sizeBytes: first.length })
    const { versions } = (await me.get(`${at}/versions`)).body
    expect(versions.map(({ sha256 }: { sha256: string }) => sha256)).toEqual([first, second, first].map(sha))
    for (const [index, bytes] of [first, second, first].entries()) {
      const answer = await me.fetch(`${at}/content?version=${index + 1}`)
      expect(sha(Buffer.from(await answer.arrayBuffer()))).toBe(sha(bytes))
    }
    expect(await stored()).toBe(before)
    await expect
      .poll(async () => (await me.reads(assetId)).body.media.state, { timeout: 90_000 })
      .toBe('ready')
    const looked = { files: 0, objects: 0, read: 0, readBytes: 0, withoutChecksum: 0 }
    const library = libraryToCheck(w.parts, client.clientId)
    expect(await Array.fromAsync(faultsOf(library, { grace: 0, read: 1 }, looked))).toEqual([])
  })

  test('is restored once, however often it is asked for', async () => {
    const { me, assetId, at } = await twoVersions()
    await Promise.all([1, 2, 3].map(() => me.post(`${at}/versions/1/restore`)))
    expect((await me.reads(assetId)).body.version).toBe(3)
    expect((await me.post(`${at}/versions/2/restore`)).body.version).toBe(4)
  })

  test('is not found in the trash, nor when there never was one', async () => {
    const { me, assetId, at } = await twoVersions()
    expect((await me.post(`${at}/versions/9/restore`)).status).toBe(404)
    await me.trashes(assetId)
    expect((await me.post(`${at}/versions/1/restore`)).status).toBe(404)
  })
})

test('who restored a version is told to those who listen and kept in the audit trail', async () => {
  const { clientId, operator, viewer } = await w.newClient()
  const { assetId } = await operator.uploads(png(3, 3))
  await operator.uploads(png(4, 4), { session: { replacesAssetId: assetId } })
  const path = `${operator.door.assets}/${assetId}/versions/1/restore`
  expect((await viewer.post(path)).status).toBe(403)
  await operator.post(path)
  const told = await w.parts.db
    .selectFrom('events')
    .select(['data', 'actor'])
    .where('client_id', '=', clientId)
    .where('type', '=', 'asset.replaced')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(told).toMatchObject({ actor: operator.id, data: { restoredVersion: 1 } })
  const entry = await w.parts.db
    .selectFrom('audit_trail')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry).toMatchObject({ action: 'asset.replaced', details: { restoredVersion: 1 } })
})
