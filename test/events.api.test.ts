import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { jobHandlers } from '../server/job-handlers.ts'
import { sweepUploads } from '../server/uploads/sweep.ts'
import { nextEvents } from './event-reader.ts'
import { type Person, person, puts } from './person.ts'
import { pixel, png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { newHome, ownWorld, type Server, startServer } from './world.ts'

// No jobs: only what a test does makes events.
const w = await ownWorld({ ROLE: 'api' })

describe('the outbox', () => {
  test('gets exactly what each change has to tell', async () => {
    const { operator, clientId } = await w.newClient()
    const told = teller(clientId)

    const menus = await operator.makesFolder('Menus')
    expect(await told()).toEqual([['folder.created', menus.folderId]])
    await operator.changesFolder(menus.folderId, { name: 'Cards' })
    expect(await told()).toEqual([['folder.updated', menus.folderId]])
    const { body: session } = await operator.opensUpload({ folderId: menus.folderId })
    expect(await told()).toEqual([['upload.created', session.uploadSessionId]])
    await puts(session, pixel)
    const { body: asset } = await operator.finalizes(session.uploadToken)
    expect(await told()).toEqual([
      ['upload.finalized', session.uploadSessionId],
      ['asset.created', asset.assetId],
    ])
    await operator.edits(asset.assetId, { title: 'New' })
    expect(await told()).toEqual([['asset.updated', asset.assetId]])
    await operator.post(`${operator.door.assets}/batch`, {
      assetIds: [asset.assetId],
      action: 'tag',
      tags: ['a'],
    })
    expect(await told()).toEqual([['asset.updated', asset.assetId]])
    await operator.trashes(asset.assetId)
    expect(await told()).toEqual([['asset.trashed', asset.assetId]])
    await operator.restores(asset.assetId)
    expect(await told()).toEqual([['asset.restored', asset.assetId]])
    await operator.uploads(png(2, 2), { session: { replacesAssetId: asset.assetId } })
    expect((await told()).map(([type]) => type)).toEqual([
      'upload.created',
      'upload.finalized',
      'asset.replaced',
    ])
    await operator.deletesFolder(menus.folderId)
    expect(await told()).toEqual([['folder.trashed', menus.folderId]])
    await operator.post(`${operator.door.assets}/folders/restore`, { folderId: menus.folderId })
    expect(await told()).toEqual([['folder.restored', menus.folderId]])

    const { body: aborted } = await operator.opensUpload()
    await operator.delete(`${operator.door.assets}/upload-session/${aborted.uploadSessionId}`)
    expect((await told()).map(([type]) => type)).toEqual(['upload.created', 'upload.aborted'])
    const { body: gif } = await operator.opensUpload({ mimeType: 'image/gif' })
    await operator.finalizes(gif.uploadToken)
    expect((await told()).map(([type]) => type)).toEqual(['upload.created', 'upload.rejected'])
    const { body: late } = await operator.opensUpload()
    await w.parts.db
      .updateTable('upload_sessions')
      .set({ expires_at: new Date(0), sweep_at: new Date(0) })
      .where('id', '=', late.uploadSessionId)
      .execute()
    await sweepUploads(w.parts)
    await sweepUploads(w.parts)
    expect(await told()).toEqual([
      ['upload.created', late.uploadSessionId],
      ['upload.expired', late.uploadSessionId],
    ])
  })

  test('gets nothing of a change that is refused, repeated or none', async () => {
    const { operator, social, viewer, clientId } = await w.newClient('Full', { quotaBytes: 2 * pixel.length })
    const { folderId } = await operator.makesFolder('Menus')
    const asset = await operator.uploads()
    const { body: session } = await operator.opensUpload()
    await social.makesFolder('Social')
    const told = teller(clientId)
    await told()

    await operator.post(`${operator.door.assets}/folders`, { name: 'menus' })
    await operator.changesFolder(folderId, { parentId: folderId })
    await operator.changesFolder(folderId, { name: 'Menus' })
    await operator.changesFolder(folderId, { name: 'Social' })
    await operator.edits(asset.assetId, { title: 'x' }, { 'if-match': '"old"' })
    await operator.edits(asset.assetId, { folderId: 'folder_x' })
    await operator.opensUpload()
    await operator.finalizes(session.uploadToken)
    await operator.restores(asset.assetId)
    await viewer.edits(asset.assetId, { title: 'x' })
    await operator.post(`${operator.door.assets}/batch`, { assetIds: ['asset_x'], action: 'trash' })
    expect(await told()).toEqual([])
  })

  test('names who did it, and carries the new state', async () => {
    const { portal, agent, clientId } = await w.newClient()
    const asset = await agent.uploads()
    await portal.edits(asset.assetId, { title: 'New' })
    const events = await rowsOf(clientId)
    expect(events.map(({ actor }) => actor)).toEqual([agent.id, agent.id, agent.id, portal.id])
    expect(events.at(-1)!.data).toMatchObject({
      asset: { assetId: asset.assetId, title: 'New' },
      changed: ['title'],
    })
  })

  test('numbers 50 changes at once without a gap, in the order they became visible', async () => {
    const { operator, clientId } = await w.newClient()
    const stream = await nextEvents(operator)
    await Promise.all(Array.from({ length: 50 }, (_, i) => operator.makesFolder(`Folder ${i}`)))
    const ids = (await stream.take(50)).map(({ id }) => Number(id))
    expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    expect((await rowsOf(clientId)).map(({ id }) => id)).toEqual(ids)
    stream.leaves()
  })
})

describe('a stream', () => {
  test('tells of changes as they are made, at both doors', async () => {
    const { operator, portal, viewer, clientId } = await w.newClient()
    const [atAdmin, atPortal] = await Promise.all([nextEvents(viewer), nextEvents(portal)])
    expect(atAdmin.status).toBe(200)
    expect(atAdmin.headers.get('content-type')).toBe('text/event-stream')
    expect(atAdmin.headers.get('cache-control')).toBe('no-store')
    const folder = await operator.makesFolder('Menus')
    const message = await atAdmin.next()
    expect(message).toMatchObject({ id: '1', event: 'folder.created' })
    expect(message.data).toEqual({
      eventId: 1,
      type: 'folder.created',
      clientId,
      subject: folder.folderId,
      actor: operator.id,
      data: { folder },
      at: expect.stringMatching(/Z$/),
    })
    expect(await atPortal.next()).toEqual(message)
    for (const stream of [atAdmin, atPortal]) stream.leaves()
  })

  test('tells client users nothing of what only the admin side shows', async () => {
    const { operator, portal, viewer, agent, clientId } = await w.newClient()
    const streams = await Promise.all([nextEvents(viewer), nextEvents(agent), nextEvents(portal)])
    await w.admin.post(`/admin/clients/${clientId}/connections`, {
      kind: 'wordpress',
      name: 'Site',
      settings: { siteUrl: 'https://example.com' },
      secrets: { username: 'editor', applicationPassword: 'a b c d' },
    })
    await operator.makesFolder('Menus')
    for (const stream of streams.slice(0, 2)) expect((await stream.next()).event).toBe('connection.created')
    for (const stream of streams) expect((await stream.next()).event).toBe('folder.created')
    for (const stream of streams) stream.leaves()
  })

  test('ends when its reader is given another role', async () => {
    const { operator, clientId } = await w.newClient()
    const stream = await nextEvents(operator)
    const { status } = await w.admin.patch(`/admin/users/${operator.id}`, {
      role: 'client',
      clientIds: [clientId],
    })
    expect(status).toBe(200)
    await stream.ended
  })

  test('tells nothing of other clients', async () => {
    const [acme, bolt] = [await w.newClient(), await w.newClient()]
    const stream = await nextEvents(acme.operator)
    await bolt.operator.makesFolder('Theirs')
    await acme.operator.makesFolder('Ours')
    expect((await stream.next()).data?.data).toMatchObject({ folder: { name: 'Ours' } })
    stream.leaves()
  })

  test('goes on behind Last-Event-ID: nothing lost, nothing twice', async () => {
    const { operator } = await w.newClient()
    const first = await nextEvents(operator)
    await operator.makesFolder('1')
    await operator.makesFolder('2')
    const [, { id } = {}] = await first.take(2)
    first.leaves()
    await Promise.all(Array.from({ length: 20 }, (_, i) => operator.makesFolder(`away ${i}`)))
    const second = await nextEvents(operator, id)
    await operator.makesFolder('back')
    const ids = (await second.take(21)).map((message) => Number(message.id))
    expect(ids).toEqual(Array.from({ length: 21 }, (_, i) => i + 3))
    second.leaves()
  })

  test('begins with the first event that an answer did not know of, at both doors', async () => {
    const { operator, portal, agent, clientId } = await w.newClient()
    const stranger = (await w.newClient()).operator
    await operator.makesFolder('Known')
    for (const [n, reader] of [operator, portal, agent].entries()) {
      const { headers } = await reader.lists()
      expect(headers.get('last-event-id')).toBe(String(n + 1))
      await operator.makesFolder(`Not known ${n}`)
      const stream = await nextEvents(reader, undefined, `?lastEventId=${n + 1}`)
      expect(await stream.next()).toMatchObject({ id: String(n + 2), event: 'folder.created' })
      stream.leaves()
    }
    // A browser that comes back says in its header how far it came, under the address it first had.
    const again = await nextEvents(operator, 3, '?lastEventId=1')
    expect(await again.next()).toMatchObject({ id: '4' })
    again.leaves()
    const refused = await stranger.get(`/admin/clients/${clientId}/assets`)
    expect([refused.status, refused.headers.get('last-event-id')]).toEqual([404, null])
  })

  test('starts from the beginning for Last-Event-ID 0, through more than one page', async () => {
    const { operator, clientId } = await w.newClient()
    await w.parts.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('events')
        .values(
          Array.from({ length: 1203 }, (_, i) => ({
            client_id: clientId,
            id: i + 1,
            type: 'asset.purged',
            subject: 'asset_x',
            actor: 'tests',
            data: '{"title": "Gone"}',
          })) as never,
        )
        .execute()
      await trx
        .updateTable('client_counters')
        .set({ last_event: 1203 })
        .where('client_id', '=', clientId)
        .execute()
    })
    const stream = await nextEvents(operator, 0)
    const ids = (await stream.take(1203)).map(({ id }) => Number(id))
    expect(ids).toEqual(Array.from({ length: 1203 }, (_, i) => i + 1))
    stream.leaves()
  })

  test('says reset when what came between is no longer kept, or never was', async () => {
    const { operator, clientId } = await w.newClient()
    for (const name of ['a', 'b', 'c']) await operator.makesFolder(name)
    await w.parts.db
      .updateTable('events')
      .set({ created_at: new Date(0) })
      .where('client_id', '=', clientId)
      .where('id', '<=', 2)
      .execute()
    await jobHandlers(w.parts).purge({}, { last: true })
    for (const lastEventId of [0, 1, 99]) {
      const stream = await nextEvents(operator, lastEventId)
      expect(await stream.next()).toMatchObject({ id: '3', event: 'reset' })
      stream.leaves()
    }
    const kept = await nextEvents(operator, 2)
    expect(await kept.next()).toMatchObject({ id: '3', event: 'folder.created' })
    kept.leaves()
  })

  test('refuses an id that is none', async () => {
    const { operator } = await w.newClient()
    for (const id of ['x', '-1', '1.5', '1e99']) {
      expect(await operator.get(operator.door.events, { 'last-event-id': id })).toEqual(
        refusal('invalid-request'),
      )
      expect(await operator.get(`${operator.door.events}?lastEventId=${id}`)).toEqual(
        refusal('invalid-request'),
      )
    }
  })

  test('lets go of everything when its reader leaves', async () => {
    const { operator } = await w.newClient()
    const streams = await Promise.all(Array.from({ length: 30 }, () => nextEvents(operator)))
    for (const stream of streams) stream.leaves()
    await operator.makesFolder('After')
    expect((await operator.lists()).body.folders).toHaveLength(1)
  })

  test('has no HEAD, which would never end', async () => {
    const { operator } = await w.newClient()
    expect((await operator.fetch(operator.door.events, { method: 'HEAD' })).status).toBe(404)
  })
})

describe('two nodes on one database', () => {
  beforeEach(({ skip }) => skip(w.parts.database.embedded, 'the embedded database takes one node'))

  async function twoNodes(
    story: (nodes: { a: Server; onA: Person; onB: Person; admin: Person }) => Promise<void>,
  ) {
    const b = await startServer({ ...w.environment, ROLE: 'api' })
    try {
      const { operator } = await w.newClient()
      await story({
        a: w,
        admin: w.admin,
        onA: operator,
        onB: person(b.url, operator.credentials, operator.door, operator.id),
      })
    } finally {
      await b.stop()
    }
  }

  test('tell each other of events', () =>
    twoNodes(async ({ onA, onB }) => {
      const [atA, atB] = [await nextEvents(onA), await nextEvents(onB)]
      await onA.makesFolder('Made on A')
      await onB.makesFolder('Made on B')
      const names = async (stream: typeof atA) =>
        (await stream.take(2)).map(({ data }) => data?.type === 'folder.created' && data.data.folder.name)
      expect(await names(atA)).toEqual(['Made on A', 'Made on B'])
      expect(await names(atB)).toEqual(['Made on A', 'Made on B'])
      atA.leaves()
      atB.leaves()
    }))

  test('tell each other of rights taken away', () =>
    twoNodes(async ({ admin, onB }) => {
      const stream = await nextEvents(onB)
      await admin.patch(`/admin/users/${onB.id}`, { isActive: false })
      await stream.ended
      expect(await onB.lists()).toEqual(refusal('unauthenticated'))
    }))

  test('a stream goes on after the database has cut its line', () =>
    twoNodes(async ({ onA, onB }) => {
      const stream = await nextEvents(onB)
      await w.parts.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen%'`,
      )
      const folder = await onA.makesFolder('While cut')
      expect((await stream.next()).data?.subject).toBe(folder.folderId)
      stream.leaves()
    }))
})

test('an event that only a later version knows is passed over, and what follows it is told', async () => {
  const { operator, clientId } = await w.newClient()
  const stream = await nextEvents(operator)
  await sql`with told as (update client_counters set last_event = last_event + 1 where client_id = ${clientId} returning last_event)
    insert into events (client_id, id, type, subject, actor, data)
    select ${clientId}, last_event, 'later.told', 'later', 'tests', '{}' from told`.execute(w.parts.db)
  const folder = await operator.makesFolder('Menus')
  expect((await stream.next()).data?.subject).toBe(folder.folderId)
  stream.leaves()
  await sql`delete from events where client_id = ${clientId} and subject = 'later'`.execute(w.parts.db)
})

test('a server that closes ends its streams', async () => {
  const home = await newHome()
  const server = await startServer({ ...home.environment, ROLE: 'api' })
  try {
    const login = await person(server.url, {}).post('/auth/login', {
      email: 'admin@example.com',
      password: 'correct-horse-battery',
    })
    const admin = person(server.url, { cookie: login.headers.get('set-cookie')!.split(';')[0]! })
    const { body } = await admin.post('/admin/clients', { name: 'A' })
    const follower = admin.at({ assets: '', events: `/admin/clients/${body.clientId}/events` })
    const stream = await nextEvents(follower)
    await server.stop()
    await stream.ended
  } finally {
    await home.remove()
  }
})

const rowsOf = (clientId: string) =>
  w.parts.db.selectFrom('events').selectAll().where('client_id', '=', clientId).orderBy('id').execute()

/** Each call: what was told since the last one. */
function teller(clientId: string) {
  let position = 0
  return async () => {
    const rows = (await rowsOf(clientId)).filter(({ id }) => id > position)
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => position + i + 1))
    position += rows.length
    return rows.map(({ type, subject }) => [type, subject])
  }
}
