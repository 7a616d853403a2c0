import { expect, test, vi } from 'vitest'
import { assetLibrary, isProblem, LibraryProblem, resumeOf } from '../agents/client.ts'
import { postOverMcp } from '../agents/examples/post-over-mcp.ts'
import { newId } from '../server/ids.ts'
import { json, peer } from './delivery-peers.ts'
import { png, pngOfSize } from './pictures.ts'
import { type ClientWorld, world } from './world.ts'

const MiB = 1024 ** 2
const w = await world({
  MULTIPART_FROM_BYTES: String(10 * MiB),
  PART_SIZE_BYTES: String(5 * MiB),
  OUTBOUND_ALLOW: '127.0.0.1',
})

const keyOf = ({ agent }: ClientWorld) => agent.credentials.authorization!.replace('Bearer ', '')
const libraryOf = (client: ClientWorld) =>
  assetLibrary({ baseUrl: w.url, apiKey: keyOf(client), clientId: client.clientId })
const blobOf = (bytes: Buffer) => new Blob([Uint8Array.from(bytes)])
const picture = (name: string) => ({ originalFilename: name, mimeType: 'image/png' })

async function connectsReceiver({ clientId }: ClientWorld) {
  const receiver = await peer((_, response) =>
    json(response, { id: 'item-1', url: 'https://site.example/1' }),
  )
  const { body } = await w.admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'webhook',
    name: 'Scheduler',
    settings: { url: receiver.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  return { receiver, connectionId: body.connectionId as string }
}

test('a file is uploaded, found, edited and looked at', async () => {
  const client = await w.newClient()
  const library = libraryOf(client)
  const { folderId } = await client.operator.makesFolder('Menus')
  const seen: number[] = []
  const asset = await library.upload(blobOf(png(40, 30)), {
    ...picture('menu.png'),
    folderId,
    tags: ['menu'],
    provenance: 'camera',
    onProgress: (sent, total) => seen.push(sent / total),
  })
  expect(asset).toMatchObject({ title: 'menu', tags: ['menu'], folderId, provenance: 'camera', width: 40 })
  expect(seen).toEqual([1])
  expect((await library.folders()).map(({ name }) => name)).toEqual(['Menus'])

  const found = []
  for await (const each of library.searchAssets({ q: 'menu', limit: 1 })) found.push(each.assetId)
  expect(found).toEqual([asset.assetId])
  expect((await library.editAsset(asset.assetId, { altText: 'A menu' })).altText).toBe('A menu')
  expect((await library.previewOf(asset.assetId, 'thumb')).type).toBe('image/jpeg')
  const [pick] = await library.pick({ q: 'menu', surface: 'website', ratio: '4:3', unused: true })
  expect(pick).toMatchObject({ asset: { assetId: asset.assetId }, pinnedRef: `${asset.assetId}@1` })
  expect(pick!.why.map(({ code }) => code)).toContain('whole-shape')
  expect((await library.fitsOf(asset.assetId)).map(({ target }) => target)).toContain('wordpress')
})

test('a large file goes in parts, and tells how far it is', async () => {
  const library = libraryOf(await w.newClient())
  const bytes = pngOfSize(12 * MiB)
  const seen: number[] = []
  const asset = await library.upload(blobOf(bytes), {
    ...picture('large.png'),
    onProgress: (sent) => seen.push(sent),
  })
  expect(asset.sizeBytes).toBe(bytes.length)
  expect(seen).toHaveLength(3)
  expect(seen.at(-1)).toBe(bytes.length)
  expect([...seen].sort((a, b) => a - b)).toEqual(seen)
})

test('an upload that broke off sends only what is missing', async () => {
  const library = libraryOf(await w.newClient())
  const file = blobOf(pngOfSize(32 * MiB))
  const stop = new AbortController()
  const options = picture('large.png')
  const broken = await library
    .upload(file, { ...options, onProgress: () => stop.abort(), signal: stop.signal })
    .catch((error) => error)
  const resume = JSON.parse(JSON.stringify(resumeOf(broken)))
  await expect(library.upload(blobOf(png()), { ...options, resume })).rejects.toThrow(`${32 * MiB} bytes`)
  const asked = vi.spyOn(globalThis, 'fetch')
  const asset = await library.upload(file, { ...options, resume })
  const puts = asked.mock.calls.filter(([, request]) => request?.method === 'PUT').length
  asked.mockRestore()
  expect(asset.sizeBytes).toBe(32 * MiB)
  // Of seven parts one to three were there: so many are sent at once.
  expect(puts).toBeGreaterThanOrEqual(4)
  expect(puts).toBeLessThan(7)

  // Finalized, it is the same asset however often it is asked for; a file that is refused cannot be taken up.
  expect((await library.upload(file, { ...options, resume })).assetId).toBe(asset.assetId)
  const refused = await library.upload(new Blob(['no picture']), options).catch((error) => error)
  expect([refused.code, resumeOf(refused)]).toEqual(['type-mismatch', undefined])
})

test('a new file makes the next version of the same ref', async () => {
  const library = libraryOf(await w.newClient())
  const { assetId } = await library.upload(blobOf(png(400, 400)), picture('a.png'))
  await library.upload(blobOf(png(600, 600)), { ...picture('b.png'), replacesAssetId: assetId })
  const results = await library.resolve([`${assetId}@1`, assetId], { surface: 'social', target: 'instagram' })
  expect(results).toMatchObject([
    { ok: true, version: 1, rendition: { width: 400 } },
    { ok: true, version: 2, rendition: { width: 600 } },
  ])
})

test('uses are recorded, listed and swapped', async () => {
  const library = libraryOf(await w.newClient())
  const [one, two] = [
    await library.upload(blobOf(png()), picture('one.png')),
    await library.upload(blobOf(png(2, 2)), picture('two.png')),
  ]
  const use = await library.recordUse('website-job', 'job/1?', {
    assetRefs: [one.assetRef],
    status: 'running',
  })
  expect(use.externalId).toBe('job/1?')
  expect((await library.listUses({ kind: 'website-job' })).uses).toEqual([use])
  expect(await library.replaceEverywhere({ from: one.assetRef, to: two.assetRef })).toMatchObject([
    { externalId: 'job/1?', assetRefs: [two.assetRef] },
  ])
  expect((await library.usesOf(one.assetId)).uses).toEqual([])
  expect((await library.usesOf(two.assetId)).uses).toHaveLength(1)
})

test('a refusal is an error with its code, and with the refs it is about', async () => {
  const client = await w.newClient()
  const library = libraryOf(client)
  const missing = await library.readAsset(newId('asset')).catch((error) => error)
  expect(missing).toBeInstanceOf(LibraryProblem)
  expect(isProblem(missing, 'not-found')).toBe(true)

  const assetRef = newId('asset')
  const refused = await library
    .recordUse('blog-post', 'b', { assetRefs: [assetRef], status: 'draft' })
    .catch((error) => error)
  expect(refused).toMatchObject({ code: 'refs-not-allowed', status: 422 })
  expect(refused.refusals).toMatchObject([{ path: '/assetRefs/0', assetRef, code: 'not-found' }])

  const bad = library.upload(new Blob(['not a picture']), picture('fake.png'))
  await expect(bad).rejects.toMatchObject({ status: 422 })
  const stranger = assetLibrary({ baseUrl: w.url, apiKey: 'cal_wrong', clientId: client.clientId })
  await expect(stranger.listAssets()).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a delivery is ordered once and waited for', async () => {
  const client = await w.newClient()
  const library = libraryOf(client)
  const { receiver, connectionId } = await connectsReceiver(client)
  expect((await library.connections()).map(({ name }) => name)).toEqual(['Scheduler'])
  const { assetRef } = await library.upload(blobOf(png(400, 400)), picture('a.png'))
  const order = { assetRef, connectionId, surface: 'website' } as const
  const [first, second] = [await library.deliver(order), await library.deliver(order)]
  expect(second.deliveryId).toBe(first.deliveryId)
  expect(await library.untilDelivered(first.deliveryId, { everyMs: 100 })).toMatchObject({ status: 'done' })
  await library.retryDelivery(first.deliveryId)
  expect(await library.untilDelivered(first.deliveryId, { everyMs: 100 })).toMatchObject({ status: 'done' })
  expect(receiver.requests).toHaveLength(1)
  expect(await library.testConnection(connectionId)).toMatchObject({ status: 'connected' })
  await expect(library.cancelDelivery(first.deliveryId)).rejects.toMatchObject({ code: 'delivery-state' })

  const [assetId] = assetRef.split('@')
  await library.editAsset(assetId!, { rightsExpireAt: '2020-01-01T00:00:00Z' })
  const [expired] = await library.resolve([assetRef], { surface: 'website' })
  expect(expired).toMatchObject({
    code: 'rights-expired',
    deliveries: [{ deliveryId: first.deliveryId, connectionId, remoteUrl: 'https://site.example/1' }],
  })
})

test('an address to fetch from is made, counted and revoked', async () => {
  const library = libraryOf(await w.newClient())
  const { assetId, assetRef } = await library.upload(blobOf(png(400, 400)), picture('a.png'))
  const grant = await library.createPullGrant({ assetRef, surface: 'social', target: 'instagram' })
  expect((await fetch(grant.url)).headers.get('content-type')).toBe('image/jpeg')
  const { pullGrantId } = grant
  const listed = async (state?: 'open') => (await library.listPullGrants({ assetId, state })).pullGrants
  expect(await listed('open')).toMatchObject([{ pullGrantId, state: 'open', fetchCount: 1 }])
  expect(await library.revokePullGrant(pullGrantId)).toMatchObject({ state: 'revoked' })
  expect((await fetch(grant.url)).status).toBe(404)
  expect([await listed('open'), await listed()]).toMatchObject([[], [{ pullGrantId, state: 'revoked' }]])
})

test('the example that posts over MCP finds, checks, schedules and delivers', async () => {
  const client = await w.newClient()
  const { receiver } = await connectsReceiver(client)
  const library = libraryOf(client)
  await library.upload(blobOf(png(1200, 1200)), {
    ...picture('x.png'),
    title: 'Harbour, website only',
    allowedSurfaces: ['website'],
  })
  const asset = await library.upload(blobOf(png(1200, 900)), {
    ...picture('y.png'),
    title: 'Harbour at dawn',
  })
  const said: string[] = []
  const use = await postOverMcp(
    {
      baseUrl: w.url,
      apiKey: keyOf(client),
      words: 'harbour',
      postId: 'post-1',
      scheduledFor: '2031-01-01T09:00:00.000Z',
    },
    (line) => said.push(line),
  )
  expect(use).toMatchObject({ externalId: 'post-1', assetRefs: [`${asset.assetId}@1`], status: 'scheduled' })
  await expect.poll(() => receiver.requests.length, { timeout: 90_000 }).toBe(1)
  expect(said.join('\n')).toContain('surface-not-allowed')
})

test('what others do is followed, and taken up again where it was left', async () => {
  const client = await w.newClient()
  const library = libraryOf(client)
  const heard: string[] = []
  let last: number | undefined
  const hears = async (count: number) => {
    const until = heard.length + count
    for await (const event of library.events({ after: last ?? 0 })) {
      if (event.type === 'reset') throw new Error('Nothing was missed.')
      last = event.eventId
      // Its type says what it tells.
      heard.push(event.type === 'folder.created' ? event.data.folder.name : event.type)
      if (heard.length === until) break
    }
  }
  await client.operator.makesFolder('One')
  await hears(1)
  const { folderId } = await client.operator.makesFolder('Two')
  await client.operator.deletesFolder(folderId)
  await hears(2)
  expect(heard).toEqual(['One', 'Two', 'folder.trashed'])
})
