import { connect } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { putsFile, sendsFile } from './guest-file.ts'
import { type Person, puts } from './person.ts'
import { aFilm, filmSession, pixel, png } from './pictures.ts'
import { apiRoutes, type Route } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { aModel, behindDoor, bodyFor, pathOf, type Things, thingsOf } from './things.ts'
import { type ClientWorld, ownWorld } from './world.ts'

// No jobs: what is compared must be still.
const w = await ownWorld({ ROLE: 'api', ...aModel })
const { db } = w.parts

/** Each of these gives something fresh every time: a login, an address, a look. */
const anew = [
  /^\/auth\//,
  /^\/s\/:shareToken\/open$/,
  /\/test$/,
  /\/sign-in$/,
  /\/resend$/,
  /\/parts$/,
  /\/progress$/,
  /^\/mcp$/,
]
// Behind the other door stand the same handlers.
const posts = apiRoutes().filter(
  ({ method, url }) =>
    method === 'POST' && !url.startsWith('/portal/') && !anew.some((path) => path.test(url)),
)

test.each(posts)('POST $url sent three times, its answers lost, has one result', async (route) => {
  const client = await w.newClient()
  const things = await readyFor(route, client, await thingsOf(w, client))
  const body = bodyFor(route, things)
  const path = pathOf(route, things)
  const headers = { 'idempotency-key': newId('key') }

  await sendsAndLeaves(w.admin, path, body, headers)
  const once = await everything()
  await sendsAndLeaves(w.admin, path, body, headers)
  const { status, body: answer } = await w.admin.post(path, body, headers)
  expect(await everything()).toEqual(once)
  expect(status, JSON.stringify(answer)).toBeLessThan(300)
})

const everything = async () => {
  // Those that the clock queues come when they come.
  const { rows } = await sql<{
    jobs: number
  }>`select count(*) as jobs from jobs.job where data ? 'clientId'`.execute(db)
  return { ...(await snapshot(db)), ...rows[0] }
}

/** Brings things into the state in which the request has something to do. */
async function readyFor(route: Route, { operator }: ClientWorld, things: Things): Promise<Things> {
  const delivery = (status: string) =>
    db
      .updateTable('deliveries')
      .set({ status: status as 'done' })
      .where('id', '=', things.deliveryId)
      .execute()
  switch (behindDoor(route.url)) {
    case 'assets/upload-session/finalize': {
      const { body } = await operator.get(`${operator.door.assets}/upload-session/${things.uploadSessionId}`)
      await puts(body, pixel)
      return things
    }
    case 'waiting-room/accept':
    case 'waiting-room/decline': {
      const { session } = await sendsFile(w.nobody, `/u/${things.requestToken}`)
      return { ...things, waitingUploadId: session.uploadSessionId }
    }
    case '/u/:requestToken/files/done': {
      const { uploadToken } = await putsFile(w.nobody, `/u/${things.requestToken}`)
      return { ...things, guestUploadToken: uploadToken }
    }
    case 'duplicates/keep':
      await operator.restores(things.trashedAssetId)
      return things
    case 'duplicates/kept-groups':
      await operator.restores(things.trashedAssetId)
      await operator.delete(
        operator.door.assets.replace(/assets$/, `duplicates/kept-groups/${things.keptGroupId}`),
      )
      return things
    case 'assets/:assetId/restore':
      return { ...things, assetId: things.trashedAssetId }
    case 'assets/:assetId/versions/:version/restore':
      await operator.uploads(png(7, 7), { session: { replacesAssetId: things.assetId } })
      return things
    case 'assets/:assetId/proxy':
      return { ...things, assetId: (await operator.uploads(await aFilm(), filmSession)).assetId }
    case 'assets/:assetId/media/retry':
      await db.updateTable('assets').set({ media_state: 'failed' }).where('id', '=', things.assetId).execute()
      return things
    case '/admin/clients/:clientId/deliveries/:deliveryId/retry':
      await delivery('failed')
      return things
    case '/admin/clients/:clientId/deliveries/:deliveryId/cancel':
      await delivery('queued')
      return things
    case '/admin/clients/:clientId/deliveries/:deliveryId/settle':
      await delivery('unknown')
      return things
    case '/admin/clients/:clientId/deliveries/:deliveryId/confirm':
      return replacing(things, { earlier: 'removed', later: 'done' })
    case '/admin/clients/:clientId/deliveries/:deliveryId/undo':
      return replacing(things, { earlier: 'done', later: 'removed' })
    case '/admin/clients/:clientId/pull-grants/':
      return { ...things, assetId: (await operator.uploads(png(400, 400))).assetId }
    case '/s/:shareToken/assets/:assetId/comments':
      await operator.edits(things.assetId, { folderId: things.folderId })
      await db.updateTable('share_links').set({ allows_review: true }).execute()
      return things
    case '/admin/webhooks/:webhookId/replay':
      await w.admin.patch(`/admin/webhooks/${things.webhookId}`, { clientIds: [things.clientId] })
      return things
    default:
      return things
  }
}

/** A delivery in place of another, where one of the two has been taken away there already. */
async function replacing(things: Things, status: { earlier: 'done' | 'removed'; later: 'done' | 'removed' }) {
  const earlier = db.selectFrom('deliveries').selectAll().where('id', '=', things.deliveryId)
  const row = await earlier.executeTakeFirstOrThrow()
  const id = newId('delivery')
  const later = {
    id,
    mark: id,
    rendition: 'another',
    replaces: row.id,
    status: status.later,
    steps: '{}',
    more: '[]',
  }
  await db
    .insertInto('deliveries')
    .values({ ...row, ...later } as never)
    .execute()
  await db.updateTable('deliveries').set({ status: status.earlier }).where('id', '=', row.id).execute()
  return { ...things, deliveryId: id }
}

/** Sends the whole request and hangs up at the first byte of the answer. */
async function sendsAndLeaves(person: Person, path: string, body: unknown, headers: Record<string, string>) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: new URL(w.url).host,
    ...person.credentials,
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    'content-length': String(Buffer.byteLength(text)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const { hostname, port } = new URL(w.url)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.once('data', () => socket.destroy())
    socket.once('close', () => resolve())
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
  })
}
