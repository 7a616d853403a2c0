import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AssetVersions } from '../contract/assets.ts'
import type { AuditEntry } from '../contract/audit.ts'
import { faultsOf, libraryToCheck } from '../server/check/check.ts'
import { type Parts, system } from '../server/library.ts'
import { kept } from '../server/removal/client-tables.ts'
import { finishRemoval } from '../server/removal/finish-removal.ts'
import { removeClient } from '../server/removal/remove-client.ts'
import { requeueLost } from '../server/requeue.ts'
import { purgeTrash } from '../server/trash/purge.ts'
import { nextEvents } from './event-reader.ts'
import type { Person } from './person.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { thingsOf } from './things.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world()

test('what is deleted for good is gone: rows, quota, and every object of every version', async () => {
  const client = await w.newClient()
  const { operator, portal, viewer, agent } = client
  const assetId = await withVersions(client)
  const kept = await operator.uploads(png(9, 9))
  await isReady(operator, kept.assetId)
  const at = `${operator.door.assets}/${assetId}?permanently=true`
  expect(await operator.delete(at)).toEqual(refusal('not-trashed'))
  await operator.trashes(assetId)
  for (const [person, path] of [
    [portal, `${portal.door.assets}/${assetId}?permanently=true`],
    [viewer, at],
    [agent, at],
  ] as const)
    expect(await person.delete(path)).toEqual(refusal('forbidden'))
  expect((await objectsOf(client, assetId)).length).toBeGreaterThan(2)

  expect(await operator.delete(at)).toMatchObject({ status: 200, body: { assetId } })
  expect(await stored(client)).toBe(png(9, 9).length)
  expect(await operator.delete(at)).toEqual(refusal('not-found'))
  expect((await operator.reads(assetId)).status).toBe(404)
  await expect.poll(() => objectsOf(client, assetId)).toEqual([])
  expect((await objectsOf(client, kept.assetId)).length).toBeGreaterThan(1)
  await isWhole(client)
})

test('the trash is emptied at once, a folder of it or all, and keeps what is held', async () => {
  const client = await w.newClient()
  const { operator, portal, agent } = client
  const { folderId } = await operator.makesFolder('Old menus')
  const { folderId: heldFolder } = await operator.makesFolder('Contracts')
  const [inFolder, alone, underHold, used] = await Promise.all([
    operator.uploads(png(11, 11), { session: { folderId } }),
    operator.uploads(png(12, 12)),
    operator.uploads(png(13, 13), { session: { folderId: heldFolder } }),
    operator.uploads(png(14, 14), { session: { folderId: heldFolder } }),
  ])
  await w.admin.put(`${operator.door.assets}/${underHold.assetId}/hold`, { held: true, reason: 'A claim' })
  await agent.put(`/admin/clients/${client.clientId}/uses/blog-post/soon`, {
    status: 'scheduled',
    assetRefs: [used.assetId],
  })
  await operator.trashes(alone.assetId)
  await operator.deletesFolder(folderId)
  await operator.delete(`${operator.door.assets}/folders`, { folderId: heldFolder, force: true })
  const trash = `${operator.door.assets}/trash`
  expect((await operator.get(trash)).body).toEqual({
    assets: 2,
    folders: 2,
    bytes: png(11, 11).length + png(12, 12).length,
    kept: { held: 1, inUse: 1 },
  })
  expect(await portal.delete(trash)).toEqual(refusal('forbidden'))
  expect(await operator.delete(`${trash}?folderId=${(await operator.makesFolder('Here')).folderId}`)).toEqual(
    refusal('not-found'),
  )

  const folder = await operator.delete(`${trash}?folderId=${folderId}`)
  expect(folder.body).toMatchObject({
    deleted: { assets: 1, folders: 1 },
    freedBytes: png(11, 11).length,
    more: false,
  })
  expect((await operator.reads(inFolder.assetId)).status).toBe(404)
  expect((await operator.reads(alone.assetId)).status).toBe(200)

  const all = await operator.delete(trash)
  expect(all.body).toEqual({
    deleted: { assets: 1, folders: 0 },
    freedBytes: png(12, 12).length,
    kept: { held: 1, inUse: 1 },
    more: false,
  })
  for (const { assetId } of [inFolder, alone]) await expect.poll(() => objectsOf(client, assetId)).toEqual([])
  expect((await operator.lists({ trashed: true })).body.folders).toMatchObject([{ folderId: heldFolder }])

  // Neither age nor asking by name gets round it; when both have ended, the folder goes with them.
  await w.parts.database.pool.query(
    `update assets set trashed_at = now() - interval '40 days' where client_id = $1 and trashed_at is not null`,
    [client.clientId],
  )
  await w.parts.database.pool.query(
    `update folders set trashed_at = now() - interval '40 days' where client_id = $1 and trashed_at is not null`,
    [client.clientId],
  )
  await purgeTrash(w.parts)
  for (const [{ assetId }, code] of [
    [underHold, 'legal-hold'],
    [used, 'in-use'],
  ] as const)
    expect(await operator.delete(`${operator.door.assets}/${assetId}?permanently=true`)).toEqual(
      refusal(code),
    )
  expect((await operator.restores(underHold.assetId)).status).toBe(200)
  await operator.trashes(underHold.assetId)
  await w.admin.put(`${operator.door.assets}/${underHold.assetId}/hold`, { held: false })
  await agent.put(`/admin/clients/${client.clientId}/uses/blog-post/soon`, { status: 'cancelled' })
  expect((await operator.delete(trash)).body).toMatchObject({
    deleted: { assets: 2, folders: 1 },
    kept: { held: 0, inUse: 0 },
  })
  expect(await stored(client)).toBe(0)
  await isWhole(client)
})

test('an old version goes for good, and its bytes unless another version stands on them', async () => {
  const client = await w.newClient()
  const { operator, portal, agent } = client
  const [first, second] = [png(30, 20, [200, 0, 0]), png(40, 10, [0, 0, 200])]
  const { assetId } = await operator.uploads(first)
  const at = `${operator.door.assets}/${assetId}`
  await isReady(operator, assetId)
  await operator.uploads(second, { session: { replacesAssetId: assetId } })
  await isReady(operator, assetId)
  await operator.post(`${at}/versions/1/restore`)
  await isReady(operator, assetId)
  const use = `/admin/clients/${client.clientId}/uses/blog-post/pinned`
  const gone = (version: number, who: Person = operator) => who.delete(`${at}/versions/${version}`)

  expect(await gone(1, portal)).toEqual(refusal('forbidden'))
  expect(await gone(3)).toEqual(refusal('current-version'))
  expect(await gone(9)).toEqual(refusal('not-found'))
  await agent.put(use, { status: 'scheduled', assetRefs: [`${assetId}@2`] })
  expect(await gone(2)).toEqual(refusal('in-use'))
  await agent.put(use, { status: 'cancelled', assetRefs: [`${assetId}@2`] })
  await w.admin.put(`${at}/hold`, { held: true, reason: 'A claim' })
  const held = await gone(2)
  expect(held).toEqual(refusal('legal-hold', { params: { title: expect.any(String), reason: 'A claim' } }))
  expect(held.body.detail, 'our own words').not.toContain('A claim')
  await w.admin.put(`${at}/hold`, { held: false })

  // Version 3 stands on the file of version 1: nothing is freed, and its previews stay.
  expect((await gone(1)).status).toBe(204)
  expect(await stored(client)).toBe(first.length + second.length)
  expect(sha(await bytesOf(operator, `${at}/content`))).toBe(sha(first))
  expect((await operator.fetch(`${at}/preview?size=thumb`)).status).toBe(200)
  expect((await gone(2)).status).toBe(204)
  expect(await stored(client)).toBe(first.length)
  expect((await gone(2)).status).toBe(404)
  const { versions } = (await operator.get(`${at}/versions`)).body as AssetVersions
  expect(versions.map(({ version }) => version)).toEqual([3])
  expect((await operator.fetch(`${at}/content?version=2`)).status).toBe(404)
  // The check finds neither an object without a row nor a row without its object.
  await isWhole(client)
  expect((await operator.uploads(second, { session: { replacesAssetId: assetId } })).version).toBe(4)
})

test('a legal hold says who and why, to the agency alone, and only who may hold can lift it', async () => {
  const { operator, viewer, portal, clientId } = await w.newClient()
  const { assetId } = await operator.uploads()
  await isReady(operator, assetId)
  const events = await nextEvents(portal)
  const at = `${operator.door.assets}/${assetId}`
  for (const person of [operator, viewer])
    expect(await person.put(`${at}/hold`, { held: true, reason: 'Mine' })).toEqual(refusal('forbidden'))
  expect(await w.admin.put(`${at}/hold`, { held: true })).toEqual(refusal('invalid-request'))
  const { body } = await w.admin.put(`${at}/hold`, { held: true, reason: ' Claim 4711 ' })
  const hold = { reason: 'Claim 4711', heldBy: expect.stringMatching(/^user_/), heldAt: expect.any(String) }
  expect(body.hold).toEqual(hold)
  expect((await operator.reads(assetId)).body.hold).toEqual(hold)
  const told = { ...hold, reason: null }
  expect((await portal.reads(assetId)).body.hold).toEqual(told)
  expect((await portal.lists()).body.assets).toMatchObject([{ hold: told }])
  let event = await events.next()
  while (event.event !== 'asset.updated') event = await events.next()
  expect(event.data!.data).toMatchObject({ changed: ['hold'], asset: { hold: told } })
  events.leaves()
  const again = await w.admin.put(`${at}/hold`, { held: true, reason: 'Claim 4711' })
  expect(again.headers.get('etag')).toBe((await operator.reads(assetId)).headers.get('etag'))
  await operator.uploads(png(5, 5), { session: { replacesAssetId: assetId } })
  await operator.post(`${at}/versions/1/restore`)
  await operator.trashes(assetId)
  expect((await operator.reads(assetId)).body.hold).toEqual(hold)
  expect((await w.admin.put(`${at}/hold`, { held: false })).body.hold).toBeNull()
  const { body: trail } = await w.admin.get(
    `/admin/clients/${clientId}/audit?thing=${assetId}&action=asset.updated`,
  )
  expect(trail.entries.map(({ details }: { details: object }) => details)).toEqual([
    { changed: ['hold'] },
    { changed: ['hold'] },
  ])
})

test('a hold that comes while things are removed wins whole or comes too late', async () => {
  const client = await w.newClient()
  const { operator } = client
  const assets = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const { assetId } = await operator.uploads(png(20 + n, 20))
      await operator.uploads(png(20 + n, 21), { session: { replacesAssetId: assetId } })
      await operator.trashes(assetId)
      return assetId
    }),
  )
  const at = (assetId: string) => `${operator.door.assets}/${assetId}`
  const [holds] = await Promise.all([
    Promise.all(assets.map((id) => w.admin.put(`${at(id)}/hold`, { held: true, reason: 'A claim' }))),
    operator.delete(`${operator.door.assets}/trash`),
    ...assets.map((id) => operator.delete(`${at(id)}?permanently=true`)),
    ...assets.map((id) => operator.delete(`${at(id)}/versions/1`)),
    ...assets.map((id) => purgeTrash(w.parts).then(() => id)),
  ])
  for (const [n, assetId] of assets.entries())
    if (holds[n]!.status === 200) {
      expect((await operator.reads(assetId)).body.hold).toMatchObject({ reason: 'A claim' })
      expect((await operator.fetch(`${at(assetId)}/content`)).status).toBe(200)
    } else {
      expect(holds[n]!.status).toBe(404)
      await expect.poll(() => objectsOf(client, assetId)).toEqual([])
    }
  await isWhole(client)
})

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = async (person: Person, path: string) =>
  Buffer.from(await (await person.fetch(path)).arrayBuffer())

/** An asset of two files and three versions, with all that is made of them. */
async function withVersions({ operator }: ClientWorld): Promise<string> {
  const { assetId } = await operator.uploads(png(30, 20))
  await isReady(operator, assetId)
  await operator.uploads(png(31, 20), { session: { replacesAssetId: assetId } })
  await operator.post(`${operator.door.assets}/${assetId}/versions/1/restore`)
  await isReady(operator, assetId)
  return assetId
}

const isReady = (person: Person, assetId: string) =>
  expect.poll(async () => (await person.reads(assetId)).body.media.state).toBe('ready')

const stored = async ({ clientId }: ClientWorld) =>
  (await w.admin.get(`/admin/clients/${clientId}`)).body.storedBytes

async function objectsOf({ clientId }: ClientWorld, within = ''): Promise<string[]> {
  const objects = await Array.fromAsync(w.parts.store.storageOf(clientId).list(''))
  return objects.map(({ key }) => key).filter((key) => key.includes(within))
}

function faultsIn({ clientId }: ClientWorld) {
  const looked = { files: 0, objects: 0, read: 0, readBytes: 0, withoutChecksum: 0 }
  return Array.fromAsync(faultsOf(libraryToCheck(w.parts, clientId), { grace: 0, read: 1 }, looked))
}

const isWhole = (client: ClientWorld) => expect.poll(() => faultsIn(client)).toEqual([])

test('a deleted user is gone at once, and what they did stays without their name', async () => {
  const { operator, viewer, clientId } = await w.newClient()
  const { assetId } = await operator.uploads()
  const at = `/admin/users/${operator.id}`
  expect(await viewer.delete(at)).toEqual(refusal('forbidden'))
  const me = (await w.admin.get('/auth/me')).body
  expect(await w.admin.delete(`/admin/users/${me.id}`)).toEqual(refusal('in-use'))
  const stream = await operator.fetch(operator.door.events)
  expect((await w.admin.delete(at)).status).toBe(204)
  expect((await operator.reads(assetId)).status).toBe(401)
  await stream.text() // it ends
  expect(await w.admin.delete(at)).toEqual(refusal('not-found'))
  const { entries } = (await w.admin.get(`/admin/clients/${clientId}/audit?principalId=${operator.id}`)).body
  expect(entries.length).toBeGreaterThan(1)
  for (const { principal, address, userAgent } of entries)
    expect([principal, address, userAgent]).toEqual([
      { kind: 'user', id: operator.id, name: null },
      null,
      null,
    ])
  const about = (await w.admin.get(`/admin/audit?thing=${operator.id}`)).body.entries
  expect(about).toMatchObject([{ action: 'user.deleted', name: null, details: { role: 'operator' } }])
  expect((await viewer.reads(assetId)).body.createdBy).toBe(operator.id)
  // Whatever a table keeps of a user, it goes with them.
  const { rows } = await w.parts.database.pool.query(`
    select c.conrelid::regclass::text as "table" from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'users'::regclass and c.confdeltype not in ('c', 'n')`)
  expect(rows).toEqual([])
})

test('a client goes with everything it has, also what a table of tomorrow holds', async () => {
  const client = await w.newClient('Harbour & Sons')
  const { clientId, operator, portal, agent } = client
  const things = await thingsOf(w, client)
  await withVersions(client)
  const { pool } = w.parts.database
  await pool.query(`create table of_tomorrow (client_id text collate "C" not null, asset_id text collate "C" not null,
    foreign key (client_id, asset_id) references assets (client_id, id))`)
  await pool.query('insert into of_tomorrow values ($1, $2)', [clientId, things.assetId])
  await pool.query(`create table told_by_tomorrow (client_id text collate "C" not null, link_id text collate "C" not null,
    foreign key (client_id, link_id) references share_links (client_id, id))`)
  await pool.query('insert into told_by_tomorrow values ($1, $2)', [clientId, things.shareLinkId])
  expect((await w.nobody.get(`/s/${things.shareToken}/assets`)).status).toBe(200)
  // What was kept for a repeat tells of the client, too, whoever asked.
  const key = { 'idempotency-key': 'once' }
  for (const person of [operator, portal, agent])
    expect(
      (await person.call('POST', `${person.door.assets}/folders`, { name: person.id }, key)).status,
    ).toBeLessThan(404)
  const path = `/admin/clients/${clientId}`
  const goes = (confirmName = 'Harbour & Sons') => w.admin.delete(path, { confirmName })
  expect(await operator.delete(path, { confirmName: 'Harbour & Sons' })).toEqual(refusal('forbidden'))
  expect(await goes('Harbour')).toEqual(refusal('invalid-request'))
  const hold = `${operator.door.assets}/${things.assetId}/hold`
  await w.admin.put(hold, { held: true, reason: 'A claim' })
  expect(await goes()).toEqual(refusal('legal-hold'))
  await w.admin.put(hold, { held: false })
  await pool.query(`update deliveries set status = 'sending' where client_id = $1`, [clientId])
  expect(await goes()).toEqual(refusal('in-use'))
  await pool.query(`update deliveries set status = 'done' where client_id = $1`, [clientId])

  // Holds that come at this moment are before it, or refused.
  const [gone, late] = await Promise.all([goes(), w.admin.put(hold, { held: true, reason: 'Late' })])
  if (late.status === 200) {
    expect(gone).toEqual(refusal('legal-hold'))
    await w.admin.put(hold, { held: false })
    expect((await goes()).status).toBe(202)
  } else expect([gone.status, late.status]).toEqual([202, 404])

  expect((await w.admin.get(path)).status).toBe(404)
  expect((await operator.reads(things.assetId)).status).toBe(404)
  for (const person of [portal, agent]) expect((await person.get('/auth/me')).status).toBe(401)
  expect((await w.nobody.get(`/s/${things.shareToken}/assets`)).status).toBe(404)
  expect((await w.admin.get('/admin/clients?limit=200')).body.clients).not.toContainEqual(
    expect.objectContaining({ clientId }),
  )
  const removal = async () =>
    (await w.admin.get(`/admin/client-removals?clientId=${clientId}`)).body.removals[0]
  await expect.poll(async () => (await removal()).finishedAt).not.toBeNull()
  expect(await removal()).toMatchObject({
    rows: {
      assets: 3,
      of_tomorrow: 1,
      told_by_tomorrow: 1,
      users: 1,
      api_keys: 2,
      deliveries: 1,
      share_links: 1,
      idempotent_answers: 1,
    },
    objects: expect.any(Number),
  })
  expect(await leftOf(clientId)).toEqual([])
  const answers = 'select from idempotent_answers where principal_id = any($1)'
  const people = [operator, portal, agent].map(({ id }) => id)
  expect((await pool.query(answers, [people])).rows).toEqual([])
  expect(await objectsOf(client)).toEqual([])
  const { entries } = (await w.admin.get(`/admin/audit?clientId=${clientId}&limit=200`)).body
  expect(new Set(entries.map(({ name }: { name: string | null }) => name))).toEqual(new Set([null]))
  const { rows, objects, objectBytes } = await removal()
  expect(entries[0]).toMatchObject({ action: 'client.removed', details: { rows, objects, objectBytes } })
  const named = entries.filter(({ principal }: AuditEntry) => principal.name !== null)
  expect(new Set(named.map(({ principal }: AuditEntry) => principal.kind))).toEqual(
    new Set(['user', 'system']),
  )
  await pool.query('drop table of_tomorrow, told_by_tomorrow')
})

test('the removal of a client dies at any step or loses its job, goes on, and counts nothing twice', async () => {
  const [lost, often] = [await thatGoes('Lost', async () => {}), await thatGoes('Often', later)]
  await requeueLost(w.parts)
  let deaths = 0
  for (;;)
    try {
      await finishRemoval(mortal(deaths), { clientId: often.clientId })
      break
    } catch (error) {
      expect(error).toBe(death)
      deaths++
    }
  expect(deaths).toBeGreaterThan(20)
  expect(await reportOf(often)).toEqual(await reportOf(lost))
})

/** A client that has some of everything, on its way out; the job for the rest goes where it is sent. */
async function thatGoes(name: string, send: Parts['jobs']['send']): Promise<ClientWorld> {
  const client = await w.newClient(name)
  await thingsOf(w, client)
  await client.operator.uploads(png(30, 30))
  await expect.poll(() => waitingFor(client)).toBe(0)
  const parts = { ...w.parts, jobs: { ...w.parts.jobs, send } }
  await removeClient(parts, { ...system, id: 'user_tests' }, client.clientId, { confirmName: name })
  return client
}

const waitingFor = async ({ clientId }: ClientWorld) =>
  (
    await w.parts.database.pool.query(
      `select 1 from assets where client_id = $1 and media_state = 'pending'`,
      [clientId],
    )
  ).rows.length

/** It has its job, and no worker takes it before the test is over. */
const later: Parts['jobs']['send'] = async (trx, name, data) => {
  await w.parts.jobs.send(trx, name, data)
  const { clientId } = data as { clientId: string }
  await sql`update jobs.job set start_after = now() + interval '1 day'
    where name = ${name} and data ->> 'clientId' = ${clientId}`.execute(trx)
}

async function reportOf(client: ClientWorld) {
  const path = `/admin/client-removals?clientId=${client.clientId}`
  const removal = async () => (await w.admin.get(path)).body.removals[0]
  await expect.poll(async () => (await removal()).finishedAt).not.toBeNull()
  expect(await leftOf(client.clientId)).toEqual([])
  expect(await objectsOf(client)).toEqual([])
  const {
    // How much is told of a client, and to whom, is a matter of the moment.
    rows: { events, webhook_cursors, webhook_attempts, ...rows },
    objects,
    objectBytes,
  } = await removal()
  return { rows, objects, objectBytes }
}

const death = new Error('killed')

/** Parts that die at a step: before a transaction begins, or before the store removes something. */
function mortal(at: number): Parts {
  let steps = 0
  const step = () => {
    if (steps++ === at) throw death
  }
  const { db, store } = w.parts
  const mortalDb = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' || name === 'updateTable') step()
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const storageOf = (clientId: string) => {
    const storage = store.storageOf(clientId)
    return {
      ...storage,
      list: (prefix: string) => storage.list(prefix),
      delete: (keys: string[]) => {
        step()
        return storage.delete(keys)
      },
    }
  }
  return { ...w.parts, db: mortalDb, store: { ...store, storageOf } }
}

/** The tables that still have rows of a client, but for those that are to have some. */
async function leftOf(clientId: string): Promise<string[]> {
  const { pool } = w.parts.database
  const { rows } = await pool.query(`select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'client_id'`)
  expect(rows.length).toBeGreaterThan(20)
  const left: string[] = []
  for (const { name } of rows as { name: string }[]) {
    if (name in kept) continue
    const found = await pool.query(`select 1 from ${name} where client_id = $1 limit 1`, [clientId])
    if (found.rows.length > 0) left.push(name)
  }
  const client = await pool.query('select 1 from clients where id = $1', [clientId])
  return client.rows.length > 0 ? [...left, 'clients'] : left
}
