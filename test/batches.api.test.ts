import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { BatchJob } from '../contract/batches.ts'
import { forgetOldBatches } from '../server/assets/batches.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { requeueLost } from '../server/requeue.ts'
import type { Person } from './person.ts'
import { refusal } from './refusal.ts'
import { plants } from './web/plants.ts'
import { world } from './world.ts'

const w = await world()
// Here nothing happens but what a test does.
const still = await world({ ROLE: 'api' })

const starts = async (person: Person, body: object): Promise<BatchJob> => {
  const answer = await person.post(`${person.door.assets}/batches`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return answer.body
}
const asks = async (person: Person, batchId: string): Promise<BatchJob> =>
  (await person.get(`${person.door.assets}/batches/${batchId}`)).body
const undoes = (person: Person, { batchId }: BatchJob) =>
  person.post(`${person.door.assets}/batches/${batchId}/undo`)
const ended = async (person: Person, { batchId }: BatchJob): Promise<BatchJob> => {
  await expect.poll(async () => (await asks(person, batchId)).state).toBe('done')
  return asks(person, batchId)
}
const count = async (person: Person, query: object) =>
  (await person.lists({ ...query, count: true, limit: 1 })).body.total

test('all that a search finds is changed as one job, but for what is left out, and taken back to the letter', async () => {
  const { clientId, operator, portal, agent } = await w.newClient()
  const { folderId } = await operator.makesFolder('Inbox')
  const { folderId: archive } = await operator.makesFolder('Archive')
  const ids = await plants(w, clientId, 230, { folder_id: folderId, tags: ['b', 'a'] })
  const held = await operator.uploads(undefined, { session: { folderId } })
  const use = await agent.put(`/admin/clients/${clientId}/uses/blog-post/spring`, {
    status: 'scheduled',
    scheduledFor: '2099-01-01T00:00:00Z',
    assetRefs: [held.assetRef],
  })
  expect(use.status, JSON.stringify(use.body)).toBeLessThan(300)

  // What is moved out of the searched folder is no less what was meant.
  const search = { folderId, mimeType: 'image/png' }
  const moved = await starts(portal, { search, except: ids.slice(0, 2), action: 'move', folderId: archive })
  expect(moved).toMatchObject({ state: 'running', total: 229, done: 0, undoes: null, action: 'move' })
  expect(await ended(portal, moved)).toMatchObject({ done: 229, changed: 229, refused: 0, refusals: [] })
  expect([await count(operator, { folderId }), await count(operator, { folderId: archive })]).toEqual([
    2, 229,
  ])

  const back = await undoes(portal, moved)
  expect(back.status).toBe(202)
  expect(back.body).toMatchObject({ undoes: moved.batchId, total: 229 })
  expect(await ended(portal, back.body)).toMatchObject({ changed: 229, refused: 0 })
  expect(await count(operator, { folderId })).toBe(231)
  expect((await undoes(portal, moved)).body.batchId).toBe(back.body.batchId)
  expect(await asks(portal, moved.batchId)).toMatchObject({ undoneBy: back.body.batchId })

  // One that is held is refused for itself, with the reason.
  const trashed = await ended(operator, await starts(operator, { search, action: 'trash' }))
  expect(trashed).toMatchObject({ total: 231, changed: 230, refused: 1 })
  expect(trashed.refusals).toEqual([
    { assetId: held.assetId, code: 'in-use', detail: expect.stringContaining('swap in another') },
  ])
  expect(await count(operator, { folderId })).toBe(1)
  const restored = await ended(operator, (await undoes(operator, trashed)).body)
  expect(restored).toMatchObject({ changed: 230, refused: 0 })
  expect(await count(operator, { folderId })).toBe(231)

  // Who had the tag keeps it; what somebody has changed since stays; what else has changed does not matter.
  await operator.edits(ids[0]!, { tags: ['Sale', 'z'] })
  const tagged = await ended(
    operator,
    await starts(operator, { search, action: 'tag', tags: ['sale', 'new'] }),
  )
  expect(tagged).toMatchObject({ changed: 231 })
  expect((await operator.reads(ids[0]!)).body.tags).toEqual(['Sale', 'z', 'new'])
  await portal.edits(ids[1]!, { tags: ['mine'] })
  await portal.edits(ids[2]!, { title: 'Of today' })
  const untagged = await ended(operator, (await undoes(operator, tagged)).body)
  expect(untagged).toMatchObject({ changed: 230, refused: 1 })
  expect(untagged.refusals).toMatchObject([{ assetId: ids[1], code: 'changed-meanwhile' }])
  const tagsOf = async (id: string) => (await operator.reads(id)).body.tags
  expect(await Promise.all([0, 1, 2].map((at) => tagsOf(ids[at]!)))).toEqual([
    ['Sale', 'z'],
    ['mine'],
    ['b', 'a'],
  ])
  // An undo can be taken back, too.
  const again = await ended(operator, (await undoes(operator, untagged)).body)
  expect(again).toMatchObject({ changed: 230, undoes: untagged.batchId })
  expect(await tagsOf(ids[2]!)).toEqual(['b', 'a', 'sale', 'new'])

  // Until when they may be used, and how they came about.
  const end = '2031-01-01T00:00:00.000Z'
  const limited = await ended(
    operator,
    await starts(operator, { search, action: 'rights', rightsExpireAt: end }),
  )
  expect(limited).toMatchObject({ changed: 231, action: 'rights' })
  await portal.edits(ids[1]!, { rightsExpireAt: null })
  await portal.edits(ids[2]!, { provenance: 'camera' })
  const stock = { search, action: 'provenance', provenance: 'stock' }
  const said = await ended(operator, await starts(operator, stock))
  expect((await operator.reads(ids[2]!)).body).toMatchObject({ provenance: 'stock', rightsExpireAt: end })
  expect(await ended(operator, (await undoes(operator, limited)).body)).toMatchObject({
    ...{ changed: 230, refused: 1 },
    refusals: [{ assetId: ids[1], code: 'changed-meanwhile' }],
  })
  expect(await ended(operator, (await undoes(operator, said)).body)).toMatchObject({ changed: 231 })
  const after = await Promise.all([0, 1, 2].map(async (at) => (await operator.reads(ids[at]!)).body))
  expect(after).toMatchObject([
    { provenance: 'unknown', rightsExpireAt: null },
    { provenance: 'unknown', rightsExpireAt: null },
    { provenance: 'camera', rightsExpireAt: null },
  ])

  // Each of these is kept in the name of whoever asked.
  const trail = await w.parts.db
    .selectFrom('audit_trail')
    .select(['action', 'principal_id'])
    .where('thing', '=', ids[3]!)
    .execute()
  expect(trail.length).toBeGreaterThan(4)
  for (const entry of trail) expect([operator.id, portal.id]).toContain(entry.principal_id)

  // A folder that is gone is where nothing returns to.
  const out = await ended(operator, await starts(operator, { search, action: 'move', folderId: null }))
  await operator.deletesFolder(folderId)
  const stuck = await ended(operator, (await undoes(operator, out)).body)
  expect(stuck).toMatchObject({ changed: 0, refused: 231 })
  expect(stuck.refusals).toHaveLength(100)
  expect(stuck.refusals[0]).toMatchObject({ code: 'not-found' })

  const { body: page } = await operator.get(`${operator.door.assets}/batches?limit=2`)
  expect(page.batches.map(({ batchId }: BatchJob) => batchId)).toEqual([stuck.batchId, out.batchId])
  expect(page.nextCursor).not.toBeNull()
  expect((await operator.get(`${operator.door.assets}/batches?open=true`)).body.batches).toEqual([])
  // A colleague can look at it and stop it; their own are others.
  const colleague = w.admin.at(operator.door)
  expect(await asks(colleague, out.batchId)).toEqual(await asks(operator, out.batchId))
  expect((await colleague.get(`${colleague.door.assets}/batches`)).body.batches).toEqual([])
  await w.parts.db
    .updateTable('batches')
    .set({ ended_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('id', '=', moved.batchId)
    .execute()
  await forgetOldBatches(w.parts.db)
  expect((await portal.get(`${portal.door.assets}/batches/${moved.batchId}`)).status).toBe(404)
})

test.each([{ mimeType: '' }, { tag: [] }])(
  'a search with %j, which names nothing, changes nothing',
  async (filter) => {
    const { operator } = await w.newClient()
    const { assetId } = await operator.uploads()
    const search = { everywhere: true, ...filter }
    expect(await operator.post(`${operator.door.assets}/batches`, { search, action: 'trash' })).toEqual(
      refusal('invalid-request'),
    )
    expect((await operator.get(`${operator.door.assets}/${assetId}`)).body.trashedAt).toBeNull()
  },
)

test.each(['-', '"', '- ""', '\u202e', '\u0301'])('a search of %j for no word changes nothing', async (q) => {
  const { operator } = await w.newClient()
  const { assetId } = await operator.uploads()
  const asked = { search: { q, everywhere: true }, action: 'trash' }
  expect(await operator.post(`${operator.door.assets}/batches`, asked)).toEqual(refusal('invalid-request'))
  expect((await operator.reads(assetId)).body.trashedAt).toBeNull()
})

test('what a batch has restored goes back to the trash as it lay there, unless somebody has gone on with it', async () => {
  const { operator } = await w.newClient()
  const { folderId } = await operator.makesFolder('Menus')
  const { folderId: below } = await operator.makesFolder('Winter', folderId)
  const { folderId: other } = await operator.makesFolder('Other')
  const upload = async (where: string) =>
    (await operator.uploads(undefined, { session: { folderId: where } })).assetId
  const [soup, stew, alone, moved] = [
    await upload(folderId),
    await upload(below),
    await upload(folderId),
    await upload(below),
  ]
  const reads = async (...ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { body } = await operator.reads(id)
        return { folderId: body.folderId, trashedAt: body.trashedAt }
      }),
    )
  await operator.trashes(alone)
  await operator.deletesFolder(folderId)
  const before = await reads(soup, stew, alone)
  const restored = await ended(
    operator,
    await starts(operator, { search: { trashed: true, everywhere: true }, action: 'restore' }),
  )
  expect(restored).toMatchObject({ changed: 4 })
  await operator.edits(moved, { folderId: other })
  const undone = await ended(operator, (await undoes(operator, restored)).body)
  expect(undone).toMatchObject({ changed: 3, refused: 1 })
  expect(undone.refusals).toMatchObject([{ assetId: moved, code: 'changed-meanwhile' }])
  expect(await reads(soup, stew, alone)).toEqual(before)
  expect(await count(operator, { trashed: true, folderId })).toBe(1)

  // Once the folder is back, what was restored from it goes to the trash by itself, and comes back into it.
  const again = await ended(operator, (await undoes(operator, undone)).body)
  expect(again).toMatchObject({ changed: 3 })
  await operator.post(`${operator.door.assets}/folders/restore`, { folderId })
  expect(await ended(operator, (await undoes(operator, again)).body)).toMatchObject({
    changed: 3,
    refused: 0,
  })
  expect(await count(operator, { trashed: true })).toBe(3)
  await operator.restores(stew)
  expect(await reads(stew)).toEqual([{ folderId: below, trashedAt: null }])

  // Of batches from before, it is not known how it lay there.
  const old = await ended(operator, await starts(operator, { search: { trashed: true }, action: 'restore' }))
  await sql`update batch_chunks set changed = (select jsonb_agg(each - 'lay') from jsonb_array_elements(changed) as each)
    where batch_id = ${old.batchId}`.execute(w.parts.db)
  expect(await ended(operator, (await undoes(operator, old)).body)).toMatchObject({ changed: 2, refused: 0 })
  expect(await count(operator, { trashed: true })).toBe(2)
})

test('what a batch has put in the trash stays there once its folder is there, too', async () => {
  const { operator } = await w.newClient()
  const [{ folderId }, { folderId: other }] = [
    await operator.makesFolder('Menus'),
    await operator.makesFolder('Other'),
  ]
  const upload = async (session: object) => (await operator.uploads(undefined, { session })).assetId
  const [soup, stew, top] = [await upload({ folderId }), await upload({ folderId: other }), await upload({})]
  const search = { everywhere: true }
  const trashed = await ended(operator, await starts(operator, { search, action: 'trash' }))
  expect(trashed).toMatchObject({ changed: 3 })
  await operator.deletesFolder(folderId)
  const back = await ended(operator, (await undoes(operator, trashed)).body)
  expect(back).toMatchObject({ changed: 2, refused: 1 })
  expect(back.refusals).toMatchObject([
    { assetId: soup, code: 'not-found', detail: expect.stringContaining('folder') },
  ])
  const placeOf = async (id: string) => {
    const { body } = await operator.reads(id)
    return [body.folderId, body.trashedAt !== null]
  }
  expect(await Promise.all([soup, stew, top].map(placeOf))).toEqual([
    [folderId, true],
    [other, false],
    [null, false],
  ])
})

test('what others do is read, stopped and taken back only by those who may do it', async () => {
  const { clientId, operator, portal, agent } = await still.newClient()
  await plants(still, clientId, 1)
  const at = (person: Person, { batchId }: BatchJob, below = '') =>
    `${person.door.assets}/batches/${batchId}${below}`
  const trashing = await starts(operator, { search: {}, action: 'trash' })
  for (const answer of [
    await agent.get(at(agent, trashing)),
    await agent.post(at(agent, trashing, '/cancel')),
    await undoes(agent, trashing),
  ])
    expect(answer).toEqual(refusal('forbidden'))
  expect(await asks(portal, trashing.batchId)).toMatchObject({ state: 'running' })
  const stopped = await portal.post(at(portal, trashing, '/cancel'))
  expect(stopped).toMatchObject({ status: 200, body: { state: 'cancelled' } })

  const tagging = await starts(agent, { search: {}, action: 'tag', tags: ['x'] })
  expect((await agent.get(at(agent, tagging))).status).toBe(200)
  expect((await operator.post(at(operator, tagging, '/cancel'))).status).toBe(200)
})

test('a batch is done once however often its job runs, lets others go between, and ends where somebody stops it or may no longer', async () => {
  const { clientId, operator, viewer } = await still.newClient()
  const ids = await plants(still, clientId, 2250)
  const runs = (batchId: string) => jobHandlers(still.parts).batch({ clientId, batchId }, { last: false })
  const { db } = still.parts
  const waiting = async () =>
    (
      await sql`select from jobs.job where name = 'batch' and state < 'active' and data ->> 'clientId' = ${clientId}`.execute(
        db,
      )
    ).rows.length

  const { batchId } = await starts(operator, { search: {}, action: 'surfaces', addSurfaces: ['gbp'] })
  expect(await waiting()).toBe(1)
  await Promise.all([runs(batchId), runs(batchId)])
  expect(await asks(operator, batchId)).toMatchObject({ state: 'done', done: 2250, changed: 2250 })
  const { rows } = await sql<{
    revision: number
    assets: number
  }>`select revision, count(*)::integer as assets
    from assets where client_id = ${clientId} group by 1`.execute(db)
  expect(rows).toEqual([{ revision: 2, assets: 2250 }])

  // After some two thousand it queues again, so that others come in between; then somebody stops it.
  const second = await starts(operator, { search: {}, action: 'tag', tags: ['half'] })
  await sql`delete from jobs.job where name = 'batch'`.execute(db)
  expect(await requeueLost(still.parts)).toBeGreaterThan(0)
  await sql`delete from jobs.job where name = 'batch'`.execute(db)
  await runs(second.batchId)
  expect(await asks(operator, second.batchId)).toMatchObject({ state: 'running', done: 2000 })
  expect(await waiting()).toBe(1)
  expect(await undoes(operator, second)).toEqual(refusal('batch-running'))
  const { body: stopped } = await operator.post(`${operator.door.assets}/batches/${second.batchId}/cancel`)
  expect(stopped).toMatchObject({ state: 'cancelled', done: 2000, endedAt: expect.any(String) })
  await runs(second.batchId)
  expect(await count(operator, { tag: 'half' })).toBe(2000)
  const { body: undo } = await undoes(operator, second)
  expect(undo.total).toBe(2000)

  // Whoever asked may no longer.
  await still.admin.patch(`/admin/users/${operator.id}`, { role: 'viewer' })
  await runs(undo.batchId)
  expect(await count(viewer, { tag: 'half' })).toBe(2000)
  expect(
    await db.selectFrom('batches').select('state').where('id', '=', undo.batchId).executeTakeFirst(),
  ).toEqual({ state: 'cancelled' })
  await still.admin.patch(`/admin/users/${operator.id}`, { role: 'operator' })

  for (const body of [
    { search: {}, action: 'tag' },
    { search: {}, action: 'move' },
    { search: {}, action: 'surfaces' },
    { action: 'trash' },
    { assetIds: [ids[0]], action: 'trash' },
  ])
    expect((await operator.post(`${operator.door.assets}/batches`, body)).body.code).toBe('invalid-request')
  expect((await starts(operator, { search: { q: 'nobody' }, action: 'trash' })).state).toBe('done')
  for (let i = 0; i < 10; i++) await starts(operator, { search: {}, action: 'untag', tags: ['x'] })
  const more = await operator.post(`${operator.door.assets}/batches`, { search: {}, action: 'trash' })
  expect(more).toEqual(refusal('rate-limited'))
})
