import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Activity } from '../contract/activity.ts'
import type { Asset } from '../contract/assets.ts'
import { type Comment, mostReviewsCounted, type Review } from '../contract/review.ts'
import type { Reader } from '../server/db/database.ts'
import { newId } from '../server/ids.ts'
import { makeLibrary, system } from '../server/library.ts'
import { makeMedia } from '../server/previews/make-media.ts'
import { approvalsSection } from '../server/review/portable.ts'
import { listReviews } from '../server/review/reviews.ts'
import type { MovedIds } from '../server/section.ts'
import { addChecksums } from '../server/uploads/checksum.ts'
import type { Person } from './person.ts'
import { aFilm, filmSession, png } from './pictures.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world()

const at = (person: Person, { assetId }: { assetId: string }) => `${person.door.assets}/${assetId}`
const reviewsAt = (person: Person) => person.door.assets.replace(/assets$/, 'reviews')
const decides = (person: Person, asset: Asset, version: number, decision: string, note?: string) =>
  person.put(`${at(person, asset)}/approval`, { version, decision, ...(note && { note }) })
const asks = (person: Person, assetIds: string[], note?: string) =>
  person.post(reviewsAt(person), { assetIds, ...(note && { note }) })
const says = (person: Person, asset: Asset, comment: object) =>
  person.post(`${at(person, asset)}/comments`, comment)
const approvalOf = async (person: Person, { assetId }: Asset) => (await person.reads(assetId)).body.approval
const waitsFor = async (person: Person): Promise<Review[]> =>
  (await person.get(`${reviewsAt(person)}?mine=true`)).body.reviews
const replaces = (person: Person, { assetId }: Asset) =>
  person.uploads(png(7, 5), { session: { replacesAssetId: assetId } })

const told = async (clientId: string, kinds: string[]) =>
  (
    await w.parts.db
      .selectFrom('events')
      .select(['type', 'actor', 'data'])
      .where('client_id', '=', clientId)
      .orderBy('id')
      .execute()
  ).filter(({ type }) => kinds.includes(type.split('.')[0]!))

test('a version is asked about, refused, replaced and approved, and each keeps what was said of it', async () => {
  const { operator, portal, viewer, agent, clientId } = await w.newClient()
  const asset = await operator.uploads(png())
  const other = await operator.uploads(png(4, 4))
  expect(asset.approval).toBe('none')
  expect(await waitsFor(portal)).toEqual([])

  // All of them, or nobody is asked.
  for (const assetIds of [[asset.assetId, newId('asset')], ['odd'], [(await anothers()).assetId]])
    expect(await asks(agent, assetIds)).toEqual(refusal('not-found'))
  expect((await asks(agent, [asset.assetId], ' For \u202ethe\u202c menu ')).body).toEqual({
    assetIds: [asset.assetId],
  })
  expect((await asks(agent, [asset.assetId])).body).toEqual({ assetIds: [] })
  expect(await waitsFor(portal)).toMatchObject([
    {
      asset: { assetId: asset.assetId, approval: 'pending' },
      approval: { state: 'pending', note: 'For the menu', by: { kind: 'key', id: agent.id } },
      openThreads: 0,
      mentioned: false,
    },
  ])
  expect(await waitsFor(viewer)).toEqual([])

  for (const person of [viewer, agent])
    expect(await decides(person, asset, 1, 'approved')).toEqual(refusal('forbidden'))
  expect(await decides(portal, asset, 2, 'approved')).toEqual(refusal('not-found'))
  const refused = await decides(portal, asset, 1, 'changes-requested', 'Too dark')
  expect(refused.body).toMatchObject({
    version: 1,
    approval: {
      state: 'changes-requested',
      by: { kind: 'user', id: portal.id, name: 'client' },
      note: 'Too dark',
    },
    asset: { approval: 'changes-requested' },
  })
  expect(await waitsFor(portal)).toEqual([])

  const second = await replaces(operator, asset)
  expect([second.version, second.approval]).toEqual([2, 'pending'])
  // Somebody who still looks at the old file decides on that one.
  await decides(portal, asset, 1, 'approved')
  expect(await approvalOf(operator, asset)).toBe('pending')
  await decides(operator, asset, 2, 'approved')
  await decides(operator, asset, 2, 'approved')
  expect((await operator.lists({ approval: 'approved' })).body.assets).toMatchObject([
    { assetId: asset.assetId },
  ])
  expect((await operator.lists({ approval: 'none' })).body.assets).toMatchObject([{ assetId: other.assetId }])

  const third = await replaces(operator, asset)
  expect(third.approval).toBe('pending')
  const versions = async () =>
    (await portal.get(`${at(portal, asset)}/versions`)).body.versions.map(
      ({ approval }: { approval: { state: string } }) => approval.state,
    )
  expect(await versions()).toEqual(['pending', 'approved', 'approved'])
  const back = await operator.post(`${at(operator, asset)}/versions/2/restore`)
  expect(back.body).toMatchObject({ version: 4, approval: 'approved' })
  await decides(portal, asset, 4, 'pending')
  expect(await versions()).toEqual(['pending', 'pending', 'approved', 'approved'])

  // What was said before is still to be read by whoever sees the asset, each with its version.
  const earlier = await viewer.get(
    `${viewer.door.assets.replace(/assets$/, 'activity')}?thing=${asset.assetId}&action=review`,
  )
  expect(
    earlier.body.activity.map(({ action, decision }: Activity) => [
      action,
      decision?.version,
      decision?.note,
    ]),
  ).toEqual([
    ['review.withdrawn', 4, ''],
    ['review.requested', 3, ''],
    ['review.approved', 2, ''],
    ['review.approved', 1, ''],
    ['review.requested', 2, ''],
    ['review.changes-requested', 1, 'Too dark'],
    ['review.requested', 1, 'For the menu'],
  ])

  // What nobody was asked about is asked about when it comes back into a review.
  await replaces(operator, other)
  await asks(operator, [other.assetId])
  expect((await operator.post(`${at(operator, other)}/versions/1/restore`)).body.approval).toBe('pending')

  await operator.trashes(asset.assetId)
  expect(await decides(portal, asset, 4, 'approved')).toEqual(refusal('not-found'))
  expect((await told(clientId, ['review'])).map(({ type, actor }) => [type, actor])).toEqual([
    ['review.requested', agent.id],
    ['review.changes-requested', portal.id],
    ['review.requested', operator.id],
    ['review.approved', portal.id],
    ['review.approved', operator.id],
    ['review.requested', operator.id],
    ['review.withdrawn', portal.id],
    ['review.requested', operator.id],
    ['review.requested', operator.id],
  ])
})

test('nobody decides over what somebody else has said since they looked', async () => {
  const { operator, portal } = await w.newClient()
  const asset = await operator.uploads(png())
  await asks(operator, [asset.assetId])
  const decidesOn = (person: Person, seen: string, decision: string, note?: string) =>
    person.put(`${at(person, asset)}/approval`, { version: 1, decision, seen, ...(note && { note }) })
  expect((await decidesOn(portal, 'pending', 'changes-requested', 'Too dark')).status).toBe(200)
  for (const seen of ['pending', 'none', 'approved'])
    for (const decision of ['approved', 'changes-requested'])
      expect(await decidesOn(operator, seen, decision)).toEqual(refusal('changed-meanwhile'))
  expect(await approvalOf(operator, asset)).toBe('changes-requested')
  // Whoever repeats a decision whose answer was lost is told that it holds.
  expect((await decidesOn(portal, 'pending', 'changes-requested', 'Too dark')).status).toBe(200)
  expect((await decidesOn(operator, 'changes-requested', 'approved')).status).toBe(200)
  expect(await decidesOn(portal, 'odd', 'approved')).toEqual(refusal('invalid-request'))
  expect(await approvalOf(operator, asset)).toBe('approved')
})

test('many are decided on at once, each in the version and the state that was looked at', async () => {
  const { operator, portal, viewer, clientId } = await w.newClient()
  const [fine, decided, replaced, trashed, said] = await Promise.all(
    Array.from({ length: 5 }, (_, n) => operator.uploads(png(4, n + 3))),
  )
  const all = [fine!, decided!, replaced!, trashed!, said!]
  await asks(
    operator,
    all.map(({ assetId }) => assetId),
  )
  await decides(operator, decided!, 1, 'changes-requested', 'Too dark')
  await decides(portal, said!, 1, 'approved')
  await replaces(operator, replaced!)
  await operator.trashes(trashed!.assetId)
  const stranger = await anothers()
  const lookedAt = [...all, stranger].map(({ assetId }) => ({ assetId, version: 1, seen: 'pending' }))
  const decide = (person: Person, body: object, key?: string) =>
    person.post(`${reviewsAt(person)}/decide`, body, key ? { 'idempotency-key': key } : {})

  const body = { assets: [...lookedAt, { ...lookedAt[0], version: 1 }], decision: 'approved' }
  const { body: first } = await decide(portal, body, 'once')
  expect(
    first.results.map(({ ok, problem }: { ok: boolean; problem?: { code: string } }) =>
      ok ? 'ok' : problem!.code,
    ),
  ).toEqual([...['ok', 'changed-meanwhile', 'ok', 'not-found', 'ok', 'not-found']])
  expect(first.results[0].asset).toMatchObject({ assetId: fine!.assetId, approval: 'approved' })
  expect(await approvalOf(operator, decided!)).toBe('changes-requested')
  expect(await approvalOf(operator, replaced!), 'the version that nobody has looked at').toBe('pending')
  const { body: kept } = await operator.get(`${at(operator, replaced!)}/versions`)
  expect(kept.versions.map(({ approval }: { approval: { state: string } }) => approval.state)).toEqual([
    ...['pending', 'approved'],
  ])

  // Sent again, it is said once; and only by those who may.
  expect((await decide(portal, body, 'once')).body).toEqual(first)
  const approvals = (await told(clientId, ['review'])).filter(({ type }) => type === 'review.approved')
  expect(approvals).toHaveLength(3)
  expect(await decide(viewer, body)).toEqual(refusal('forbidden'))
  for (const odd of [
    { assets: [], decision: 'approved' },
    { assets: [{ assetId: fine!.assetId }], decision: 'approved' },
    { assets: [{ assetId: 'x', version: 1 }], decision: 'fine' },
  ])
    expect(await decide(portal, odd)).toEqual(refusal('invalid-request'))
})

const anothers = async () => (await w.newClient()).operator.uploads()

test('people speak of a place, answer, are mentioned, and resolve', async () => {
  const { operator, portal, viewer, clientId } = await w.newClient()
  const stranger = await w.newClient()
  const asset = await operator.uploads(png())
  const pin = { x: 0.25, y: 1 }
  const first = await says(operator, asset, {
    text: '  Brighter, \u2067@client?\u2069 ',
    pin,
    mentions: [portal.id],
  })
  expect(first).toMatchObject({
    status: 201,
    body: {
      version: 1,
      threadId: null,
      text: 'Brighter, @client?',
      pin,
      timeMs: null,
      mentions: [{ userId: portal.id, name: 'client' }],
      author: { kind: 'user', id: operator.id, name: 'operator' },
      isOwn: true,
    },
  })
  expect(await waitsFor(portal)).toMatchObject([{ mentioned: true, openThreads: 1 }])
  expect(await waitsFor(operator)).toEqual([])

  const { commentId } = first.body as Comment
  const answer = await says(portal, asset, { text: 'Yes', threadId: commentId })
  expect(await waitsFor(portal)).toEqual([])
  // One level deep: who answers an answer answers its thread.
  const more = await says(operator, asset, {
    text: 'And @client?',
    threadId: answer.body.commentId,
    mentions: [portal.id],
  })
  expect(more.body).toMatchObject({ threadId: commentId })
  expect(await waitsFor(portal)).toMatchObject([{ mentioned: true }])

  for (const [bad, code] of [
    [{ text: 'x', threadId: commentId, pin }, 'invalid-request'],
    [{ text: 'x', timeMs: 0 }, 'invalid-request'],
    [{ text: 'x', pin: { x: 1.1, y: 0 } }, 'invalid-request'],
    [{ text: ' \u200b ' }, 'invalid-request'],
    [{ text: 'x', version: 2 }, 'not-found'],
    [{ text: 'x', threadId: newId('comment') }, 'not-found'],
    // Who exists elsewhere is not told.
    [{ text: 'x', mentions: [stranger.operator.id] }, 'not-found'],
    [{ text: 'x', mentions: [newId('user')] }, 'not-found'],
  ] as const)
    expect(await says(operator, asset, bad), JSON.stringify(bad)).toEqual(refusal(code))
  const foreign = await says(stranger.operator, await stranger.operator.uploads(), { text: 'x' })
  expect(await says(operator, asset, { text: 'x', threadId: foreign.body.commentId })).toEqual(
    refusal('not-found'),
  )

  const people = async (person: Person, q = '') =>
    (await person.get(`${reviewsAt(person)}/people?q=${q}`)).body.people.map(
      ({ userId }: { userId: string }) => userId,
    )
  expect(await people(operator, 'CLIE')).toEqual([portal.id])
  expect(await people(operator)).toEqual(expect.arrayContaining([operator.id, viewer.id, portal.id]))
  expect(await people(operator)).not.toContain(stranger.operator.id)
  // Of the agency the client's people know whoever has spoken to them.
  expect(await people(portal)).toEqual([portal.id, operator.id])
  expect(await says(portal, asset, { text: 'x', mentions: [viewer.id] })).toEqual(refusal('not-found'))

  const of = (person: Person, id = commentId) => `${at(person, asset)}/comments/${id}`
  expect(await portal.patch(of(portal), { text: 'Mine' })).toEqual(refusal('forbidden'))
  expect(await portal.delete(of(portal))).toEqual(refusal('forbidden'))
  expect(await viewer.patch(of(viewer), { resolved: true })).toEqual(refusal('forbidden'))
  expect(await portal.patch(of(portal, answer.body.commentId), { resolved: true })).toEqual(
    refusal('invalid-request'),
  )
  expect((await operator.patch(of(operator), { text: 'Darker' })).body).toMatchObject({
    text: 'Darker',
    editedAt: expect.any(String),
  })
  const resolved = await portal.patch(of(portal), { resolved: true })
  expect(resolved.body).toMatchObject({ resolvedBy: { id: portal.id }, resolvedAt: expect.any(String) })
  expect(await waitsFor(portal)).toEqual([])
  expect((await portal.patch(of(portal), { resolved: false })).body.resolvedAt).toBeNull()

  const list = (await viewer.get(`${at(viewer, asset)}/comments?limit=2`)).body
  const rest = (await viewer.get(`${at(viewer, asset)}/comments?limit=2&cursor=${list.nextCursor}`)).body
  expect([...list.comments, ...rest.comments].map(({ text }) => text)).toEqual([
    'And @client?',
    'Yes',
    'Darker',
  ])
  await replaces(operator, asset)
  expect((await viewer.get(`${at(viewer, asset)}/comments?version=2`)).body.comments).toEqual([])
  expect((await operator.delete(of(operator))).status).toBe(204)
  expect((await viewer.get(`${at(viewer, asset)}/comments`)).body.comments).toEqual([])

  const events = await told(clientId, ['comment'])
  expect(events.map(({ type }) => type.split('.')[1])).toEqual([
    ...['created', 'created', 'created', 'updated', 'updated', 'updated', 'deleted'],
  ])
  expect(JSON.stringify(events)).not.toContain('Darker')
  expect((await w.admin.get(`/admin/clients/${clientId}/audit?action=comment`)).body.entries).toHaveLength(7)

  const film = await operator.uploads(await aFilm(), filmSession)
  const moment = await says(portal, film, { text: 'Cut here', timeMs: 500, pin })
  expect(moment.body).toMatchObject({ timeMs: 500, pin })
  expect(await says(portal, film, { text: 'Late', timeMs: 3_600_000 })).toEqual(refusal('invalid-request'))
})

test('where only what is approved may be used, every door refuses the rest', async () => {
  const client = await w.newClient()
  const { operator, agent, portal, clientId } = client
  const asset = await operator.uploads(png(1080, 1080), { words: { title: 'Harbour' } })
  const base = `/admin/clients/${clientId}`
  const sets = (approvedOnlySurfaces: string[]) => w.admin.patch(base, { approvedOnlySurfaces })
  const resolves = async (surface: string, assetRef = asset.assetRef) =>
    (await agent.post(`${base}/asset-refs/resolve`, { assetRefs: [assetRef], surface })).body.results[0]
  const grants = () =>
    agent.post(`${base}/pull-grants`, { assetRef: asset.assetRef, surface: 'social', target: 'instagram' })
  const uses = (status: string) =>
    agent.put(`${base}/uses/social-post/p-1`, { assetRefs: [asset.assetRef], status })
  const rendition = () => agent.fetch(`${at(agent, asset)}/rendition?target=instagram`)
  const fits = async () =>
    (await operator.get(`${at(operator, asset)}/fit`)).body.fits.find(
      ({ target }: { target: string }) => target === 'instagram',
    )

  const before = await grants()
  expect((await fetch(before.body.url)).status).toBe(200)
  expect(await operator.patch(base, { approvedOnlySurfaces: [] })).toEqual(refusal('forbidden'))
  expect((await sets(['social'])).body.approvedOnlySurfaces).toEqual(['social'])
  // It waits for an answer although nobody has asked for one.
  expect(await waitsFor(portal)).toMatchObject([{ asset: { approval: 'none' } }])

  const notApproved = refusal('refs-not-allowed', {
    refusals: [expect.objectContaining({ code: 'not-approved', fix: expect.stringContaining('reviews') })],
  })
  const isRefused = async (fix: string) => {
    expect(await resolves('social')).toMatchObject({
      ok: false,
      code: 'not-approved',
      fix: expect.stringContaining(fix),
    })
    expect(await grants()).toMatchObject({ status: 422, body: { refusals: [{ code: 'not-approved' }] } })
    expect((await fetch(before.body.url)).status).toBe(404)
    expect(await uses('scheduled')).toMatchObject({
      status: 422,
      body: { refusals: [{ code: 'not-approved' }] },
    })
    expect((await rendition()).status).toBe(422)
    expect(await fits()).toMatchObject({ verdict: 'refused', why: [{ code: 'not-approved' }] })
    const set = { assetRefs: [asset.assetRef], surface: 'social', target: 'instagram' }
    const plan = (await agent.post(`${base}/asset-refs/plan`, set)).body
    expect(JSON.stringify(plan)).toContain('not-approved')
  }
  await isRefused('ask people to approve')
  expect(await grants()).toEqual(notApproved)
  expect(await resolves('website')).toMatchObject({ ok: true })
  await asks(agent, [asset.assetId])
  await isRefused('wait until')
  await decides(portal, asset, 1, 'changes-requested', 'Too dark')
  await isRefused('have the file replaced')
  expect(await resolves('social')).toMatchObject({ reviewNote: 'Too dark' })
  for (const refused of [await grants(), await uses('scheduled')]) {
    const [{ detail, fix }] = refused.body.refusals
    expect(refused.body.refusals).toMatchObject([{ reviewNote: 'Too dark' }])
    const sentences = [detail, fix, refused.body.detail, JSON.stringify(refused.body.errors ?? [])]
    expect(sentences.join(), 'nobody else’s words').not.toContain('Too dark')
  }

  await decides(portal, asset, 1, 'approved')
  expect(await resolves('social')).toMatchObject({ ok: true })
  expect((await fetch(before.body.url)).status).toBe(200)
  expect([(await grants()).status, (await rendition()).status, (await uses('scheduled')).status]).toEqual([
    201, 200, 201,
  ])
  expect((await fits()).verdict).not.toBe('refused')

  // The new file has to be approved; the old one, pinned, still is.
  await replaces(operator, asset)
  expect(await resolves('social')).toMatchObject({ ok: false, code: 'not-approved' })
  expect(await resolves('social', `${asset.assetId}@1`)).toMatchObject({ ok: true })
  // A use that has ended is not kept from saying so.
  expect((await uses('done')).status).toBe(200)
  await sets([])
  expect(await resolves('social')).toMatchObject({ ok: true })
})

test('what an agent changes of an approved file is asked about again, and it finds only what it may use', async () => {
  const { operator, agent, portal, clientId } = await w.newClient()
  const [asset, other, plain] = [
    await operator.uploads(png(40, 30)),
    await operator.uploads(png(41, 30)),
    await operator.uploads(png(42, 30)),
  ]
  await w.admin.patch(`/admin/clients/${clientId}`, { approvedOnlySurfaces: ['social'] })
  const finds = async (person: Person, query: object) =>
    (await person.lists({ everywhere: true, ...query })).body.assets.map((one: Asset) => one.assetId)
  expect(await finds(agent, { surface: 'social' })).toEqual([])
  for (const one of [asset, other]) await decides(portal, one, 1, 'approved')

  // People look for what they have yet to mend, agents for what they can use.
  const all = [plain, other, asset].map(({ assetId }) => assetId)
  const both = [other.assetId, asset.assetId]
  expect(await finds(agent, { surface: 'social', count: true })).toEqual(both)
  expect(await finds(operator, { surface: 'social' })).toEqual(all)
  expect(await finds(agent, { surface: 'website' })).toEqual(all)
  expect(await finds(agent, {})).toEqual(all)
  expect(await finds(agent, { surface: 'social', approval: 'none' })).toEqual([plain.assetId])
  await operator.edits(plain.assetId, { provenance: 'generated' })
  expect(await finds(agent, { surface: 'gbp' })).toEqual(both)
  await operator.edits(plain.assetId, { rightsExpireAt: new Date(0).toISOString() })
  expect(await finds(agent, { surface: 'website' })).toEqual(both)

  // Words are no matter of the picture, and neither is what was so already or what a person does.
  const focalPoint = { x: 0.1, y: 0.2 }
  expect((await operator.edits(asset.assetId, { focalPoint })).body.approval).toBe('approved')
  for (const change of [{ altText: 'Boats' }, { focalPoint }, { allowedSurfaces: [] }])
    expect((await agent.edits(asset.assetId, change)).body.approval, JSON.stringify(change)).toBe('approved')
  for (const change of [
    { focalPoint: { x: 0.9, y: 0.2 } },
    { crops: { '1:1': { x: 0, y: 0, width: 0.75, height: 1 } } },
    { allowedSurfaces: ['social'] },
    { rightsExpireAt: '2126-01-01T00:00:00.000Z' },
    { provenance: 'camera' },
  ]) {
    expect((await agent.edits(asset.assetId, change)).body.approval, JSON.stringify(change)).toBe('pending')
    expect((await waitsFor(portal))[0]).toMatchObject({
      asset: { assetId: asset.assetId },
      approval: { state: 'pending', by: { id: agent.id } },
    })
    expect(await finds(agent, { surface: 'social' })).toEqual([other.assetId])
    await decides(portal, asset, 1, 'approved')
  }
  const batch = {
    assetIds: [asset.assetId, other.assetId],
    action: 'surfaces',
    addSurfaces: ['social', 'gbp'],
  }
  const { body } = await agent.post(`${agent.door.assets}/batch`, batch)
  expect(body.results.map((one: { asset: Asset }) => one.asset.approval)).toEqual(['pending', 'pending'])
  expect((await told(clientId, ['review'])).slice(-2)).toMatchObject([
    { type: 'review.requested', actor: agent.id },
    { type: 'review.requested', actor: agent.id },
  ])
})

const keepsIds: MovedIds = {
  settle: async () => {},
  call: () => {},
  came: () => true,
  of: (id) => id,
  refOf: (assetRef) => assetRef,
}

const meanwhile = {
  'its previews are made': (it: VersionOne) => makeMedia(w.parts, it, { last: true }),
  'its checksums are added': async (it: VersionOne) => {
    await w.parts.db
      .updateTable('asset_versions')
      .set({ sha256: null })
      .where('asset_id', '=', it.assetId)
      .execute()
    await addChecksums(w.parts, it, { last: true })
  },
  'an approval of it moves in': ({ clientId, assetId }: VersionOne) =>
    approvalsSection.read(
      makeLibrary(w.parts, clientId, system),
      [
        {
          assetRef: `${assetId}@1`,
          approval: 'changes-requested',
          by: null,
          at: null,
          note: 'Long ago',
        },
      ],
      keepsIds,
    ),
}
interface VersionOne {
  clientId: string
  assetId: string
  version: number
}

test.for(Object.entries(meanwhile))(
  'a version is approved while %s, and neither waits for the other for ever',
  async ([, happens], { skip }) => {
    skip(process.env.TEST_WORLD !== 'postgres', 'the embedded database takes one transaction at a time')
    const { operator, portal, clientId } = await w.newClient()
    const asset = await operator.uploads(png())
    await expect
      .poll(async () => (await operator.reads(asset.assetId)).body.media.state, { timeout: 30_000 })
      .toBe('ready')

    // Both come while somebody else holds the asset, the approval first, and go on together.
    const holder = await w.parts.db.startTransaction().execute()
    try {
      const held = await sql<{ pid: number }>`select pg_backend_pid() as pid from assets
        where client_id = ${clientId} and id = ${asset.assetId} for update`.execute(holder)
      const behind = () => waitingFor(held.rows[0]!.pid)
      const approved = decides(portal, asset, 1, 'approved')
      await expect.poll(behind, { timeout: 30_000 }).toBe(1)
      const done = Promise.resolve(happens({ clientId, assetId: asset.assetId, version: 1 }))
      await expect.poll(behind, { timeout: 30_000 }).toBe(2)
      await holder.commit().execute()
      const [answer] = await Promise.all([approved, done])
      expect(answer).toMatchObject({ status: 200, body: { asset: { approval: 'approved' } } })
    } finally {
      if (!holder.isCommitted) await holder.rollback().execute()
    }
    expect(await approvalOf(operator, asset)).toBe('approved')
  },
)

/** How many wait for a connection, or for one that does. */
async function waitingFor(pid: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive waiting (pid) as (
      select ${pid}::integer
      union select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
    ) select count(*)::integer - 1 as count from waiting`.execute(w.parts.db)
  return rows[0]!.count
}

test('each asset in review is listed once, page by page, what was asked about or decided last first', async () => {
  const { operator, portal, viewer, clientId } = await w.newClient()
  const assets: Asset[] = []
  for (let n = 0; n < 10; n++) assets.push(await operator.uploads(png(2 + n, 3)))
  for (const n of [3, 6]) await operator.edits(assets[n]!.assetId, { allowedSurfaces: ['website'] })
  await w.admin.patch(`/admin/clients/${clientId}`, { approvedOnlySurfaces: ['social'] })
  for (const n of [5, 8, 9, 1]) await asks(operator, [assets[n]!.assetId])
  await decides(portal, assets[7]!, 1, 'approved')
  await decides(portal, assets[2]!, 1, 'changes-requested', 'Darker')
  for (const n of [2, 4, 4, 8]) await says(operator, assets[n]!, { text: 'See here' })
  for (const n of [2, 6, 7, 9, 9]) await says(operator, assets[n]!, { text: 'You', mentions: [portal.id] })
  for (const n of [2, 9]) await says(operator, assets[n]!, { text: 'And you', mentions: [viewer.id] })
  await says(portal, assets[9]!, { text: 'And you?', mentions: [operator.id] })
  await operator.trashes(assets[8]!.assetId)

  for (const [person, query, wanted] of [
    [operator, '', [2, 7, 1, 9, 5, 6, 4]],
    [portal, 'mine=true', [2, 7, 1, 9, 5, 6, 4, 0]],
    [operator, 'mine=true', [9, 4, 0]],
    [viewer, 'mine=true', [2, 9]],
    [portal, 'approval=pending', [1, 9, 5]],
    [portal, 'approval=none', [6, 4]],
    [portal, 'mine=true&approval=none', [6, 4, 0]],
    [portal, 'mine=true&approval=approved', [7]],
    [viewer, 'mine=true&approval=approved', []],
  ] as const) {
    for (const limit of [2, 3, 50]) {
      const listed: number[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body } = await person.get(
          `${reviewsAt(person)}?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
        )
        expect(body.total).toBe(wanted.length)
        listed.push(
          ...body.reviews.map(({ asset }: Review) => assets.findIndex((a) => a.assetId === asset.assetId)),
        )
        cursor = body.nextCursor
      }
      expect(listed, query).toEqual(wanted)
    }
  }
})

test('a page of reviews reads little of what was approved or spoken of', async () => {
  const { clientId } = await w.newClient()
  const { db } = w.parts
  await sql`insert into assets (client_id, id, title, original_filename, mime_type, size_bytes, details, created_by, approval)
    select ${clientId}, 'asset_' || n, 'Pier', 'p.png', 'image/png', 1, ${JSON.stringify(plainDetails)}::jsonb, 'tests',
      (array['none', 'approved', 'changes-requested', 'pending'])[1 + n % 4]
    from generate_series(1, 8000) n`.execute(db)
  await sql`insert into asset_versions (client_id, asset_id, version, upload_id, object_prefix, original_filename, mime_type,
      size_bytes, created_by, approval, approval_at)
    select client_id, id, 1, id, id, original_filename, mime_type, 1, 'tests', approval, now() from assets
    where client_id = ${clientId}`.execute(db)
  await sql`insert into comments (client_id, id, asset_id, version, words, created_by)
    select client_id, 'comment_' || id, id, 1, 'Here', 'tests' from assets where client_id = ${clientId}`.execute(
    db,
  )
  for (const table of ['assets', 'asset_versions', 'comments', 'listed_assets'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  for (const query of [{}, { approval: 'approved' }, { approval: 'none' }, { mine: true }] as const) {
    const { total, read } = await db.transaction().execute(async (trx) => {
      // As in a large library: one so small is read from its beginning to its end.
      await sql`set local enable_seqscan = off`.execute(trx)
      const caller = { ...system, permissions: new Set(['reviews:write'] as const) }
      const library = { ...makeLibrary(w.parts, clientId, caller), db: trx as never }
      const before = await rowsRead(trx)
      const { total } = await listReviews(library, { ...query, limit: 20 })
      return { total, read: (await rowsRead(trx)) - before }
    })
    expect(total).toBe(mostReviewsCounted)
    // Each with its version; there are twice as many in each state.
    expect(read, JSON.stringify(query)).toBeLessThan(2 * mostReviewsCounted + 400)
  }
})

/** Of assets, their files and comments, beside what an index tells by itself. */
async function rowsRead(trx: Reader): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read from pg_stat_xact_user_tables
    where relname in ('assets', 'asset_versions', 'comments')`.execute(trx)
  return rows[0]!.read
}
