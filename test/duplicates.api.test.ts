import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { BatchJob } from '../contract/batches.ts'
import type { DuplicateGroup } from '../contract/duplicates.ts'
import { newId } from '../server/ids.ts'
import type { Person } from './person.ts'
import { png } from './pictures.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world()
const { db } = w.parts

/** Nothing about its shape is symmetric, so that the hash has something to hold on to. */
const logo = (colour: string, width = 160) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120" width="${width}"><rect width="160" height="120" fill="#fff"/>
      <path d="M12 97 61 9l37 71 49-33-21 66zM118 8h33v17h-33zM9 18h22v31H9z" fill="${colour}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

const at = (person: Person, below: string) => person.door.assets.replace(/assets$/, below)

async function named(person: Person, title: string, bytes: Uint8Array, words: object = {}): Promise<string> {
  const { assetId } = await person.uploads(bytes, { words: { title, ...words } })
  return assetId
}

const groupsOf = async (person: Person, query: string) => {
  const groups: DuplicateGroup[] = []
  let cursor = ''
  do {
    const { status, body } = await person.get(`${at(person, 'duplicates')}?${query}${cursor}`)
    expect(status, JSON.stringify(body)).toBe(200)
    groups.push(...body.groups)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return groups
}
const idsOf = (groups: DuplicateGroup[]) =>
  groups.map(({ duplicates }) => duplicates.map(({ asset }) => asset.assetId)).sort()

const keeps = async (person: Person, keep: string, ...others: string[]) =>
  person.post(at(person, 'duplicates/keep'), { keep, others })
const purges = (person: Person, assetId: string) =>
  person.delete(`${person.door.assets}/${assetId}?permanently=true`)
const batch = async (person: Person, below: string, body?: object): Promise<BatchJob> => {
  const batches = `${person.door.assets}/batches`
  const started = await person.post(batches + below, body)
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  const asks = async () => (await person.get(`${batches}/${started.body.batchId}`)).body
  await expect.poll(async () => (await asks()).state).toBe('done')
  return asks()
}
/** The versions that refs lead to; of the others, why to none. */
const leads = async (person: Person, ...assetRefs: string[]) => {
  const { body } = await person.post(at(person, 'asset-refs/resolve'), { assetRefs, surface: 'website' })
  return body.results.map(({ pinnedRef, code }: { pinnedRef?: string; code?: string }) => pinnedRef ?? code)
}

test('what is there twice is found by its bytes, and by its looks, page by page', async () => {
  const { operator, portal, agent } = await w.newClient()
  const { operator: stranger } = await w.newClient()
  const red = await logo('#c22')
  const [a, b] = [await named(operator, 'A', red), await named(operator, 'B', red)]
  const large = await named(portal, 'Large', await logo('#22c', 640))
  const [c, d] = [await named(operator, 'C', png(9, 7)), await named(operator, 'D', png(9, 7))]
  await named(operator, 'Alone', png(10, 7))
  const trashed = await named(operator, 'Trashed', png(10, 7))
  await operator.trashes(trashed)
  await named(stranger, 'Elsewhere', red)

  const pairs = [
    [a, b],
    [c, d],
  ].sort()
  expect(idsOf(await groupsOf(operator, 'limit=1'))).toEqual(pairs)
  expect(idsOf(await groupsOf(portal, 'kind=exact'))).toEqual(pairs)
  const { body: listed } = await operator.lists({ duplicates: true, everywhere: true, sort: 'title' })
  expect(listed.assets.map(({ title }: { title: string }) => title)).toEqual(['A', 'B', 'C', 'D'])

  await expect
    .poll(async () => idsOf(await groupsOf(operator, 'kind=near')), { timeout: 90_000 })
    .toEqual([[a, b, large]])
  const [near] = await groupsOf(operator, 'kind=near')
  expect(near).toMatchObject({ kind: 'near', suggested: large, why: ['largest'] })
  // It stands in one post, however often.
  const often = { featuredAssetRef: b, assetRefs: [b, b, `${b}@1`] }
  await agent.put(at(operator, 'uses/blog-post/duplicates'), { status: 'draft', ...often })
  const [used] = await groupsOf(operator, 'kind=near')
  expect(used).toMatchObject({ suggested: b, why: ['most-used'] })
  expect(used!.duplicates.map(({ uses }) => uses)).toEqual([0, 1, 0])
  const { body } = await operator.post(at(operator, `assets/${a}/comments`), { version: 1, text: 'This one' })
  expect(body).toMatchObject({ text: 'This one' })
  await operator.put(at(operator, `assets/${a}/approval`), { version: 1, decision: 'approved' })
  const [agreed] = await groupsOf(operator, 'kind=near')
  expect(agreed).toMatchObject({ suggested: a, why: ['approved', 'oldest'] })
  expect(agreed!.duplicates.map(({ comments }) => comments)).toEqual([1, 0, 0])
  const oldest = (await groupsOf(operator, 'kind=exact')).find(({ suggested }) => suggested === c)
  expect(oldest).toMatchObject({ why: ['oldest'] })
})

test('one is kept: uses, collections, selections and refs go over to it, and come apart by a restore', async () => {
  const { operator, agent, clientId } = await w.newClient()
  const bytes = png(11, 7)
  const [keep, one, two] = [
    await named(operator, 'Keep', bytes),
    await named(operator, 'One', bytes),
    await named(operator, 'Two', bytes),
  ]
  const other = await named(operator, 'Other', png(12, 7))
  const use = at(operator, 'uses/social-post/1')
  const plan = { status: 'scheduled', featuredAssetRef: one, assetRefs: [`${two}@1`, other] }
  expect((await agent.put(use, plan)).status).toBe(201)
  const collected = await operator.post(at(operator, 'collections'), {
    name: 'Best',
    assetIds: [other, two, one],
  })
  const { collectionId } = collected.body
  const shared = await operator.post(at(operator, 'share-links'), { title: 'Best', assetIds: [one, other] })
  const resolves = async (assetRef: string) =>
    (
      await agent.post(`/admin/clients/${clientId}/asset-refs/resolve`, {
        assetRefs: [assetRef],
        surface: 'website',
      })
    ).body.results[0]

  await operator.edits(keep, { description: 'Its own', tags: ['sea'] })
  await operator.edits(two, { altText: 'A harbour', description: 'Another', tags: ['Sea', 'boats'] })

  const wish = { keep, others: [one, two] }
  const kept = at(operator, 'duplicates/keep')
  const { status, body } = await operator.post(kept, wish)
  expect(status, JSON.stringify(body)).toBe(200)
  const words = { altText: 'A harbour', description: 'Its own', tags: ['sea', 'boats'] }
  expect(body).toMatchObject({ asset: { assetId: keep, ...words }, merged: [one, two] })
  expect(body.uses).toEqual([(await agent.get(use)).body])
  expect((await operator.reads(keep)).body).toMatchObject(words)
  expect((await operator.post(kept, wish)).body).toMatchObject({ merged: [one, two], uses: [] })
  expect((await agent.get(use)).body).toMatchObject({
    featuredAssetRef: keep,
    assetRefs: [`${keep}@1`, other],
  })
  expect((await operator.reads(one)).body.trashedAt).not.toBe(null)
  const inCollection = async () =>
    (await operator.lists({ collectionId })).body.assets.map(({ assetId }: { assetId: string }) => assetId)
  expect(await inCollection()).toEqual([other, keep])
  const guest = new URL(shared.body.url).pathname
  await w.nobody.post(`${guest}/open`, {})
  const shown = (await w.nobody.get(`${guest}/assets`)).body.assets
  expect(shown.map(({ assetId }: { assetId: string }) => assetId)).toEqual([keep, other])

  // Whoever kept an old ref is led on, pinned or not, also to what that was merged into, and once it is purged.
  for (const ref of [one, `${one}@1`, two])
    expect(await resolves(ref)).toMatchObject({ ok: true, asset: { assetId: keep } })
  await operator.delete(`${operator.door.assets}/${two}?permanently=true`)
  expect(await resolves(two)).toMatchObject({ ok: true, asset: { assetId: keep } })
  const next = await named(operator, 'Next', bytes)
  await operator.post(kept, { keep: next, others: [keep] })
  expect(await resolves(two)).toMatchObject({ ok: true, asset: { assetId: next } })
  await operator.restores(keep)
  expect(await resolves(two)).toMatchObject({ ok: true, asset: { assetId: keep } })
  await operator.restores(one)
  expect(await resolves(one)).toMatchObject({ ok: true, asset: { assetId: one } })
  expect((await inCollection()).includes(one)).toBe(true)
  const told = await sql<{
    type: string
  }>`select type from events where client_id = ${clientId} and subject = ${one}
    order by id`.execute(db)
  expect(told.rows.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['asset.created', 'asset.merged', 'asset.trashed', 'asset.restored']),
  )
})

test('taken back, what was put into collections and selections for the others leaves them, and nothing else does', async () => {
  const { operator, clientId } = await w.newClient()
  const bytes = png(14, 7)
  const [same, again, third] = [
    await named(operator, 'Same', bytes),
    await named(operator, 'Same again', bytes),
    await named(operator, 'Third', bytes),
  ]
  const [first, last] = [
    await named(operator, 'First', png(15, 7)),
    await named(operator, 'Last', png(16, 7)),
  ]
  const collects = async (name: string, assetIds: string[]): Promise<string> =>
    (await operator.post(at(operator, 'collections'), { name, assetIds })).body.collectionId
  const holds = async (collectionId: string) =>
    (await operator.lists({ collectionId })).body.assets.map(({ assetId }: { assetId: string }) => assetId)
  const keeps = (keep: string, ...others: string[]) =>
    operator.post(at(operator, 'duplicates/keep'), { keep, others })
  const restores = (...assetIds: string[]) =>
    operator.post(`${operator.door.assets}/batch`, { assetIds, action: 'restore' })

  const one = await collects('One of them', [first, same, last])
  const both = await collects('Both', [again, first, same])
  const byHand = await collects('By hand', [same])
  const deleted = await collects('Deleted for a while', [same, last])
  const two = await collects('Two of three', [first, same, third])
  const shares = async (...assetIds: string[]) => {
    const { body } = await operator.post(at(operator, 'share-links'), { title: 'Chosen', assetIds })
    const guest = new URL(body.url).pathname
    await w.nobody.post(`${guest}/open`, {})
    return async () =>
      (await w.nobody.get(`${guest}/assets`)).body.assets.map(({ assetId }: { assetId: string }) => assetId)
  }
  const [chosen, chosenBoth, chosenTwo] = [
    await shares(same, last),
    await shares(again, same),
    await shares(same, third),
  ]
  await keeps(again, same)
  expect(await holds(one)).toEqual([first, again, last])
  expect(await chosen()).toEqual([again, last])
  await operator.post(at(operator, `collections/${byHand}/assets`), { assetIds: [again] })
  await operator.delete(at(operator, `collections/${deleted}`))
  await operator.post(at(operator, `collections/${deleted}/restore`), {})
  await keeps(again, third)
  expect(await holds(two)).toEqual([first, again])

  await restores(same)
  expect(await holds(one)).toEqual([first, same, last])
  expect(await holds(both)).toEqual([again, first, same])
  expect((await holds(byHand)).sort()).toEqual([same, again].sort())
  expect(await holds(deleted)).toEqual([same, last])
  expect((await holds(two)).sort()).toEqual([first, same, again].sort())
  expect(await chosen()).toEqual([same, last])
  expect(await chosenBoth()).toEqual([again, same])
  expect((await chosenTwo()).sort()).toEqual([same, again].sort())
  await restores(third)
  expect(await holds(two)).toEqual([first, same, third])
  expect(await chosenTwo()).toEqual([same, third])
  const told = await sql<{
    subject: string
    data: object
  }>`select subject, data from events where client_id = ${clientId} and type = 'collection.assets-removed'
    order by id`.execute(db)
  expect(told.rows.map(({ subject }) => subject).sort()).toEqual([one, deleted, two].sort())
  expect(told.rows.at(-1)!.data).toMatchObject({ name: 'Two of three', assetIds: [again] })
})

test('the trash says what was merged, and into what it leads in the end', async () => {
  const { operator } = await w.newClient()
  const bytes = png(17, 9)
  const [first, between, last] = [
    await named(operator, 'First', bytes),
    await named(operator, 'Between', bytes),
    await named(operator, 'Last', bytes),
  ]
  const other = await named(operator, 'Other', png(18, 9))
  await operator.trashes(other)
  expect((await operator.reads(other)).body.mergedInto).toBe(null)
  expect((await operator.lists({ trashed: true })).body).not.toHaveProperty('merged')
  await keeps(operator, between, first)
  await keeps(operator, last, between)
  const into = { assetId: last, title: 'Last', folderId: null, trashed: false }
  const inTrash = async () => (await operator.lists({ trashed: true })).body.merged
  expect(await inTrash()).toEqual(
    expect.arrayContaining([first, between].map((assetId) => ({ assetId, into }))),
  )
  expect(await inTrash()).toHaveLength(2)
  expect((await operator.reads(first)).body.mergedInto).toEqual(into)
  expect((await operator.lists({})).body).not.toHaveProperty('merged')
  await operator.trashes(last)
  expect((await operator.reads(first)).body.mergedInto).toEqual({ ...into, trashed: true })
  await operator.post(`${operator.door.assets}/${first}/restore`)
  expect((await operator.reads(first)).body.mergedInto).toBe(null)
  expect(await inTrash()).toEqual([{ assetId: between, into: { ...into, trashed: true } }])
})

test('whoever was merged leads to the end of the chain, whichever in between is purged, and when', async () => {
  const { operator, agent } = await w.newClient()
  const bytes = png(17, 7)
  for (const order of ['first before', 'first after', 'between alone', 'all at once']) {
    const first = await named(operator, 'First', bytes)
    const between = await named(operator, 'Between', bytes)
    const last = await named(operator, 'Last', bytes)
    await keeps(operator, between, first)
    await keeps(operator, last, between)
    if (order === 'first before') await purges(operator, first)
    if (order === 'all at once') await operator.delete(`${operator.door.assets}/trash`)
    else expect((await purges(operator, between)).status).toBe(200)
    if (order === 'first after') await purges(operator, first)
    const led = await leads(agent.at(operator.door), first, `${first}@1`, between, `${between}@1`)
    expect(led, order).toEqual(Array(4).fill(`${last}@1`))
    await operator.trashes(last)
    await operator.delete(`${operator.door.assets}/trash`)
    expect(await leads(agent.at(operator.door), first)).toEqual(['not-found'])
  }
})

test('a pin leads to the version with the same bytes, for ever, and one that has none leads nowhere', async () => {
  const { operator, agent } = await w.newClient()
  const upload = async (title: string, ...files: Uint8Array[]) => {
    const assetId = await named(operator, title, files[0]!)
    for (const file of files.slice(1)) await operator.uploads(file, { session: { replacesAssetId: assetId } })
    return assetId
  }
  const [odd, old, same, newer] = [png(18, 7), png(18, 8), png(18, 9), png(18, 10)]
  const keep = await upload('Keep', old, same)
  const other = await upload('Other', odd, old, same)
  const refs = [other, `${other}@3`, `${other}@2`, `${other}@1`]
  const draft = at(operator, 'uses/blog-post/pins')
  await agent.put(draft, { status: 'draft', assetRefs: refs })
  const running = at(operator, 'uses/blog-post/running')
  await agent.put(running, { status: 'running', assetRefs: [`${other}@1`] })
  expect(await keeps(operator, keep, other)).toEqual(refusal('in-use'))
  expect((await agent.get(draft)).body.assetRefs).toEqual(refs)
  await agent.put(running, { status: 'done', assetRefs: [`${other}@1`] })

  const { body } = await keeps(operator, keep, other)
  const moved = [keep, `${keep}@2`, `${keep}@1`, `${other}@1`]
  expect(body.uses).toMatchObject([{ externalId: 'pins', assetRefs: moved }])
  expect((await agent.get(draft)).body.assetRefs).toEqual(moved)
  await operator.uploads(newer, { session: { replacesAssetId: keep } })
  const led = () => leads(agent.at(operator.door), ...refs)
  // Also one that is pinned by another name cannot be removed.
  await agent.put(running, { status: 'running', assetRefs: [`${other}@2`] })
  const removes = () => operator.delete(`${operator.door.assets}/${keep}/versions/1`)
  expect(await removes()).toEqual(refusal('in-use'))
  await agent.put(running, { status: 'cancelled', assetRefs: [`${other}@2`] })
  expect(await led()).toEqual([`${keep}@3`, `${keep}@2`, `${keep}@1`, 'trashed'])

  // Pin by pin along a chain, also once there is none.
  const last = await upload('Last', same, newer)
  expect((await keeps(operator, last, keep)).status).toBe(200)
  expect((await agent.get(draft)).body.assetRefs).toEqual([last, `${last}@1`, `${keep}@1`, `${other}@1`])
  const ends = [`${last}@2`, `${last}@1`, 'trashed', 'trashed']
  expect(await led()).toEqual(ends)
  await purges(operator, keep)
  expect(await led()).toEqual(ends)
  // Merges from before there were pins lead to the current version.
  await sql`update merged_assets set pins = null where id = ${other}`.execute(db)
  expect(await led()).toEqual(Array(4).fill(`${last}@2`))
})

test('a use that was recorded through a merged ref holds what that leads to, and the asset itself once it is back', async () => {
  const { operator, agent } = await w.newClient()
  const bytes = png(19, 7)
  const uploads = async (...titles: string[]) =>
    Promise.all(titles.map((title) => named(operator, title, bytes)))
  const records = async (name: string, status: string, ...assetRefs: string[]) =>
    expect(
      (await agent.put(at(operator, `uses/blog-post/${name}`), { status, assetRefs })).status,
    ).toBeLessThan(300)
  const usesOf = async (assetId: string) =>
    (await operator.get(`${operator.door.assets}/${assetId}/uses`)).body.uses.map(
      ({ externalId }: { externalId: string }) => externalId,
    )
  const used = async () =>
    (await operator.lists({ used: true, everywhere: true })).body.assets.map(
      ({ assetId }: { assetId: string }) => assetId,
    )

  const [first, between, last] = (await uploads('First', 'Between', 'Last')) as [string, string, string]
  await keeps(operator, between, first)
  await keeps(operator, last, between)
  await records('soon', 'scheduled', first, `${first}@1`)
  await records('over', 'done', first)
  const holds = async (assetId: string) => {
    expect(await used()).toEqual(expect.arrayContaining([assetId]))
    expect(await operator.trashes(assetId)).toEqual(refusal('in-use'))
    const others = [first, between, last].filter((id) => id !== assetId)
    for (const other of others) expect(await usesOf(other)).not.toContain('soon')
    expect(await usesOf(assetId)).toContain('soon')
  }
  await holds(last)
  await operator.restores(between)
  await holds(between)
  await operator.restores(first)
  await holds(first)
  // What is over was about the file that was there then.
  expect(await usesOf(last)).toEqual(['over'])
  expect((await operator.trashes(between)).status).toBe(200)

  // It goes along with the next merge like any other.
  const [one, two, three] = (await uploads('One', 'Two', 'Three')) as [string, string, string]
  await keeps(operator, two, one)
  await records('next', 'running', one, `${one}@1`)
  const { status, body } = await keeps(operator, three, two)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.uses).toMatchObject([{ externalId: 'next', assetRefs: [three, `${three}@1`] }])
  expect(await usesOf(three)).toEqual(['next'])
})

test('a batch that restored the trash is taken back: what was merged is merged again', async () => {
  const { operator, agent } = await w.newClient()
  const bytes = png(20, 7)
  const [first, between, last] = [
    await named(operator, 'First', bytes),
    await named(operator, 'Between', bytes),
    await named(operator, 'Last', bytes),
  ]
  const plain = await named(operator, 'Plain', png(20, 8))
  const collection = { name: 'Best', assetIds: [plain, first] }
  const { collectionId } = (await operator.post(at(operator, 'collections'), collection)).body
  const shared = await operator.post(at(operator, 'share-links'), { title: 'Best', assetIds: [first, plain] })
  const guest = new URL(shared.body.url).pathname
  await w.nobody.post(`${guest}/open`, {})
  const idsIn = ({ body }: { body: { assets: { assetId: string }[] } }) =>
    body.assets.map(({ assetId }) => assetId)
  const seen = async () => ({
    collection: idsIn(await operator.lists({ collectionId })),
    selection: idsIn(await w.nobody.get(`${guest}/assets`)),
    refs: await leads(agent.at(operator.door), first, `${first}@1`, between, `${between}@1`),
    bound: idsIn(await operator.lists({ used: true, everywhere: true })),
  })
  await keeps(operator, between, first)
  await keeps(operator, last, between)
  await agent.put(at(operator, 'uses/blog-post/merged'), { status: 'draft', assetRefs: [first] })
  const merged = await seen()
  expect(merged).toEqual({
    ...{ collection: [plain, last], selection: [last, plain], bound: [last] },
    refs: Array(4).fill(`${last}@1`),
  })
  const restored = await batch(operator, '', { search: { trashed: true }, action: 'restore' })
  expect(restored).toMatchObject({ changed: 2 })
  const apart = await seen()
  expect(apart).toMatchObject({ collection: [plain, first], selection: [first, plain], bound: [first] })
  const undone = await batch(operator, `/${restored.batchId}/undo`)
  expect(undone).toMatchObject({ changed: 2, refused: 0 })
  expect(await seen()).toEqual(merged)
  const again = await batch(operator, `/${undone.batchId}/undo`)
  expect(again).toMatchObject({ changed: 2, refused: 0 })
  expect(await seen()).toEqual(apart)

  // Whoever has gone on with it since has their way.
  await keeps(operator, between, last)
  await operator.uploads(png(20, 9), { session: { replacesAssetId: first } })
  const late = await batch(operator, `/${again.batchId}/undo`)
  expect(late).toMatchObject({ changed: 0, refused: 2 })
  expect(late.refusals.map(({ code }) => code)).toEqual(['changed-meanwhile', 'changed-meanwhile'])
})

test('what may not be moved stays, all of it', async () => {
  const { operator, agent, viewer } = await w.newClient()
  const { operator: stranger } = await w.newClient()
  const bytes = png(13, 7)
  const keep = await named(operator, 'Keep', bytes, { allowedSurfaces: ['website'] })
  const [one, two] = [await named(operator, 'One', bytes), await named(operator, 'Two', bytes)]
  const kept = (person: Person) => at(person, 'duplicates/keep')
  await agent.put(at(operator, 'uses/social-post/2'), { status: 'scheduled', assetRefs: [two] })
  const asked = async (wish: object, person = operator) => person.post(kept(person), wish)
  expect(await asked({ keep, others: [one, two] })).toEqual(refusal('refs-not-allowed'))
  expect((await operator.reads(one)).body.trashedAt).toBe(null)
  expect(await asked({ keep, others: [keep] })).toEqual(refusal('invalid-request'))
  expect(await asked({ keep, others: [one, newId('asset')] })).toEqual(refusal('not-found'))
  const another = await named(operator, 'Another', await logo('#123456'))
  expect(await asked({ keep, others: [one, another] })).toEqual(refusal('invalid-request'))
  expect((await operator.reads(another)).body.trashedAt).toBe(null)
  expect(await asked({ keep: one, others: [keep] }, stranger)).toEqual(refusal('not-found'))
  expect(await viewer.post(kept(operator), { keep, others: [one] })).toEqual(refusal('forbidden'))
  await operator.trashes(one)
  expect(await asked({ keep, others: [one] })).toEqual(refusal('not-found'))
})

test('what limits one of them limits the one that is kept, and the answer says what it takes to give that back', async () => {
  const { operator, agent, clientId } = await w.newClient()
  const bytes = png(21, 7)
  const [free, limited] = [await named(operator, 'Free', bytes), await named(operator, 'Limited', bytes)]
  const end = '2099-11-19T00:00:00.000Z'
  const limits = { allowedSurfaces: ['website'], rightsExpireAt: end, provenance: 'generated' }
  const own = { allowedSurfaces: [], rightsExpireAt: null, provenance: 'unknown' }
  await operator.edits(limited, { ...limits, altText: 'A harbour' })
  const { status, body } = await keeps(operator, free, limited)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ asset: { assetId: free, ...limits, altText: 'A harbour' }, before: own })
  expect((await operator.reads(free)).body).toMatchObject(limits)
  const resolved = await agent.post(at(operator, 'asset-refs/resolve'), {
    assetRefs: [limited],
    surface: 'social',
  })
  expect(resolved.body.results).toMatchObject([{ ok: false, code: 'surface-not-allowed' }])
  const told = await sql<{ data: { changed: string[] } }>`select data from events
    where client_id = ${clientId} and subject = ${free} and type = 'asset.updated'`.execute(db)
  expect(told.rows.map(({ data }) => data.changed.toSorted())).toEqual([
    ['allowedSurfaces', 'altText', 'provenance', 'rightsExpireAt'],
  ])

  // Asked again there is nothing left to be taken over; a restore leaves both as they are.
  expect((await keeps(operator, free, limited)).body).toMatchObject({ before: {} })
  await operator.edits(free, own)
  await operator.restores(limited)
  expect((await operator.reads(limited)).body).toMatchObject(limits)
  expect((await operator.reads(free)).body).toMatchObject(own)
  expect((await keeps(operator, limited, free)).body).toMatchObject({ asset: limits, before: {} })
})

test('of several limits the strictest counts, for pictures that look the same, too', async () => {
  const { operator } = await w.newClient()
  const file = await logo('#c22')
  const [keep, other] = [await named(operator, 'Keep', file), await named(operator, 'Other', file)]
  const large = await named(operator, 'Large', await logo('#22c', 640))
  await expect
    .poll(async () => idsOf(await groupsOf(operator, 'kind=near')), { timeout: 90_000 })
    .toEqual([[keep, other, large]])
  const [sooner, later] = ['2001-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']
  const own = { allowedSurfaces: ['social', 'website'], rightsExpireAt: later, provenance: 'camera' }
  await operator.edits(keep, own)
  await operator.edits(other, { allowedSurfaces: ['gbp', 'website'], provenance: 'stock' })
  await operator.edits(large, { rightsExpireAt: sooner, provenance: 'unknown' })
  const { body } = await keeps(operator, keep, other, large)
  expect(body).toMatchObject({
    asset: { allowedSurfaces: ['website'], rightsExpireAt: sooner, provenance: 'stock' },
    before: own,
  })
})

test('where they are allowed on no surface in common, none goes', async () => {
  const { operator } = await w.newClient()
  const bytes = png(22, 7)
  const [keep, one, two] = [
    await named(operator, 'Keep', bytes),
    await named(operator, 'For the site', bytes, { allowedSurfaces: ['website'] }),
    await named(operator, 'For posts', bytes, { allowedSurfaces: ['social'] }),
  ]
  const params = { title: 'For the site', name: 'For posts' }
  expect(await keeps(operator, keep, one, two)).toEqual(refusal('no-surface-in-common', { params }))
  expect((await operator.reads(one)).body.trashedAt).toBe(null)
  expect((await operator.reads(keep)).body.allowedSurfaces).toEqual([])
})

test('what goes on goes over only where the limits of all allow it', async () => {
  const { operator, agent } = await w.newClient()
  const bytes = png(23, 7)
  const [keep, used] = [await named(operator, 'Keep', bytes), await named(operator, 'Used', bytes)]
  const limited = await named(operator, 'Limited', bytes, { allowedSurfaces: ['website'] })
  await agent.put(at(operator, 'uses/social-post/3'), { status: 'scheduled', assetRefs: [used] })
  expect(await keeps(operator, keep, used, limited)).toEqual(refusal('refs-not-allowed'))
  expect((await operator.reads(keep)).body.allowedSurfaces).toEqual([])
  expect((await operator.reads(limited)).body.trashedAt).toBe(null)
})

test('a file that is there very often is listed as often, and what is left alone no more', async () => {
  const { clientId, operator } = await w.newClient()
  // The first of a group is met after more than it lists.
  const ids = Array.from({ length: 152 }, () => newId('asset'))
  const adds = (count: number) =>
    db
      .insertInto('assets')
      .values(
        ids.splice(-count).map((id) => ({
          client_id: clientId,
          id,
          title: 'Again',
          original_filename: 'p.png',
          mime_type: 'image/png',
          size_bytes: 1,
          sha256: 'same',
          perceptual_hash: sql`123456789::bit(64)`,
          details: plainDetails,
          created_by: 'tests',
        })) as never,
      )
      .execute()
  const listed = async () =>
    (await operator.lists({ duplicates: true, everywhere: true, count: true, limit: 1 })).body.total
  const groups = async (kind: string) =>
    (await groupsOf(operator, `kind=${kind}&limit=5`)).map((group) => [group.duplicates.length, group.more])
  await adds(1)
  expect(await listed()).toBe(0)
  await adds(49)
  for (const kind of ['exact', 'near']) expect(await groups(kind), kind).toEqual([[50, false]])
  await adds(101)
  expect(await listed()).toBe(151)
  for (const kind of ['exact', 'near']) expect(await groups(kind), kind).toEqual([[50, true]])
  await adds(1)
  expect(await listed()).toBe(152)
  const others = sql`client_id = ${clientId} and id > (select min(id) from assets where client_id = ${clientId})`
  await sql`update assets set trashed_at = now() where ${others}`.execute(db)
  expect(await listed()).toBe(0)
  await sql`update assets set trashed_at = null where ${others}`.execute(db)
  expect(await listed()).toBe(152)
})
