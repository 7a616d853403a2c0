import { expect, test } from 'vitest'
import type { DuplicateGroup, DuplicateKind, KeptGroup } from '../contract/duplicates.ts'
import { newId } from '../server/ids.ts'
import { type Look, looking } from './looking.ts'
import type { Person } from './person.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world()
const { db } = w.parts
const adds = (clientId: string, ...looks: Look[]) => looking(db, clientId, looks)

const at = (person: Person, below: string) => person.door.assets.replace(/assets$/, `duplicates${below}`)

const named = async (person: Person, title: string, bytes: Uint8Array): Promise<string> =>
  (await person.uploads(bytes, { words: { title } })).assetId

const groupsOf = async (person: Person, kind: DuplicateKind): Promise<DuplicateGroup[]> => {
  const groups: DuplicateGroup[] = []
  let cursor = ''
  do {
    const { status, body } = await person.get(`${at(person, '')}?kind=${kind}&limit=3${cursor}`)
    expect(status, JSON.stringify(body)).toBe(200)
    groups.push(...body.groups)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return groups
}
const idsIn = ({ duplicates }: DuplicateGroup) => duplicates.map(({ asset }) => asset.assetId).sort()
const listed = async (person: Person, kind: DuplicateKind = 'exact') =>
  (await groupsOf(person, kind)).map(idsIn).sort()

const keepsAll = async (person: Person, assetIds: string[], more?: DuplicateKind): Promise<KeptGroup> => {
  const { status, body } = await person.post(at(person, '/kept-groups'), { assetIds, ...(more && { more }) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const kept = async (person: Person, query = '') =>
  (await person.get(at(person, `/kept-groups${query}`))).body as { keptGroups: KeptGroup[]; count: number }
const keptIds = async (person: Person) =>
  (await kept(person)).keptGroups.map(({ assets }) => assets.map(({ assetId }) => assetId).sort())
const reopens = (person: Person, keptGroupId: string) =>
  person.delete(at(person, `/kept-groups/${keptGroupId}`))

async function purges(person: Person, assetId: string) {
  await person.trashes(assetId)
  expect((await person.delete(`${person.door.assets}/${assetId}?permanently=true`)).status).toBeLessThan(300)
}

test('what does not look alike is kept as no group', async () => {
  const { operator } = await w.newClient()
  const [a, b] = [await named(operator, 'A', png(9, 7)), await named(operator, 'B', png(8, 4))]
  expect(await operator.post(at(operator, '/kept-groups'), { assetIds: [a, b] })).toEqual(
    refusal('invalid-request'),
  )
  expect(await kept(operator)).toMatchObject({ keptGroups: [], count: 0 })
})

test('what is kept as a group stays away for all people, until one more comes or somebody looks again', async () => {
  const { operator, portal, clientId } = await w.newClient()
  const bytes = png(9, 7)
  const [a, b] = [await named(operator, 'A', bytes), await named(operator, 'B', bytes)]
  const pair = [a, b].sort()
  expect(await listed(portal)).toEqual([pair])

  const group = await keepsAll(operator, [b, a])
  expect(group).toMatchObject({ count: 2, keptBy: operator.id, assets: [{ assetId: a }, { assetId: b }] })
  for (const kind of ['exact', 'near'] as const) expect(await listed(portal, kind)).toEqual([])
  // Asked again, or for some of them, it is done already.
  const { keptGroupId } = group
  expect(await keepsAll(portal, [a, b])).toMatchObject({ keptGroupId })
  expect(await kept(portal)).toMatchObject({ keptGroups: [{ keptGroupId, count: 2 }], count: 1 })
  const { body } = await operator.lists({ duplicates: true, everywhere: true })
  expect(body.assets).toHaveLength(2)

  const c = await named(operator, 'C', bytes)
  expect(await listed(operator)).toEqual([[a, b, c].sort()])
  await operator.trashes(c)
  expect(await listed(operator)).toEqual([])
  await operator.restores(c)

  // The larger one stands in the place of the one before, which is there again without it.
  const { keptGroupId: largerId } = await keepsAll(operator, [a, b, c])
  expect(await listed(operator)).toEqual([])
  expect(await kept(operator)).toMatchObject({ keptGroups: [{ keptGroupId: largerId }], count: 1 })
  expect((await reopens(portal, largerId)).body).toMatchObject({ keptGroupId: largerId, count: 3 })
  expect(await reopens(portal, largerId)).toEqual(refusal('not-found'))
  expect(await listed(operator)).toEqual([[a, b, c].sort()])
  expect(await kept(operator)).toMatchObject({ keptGroups: [{ keptGroupId, count: 2 }], count: 1 })

  // Of two that were kept one can be kept all the same; it is restored to how it was.
  expect((await operator.post(at(operator, '/keep'), { keep: a, others: [b, c] })).status).toBe(200)
  expect(await listed(operator)).toEqual([])
  await operator.restores(b)
  expect(await listed(operator)).toEqual([])
  await reopens(operator, keptGroupId)
  expect(await listed(operator)).toEqual([pair])

  const told = await db
    .selectFrom('events')
    .select(['type', 'subject', 'data'])
    .where('client_id', '=', clientId)
    .where('type', 'in', ['duplicates.kept', 'duplicates.reopened'])
    .orderBy('id')
    .execute()
  expect(told).toEqual([
    { type: 'duplicates.kept', subject: keptGroupId, data: { title: 'A', count: 2 } },
    { type: 'duplicates.kept', subject: largerId, data: { title: 'A', count: 3 } },
    { type: 'duplicates.reopened', subject: largerId, data: { title: 'A', count: 3 } },
    { type: 'duplicates.reopened', subject: keptGroupId, data: { title: 'A', count: 2 } },
  ])
})

test('it is about the files that were there: another version is looked at anew, and what is purged is forgotten', async () => {
  const { operator } = await w.newClient()
  const bytes = png(10, 7)
  const ids = []
  for (const title of ['A', 'B', 'C', 'D']) ids.push(await named(operator, title, bytes))
  const [a, b, c, d] = ids as [string, string, string, string]
  await keepsAll(operator, ids)
  expect(await listed(operator)).toEqual([])

  await operator.uploads(png(11, 7), { session: { replacesAssetId: d } })
  expect(await listed(operator)).toEqual([])
  expect(await keptIds(operator)).toEqual([[a, b, c].sort()])
  await operator.post(`${operator.door.assets}/${d}/versions/1/restore`, {})
  expect(await listed(operator)).toEqual([[a, b, c, d].sort()])
  await purges(operator, d)

  await operator.trashes(c)
  expect(await keptIds(operator)).toEqual([[a, b, c].sort()])
  await purges(operator, c)
  expect(await keptIds(operator)).toEqual([[a, b].sort()])
  expect(await listed(operator)).toEqual([])
  await purges(operator, b)
  expect(await kept(operator)).toMatchObject({ keptGroups: [], count: 0 })
})

test('what looks like some of those that were kept makes a group with these alone', async () => {
  const { operator, clientId } = await w.newClient()
  const looks = (bits: string, sha256 = newId('upload')) => ({ sha256, hash: BigInt(`0b${bits}`) })
  const [a, b] = (await adds(clientId, looks('0'), looks('111'))) as [string, string]
  expect(await listed(operator, 'near')).toEqual([[a, b].sort()])
  await keepsAll(operator, [a, b])
  expect(await listed(operator, 'near')).toEqual([])

  // It looks like the second alone.
  const [c] = (await adds(clientId, looks('111111'))) as [string]
  expect(await listed(operator, 'near')).toEqual([[b, c].sort()])
  await keepsAll(operator, [b, c])
  expect(await listed(operator, 'near')).toEqual([])
  // This one looks like all of them.
  const [d] = (await adds(clientId, looks('1110'))) as [string]
  expect(await listed(operator, 'near')).toEqual([[a, b, c, d].sort()])
  await operator.trashes(d)
  expect(await listed(operator, 'near')).toEqual([])

  // Kept by their bytes, two here and two there: whether these look alike nobody has said.
  const [e, f, g, h] = (await adds(
    clientId,
    ...[looks('1'.repeat(40), 'e'), looks('1'.repeat(40), 'e')],
    ...[looks('1'.repeat(41), 'g'), looks('1'.repeat(41), 'g')],
  )) as [string, string, string, string]
  await keepsAll(operator, [e, f])
  await keepsAll(operator, [g, h])
  expect(await listed(operator)).toEqual([])
  expect((await listed(operator, 'near'))[0]).toEqual([e, f, g, h].sort())
  await keepsAll(operator, [e, f, g, h])
  expect(await listed(operator, 'near')).toEqual([])
  expect((await kept(operator, '?limit=1')).count).toBe(3)
})

test('group by group all is kept, however they look like each other', async () => {
  const { operator, clientId } = await w.newClient()
  let seed = 4711
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const bits = Array.from({ length: 40 }, () =>
    [random(9), random(9), random(9), random(9)].reduce((hash, bit) => hash | (1n << BigInt(bit)), 0n),
  )
  const ids = await adds(clientId, ...bits.map((hash, at) => ({ sha256: `${clientId} ${at % 30}`, hash })))
  const hashOf = new Map(ids.map((id, at) => [id, bits[at]!]))
  const apart = new Set<string>()
  const isAlike = (a: string, b: string) =>
    [...(hashOf.get(a)! ^ hashOf.get(b)!).toString(2)].filter((bit) => bit === '1').length <= 3
  const open = (some: string[]) =>
    some.flatMap((a) => some.filter((b) => a < b && isAlike(a, b) && !apart.has(`${a} ${b}`)))
  for (let asked = 0; asked < 200; asked++) {
    const groups = await listed(operator, 'near')
    for (const group of groups) expect(open(group)).not.toEqual([])
    expect(groups.length > 0).toBe(open(ids).length > 0)
    if (groups.length === 0) break
    const some = groups[random(groups.length)]!
    for (const a of some) for (const b of some) apart.add(`${a} ${b}`)
    await keepsAll(operator, some)
  }
  expect(open(ids)).toEqual([])
})

test.each(['exact', 'near'] as const)(
  'all of a group go together, also those that are not listed: %s',
  async (kind) => {
    const { operator, clientId } = await w.newClient()
    const look = { sha256: `many ${clientId}`, hash: 123456789n }
    await adds(clientId, ...Array.from({ length: 152 }, () => look))
    const [first] = await groupsOf(operator, kind)
    expect(first).toMatchObject({ more: true })
    const some = await keepsAll(operator, idsIn(first!))
    expect(some.count).toBe(50)
    expect((await groupsOf(operator, kind)).length).toBeGreaterThan(0)

    const all = await keepsAll(operator, idsIn(first!), kind)
    expect(all).toMatchObject({ count: 152 })
    expect(all.assets).toHaveLength(50)
    expect(await groupsOf(operator, kind)).toEqual([])
    expect((await keepsAll(operator, idsIn(first!), kind)).keptGroupId).toBe(all.keptGroupId)

    // Among so many it is the new one that shows.
    const [late] = (await adds(clientId, look)) as [string]
    const [again] = await groupsOf(operator, kind)
    expect(idsIn(again!)).toContain(late)
    expect(again).toMatchObject({ more: true })
    expect(await keepsAll(operator, idsIn(again!), kind)).toMatchObject({ count: 153 })
    expect(await groupsOf(operator, kind)).toEqual([])
  },
)

test('who may not, or does not see it, keeps nothing', async () => {
  const { operator, viewer } = await w.newClient()
  const { operator: stranger } = await w.newClient()
  const bytes = png(12, 7)
  const ids = [await named(operator, 'A', bytes), await named(operator, 'B', bytes)]
  const theirs = await named(stranger, 'Theirs', bytes)
  const asks = (person: Person, assetIds: string[]) => person.post(at(person, '/kept-groups'), { assetIds })
  expect(await asks(stranger, ids)).toEqual(refusal('not-found'))
  expect(await asks(operator, [...ids, theirs])).toEqual(refusal('not-found'))
  expect(await asks(operator, [...ids, 'rubbish'])).toEqual(refusal('not-found'))
  expect(await asks(operator, ids.slice(1))).toEqual(refusal('invalid-request'))
  expect(await viewer.post(at(operator, '/kept-groups'), { assetIds: ids })).toEqual(refusal('forbidden'))
  const trashed = await named(operator, 'C', bytes)
  await operator.trashes(trashed)
  expect(await asks(operator, [...ids, trashed])).toEqual(refusal('not-found'))
  expect((await listed(operator)).length).toBe(1)

  const { keptGroupId } = await keepsAll(operator, ids)
  expect(await viewer.delete(at(operator, `/kept-groups/${keptGroupId}`))).toEqual(refusal('forbidden'))
  expect(await reopens(stranger, keptGroupId)).toEqual(refusal('not-found'))
  expect(await reopens(operator, 'rubbish')).toEqual(refusal('not-found'))
  expect(await kept(stranger)).toMatchObject({ keptGroups: [], count: 0 })
  expect((await viewer.get(at(operator, '/kept-groups'))).body.count).toBe(1)
})
