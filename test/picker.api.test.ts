import { expect, onTestFinished, test } from 'vitest'
import type { PickerToken } from '../contract/picker.ts'
import { newId } from '../server/ids.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { hashToken } from '../server/secrets.ts'
import { type Person, person } from './person.ts'
import { refusal } from './refusal.ts'
import { routeTable } from './route-table.ts'
import { absentThings, pathOf } from './things.ts'
import { type ClientWorld, hasOwnPassword, world } from './world.ts'

const w = await world()
const { db } = w.parts
const embedder = 'https://cms.example'

/** The picker that somebody has opened there: it has their token, and nothing else of theirs. */
async function opensPicker(who: Person, said: object = {}) {
  const { status, body } = await who.post('/picker/tokens', { embedder, ...said })
  expect(status, JSON.stringify(body)).toBe(201)
  const { pickerToken, library } = body as PickerToken
  const assets = `${library}/assets`
  return {
    ...(body as PickerToken),
    ...person(w.url, { authorization: `Bearer ${pickerToken}` }, { assets, events: `${library}/events` }),
  }
}

const doors: [string, (client: ClientWorld) => [Person, object]][] = [
  ['an operator', ({ operator, clientId }) => [operator, { clientId }]],
  ['a viewer', ({ viewer, clientId }) => [viewer, { clientId }]],
  ['a client’s own user', ({ portal }) => [portal, {}]],
]

test.each(doors)('%s opens a picker, which lists and shows, and does nothing else', async (_, whoOf) => {
  const client = await w.newClient('Harbour')
  const [asset, folder] = [await client.operator.uploads(), await client.operator.makesFolder('Summer')]
  const picker = await opensPicker(...whoOf(client))
  expect(picker).toMatchObject({ clientId: client.clientId, clientName: 'Harbour' })

  expect((await picker.lists()).body.assets).toMatchObject([{ assetRef: asset.assetRef }])
  expect((await picker.get(`${picker.door.assets}/folders`)).body.folders).toMatchObject([
    { folderId: folder.folderId },
  ])
  const preview = await picker.fetch(`${picker.door.assets}/${asset.assetId}/preview?size=thumb`)
  expect(preview.headers.get('content-type')).toMatch(/^image\//)

  const open = ['', '/folders', '/:assetId/preview'].flatMap((path) =>
    ['/admin/clients/:clientId/assets', '/portal/assets'].map((door) => door + path),
  )
  const closed = routeTable().filter(
    ({ method, url, permission }) =>
      permission !== 'public' &&
      method !== 'HEAD' &&
      !(method === 'GET' && open.includes(url.replace(/\/$/, ''))),
  )
  expect(closed.length).toBeGreaterThan(100)
  const things = { ...absentThings(), clientId: client.clientId, assetId: asset.assetId }
  for (const route of closed)
    expect(await picker.call(route.method, pathOf(route, things)), `${route.method} ${route.url}`).toEqual(
      refusal('unauthenticated'),
    )
})

test('a picker sees one client, whatever else its person sees', async () => {
  const [own, other] = [await w.newClient(), await w.newClient()]
  const picker = await opensPicker(w.admin, { clientId: own.clientId })
  expect((await picker.lists()).status).toBe(200)
  for (const clientId of [other.clientId, newId('client')])
    expect(await picker.get(`/admin/clients/${clientId}/assets`)).toEqual(refusal('unauthenticated'))
  expect(await picker.get('/portal/assets')).toEqual(refusal('unauthenticated'))
})

test('who may not see a client, is no person or writes from another site opens none; nor does a page nobody named', async () => {
  const [own, other] = [await w.newClient(), await w.newClient()]
  const asks = (who: Person, said: object, headers = {}) =>
    who.post('/picker/tokens', { embedder, clientId: own.clientId, ...said }, headers)
  expect(await asks(other.operator, {})).toEqual(refusal('not-found'))
  expect(await asks(other.portal, {})).toEqual(refusal('not-found'))
  expect(await asks(own.operator, { clientId: newId('client') })).toEqual(refusal('not-found'))
  expect(await own.operator.post('/picker/tokens', { embedder })).toEqual(refusal('invalid-request'))
  expect(await asks(own.agent, {})).toEqual(refusal('forbidden'))
  expect(await asks(w.nobody, {})).toEqual(refusal('unauthenticated'))
  expect(await asks(own.operator, {}, { origin: embedder })).toEqual(refusal('cross-site'))
  for (const stranger of [
    'https://cms.example.evil.example',
    'http://cms.example',
    `${embedder}/`,
    'null',
    '*',
  ])
    expect(await asks(own.operator, { embedder: stranger }), stranger).toEqual(
      refusal('embedding-not-allowed'),
    )
})

const endings: [
  string,
  (its: { picker: PickerToken; who: Person; client: ClientWorld }) => Promise<unknown>,
][] = [
  ['signs out', ({ who }) => who.post('/auth/logout')],
  ['is switched off', ({ who }) => w.admin.patch(`/admin/users/${who.id}`, { isActive: false })],
  ['sees the client no more', ({ who }) => w.admin.patch(`/admin/users/${who.id}`, { clientIds: [] })],
  ['has a working day behind them', ({ picker }) => isOver(picker)],
  ['has to choose a password first', ({ who }) => mustChoose(who)],
  ['is on a page that is named no more', async () => nobodyIsNamed()],
]

test.each(endings)('a picker ends at once when its person %s', async (_, end) => {
  const client = await w.newClient()
  const who = await newOperator(client)
  const picker = await opensPicker(who, { clientId: client.clientId })
  expect((await picker.lists()).status).toBe(200)
  await end({ picker, who, client })
  expect((await picker.lists()).status).toBeGreaterThanOrEqual(401)
})

test('of one login the newest twenty are kept, in the audit trail all, and none past its time', async () => {
  const client = await w.newClient()
  const who = await newOperator(client)
  const first = await opensPicker(who, { clientId: client.clientId })
  for (let i = 0; i < 20; i++) await opensPicker(who, { clientId: client.clientId })
  expect(await first.lists()).toEqual(refusal('unauthenticated'))
  const { body } = await w.admin.get(`/admin/audit?action=login.picker-opened&clientId=${client.clientId}`)
  expect(body.entries).toHaveLength(21)
  expect(body.entries[0]).toMatchObject({ principal: { id: who.id }, details: { embedder } })

  const last = await opensPicker(who, { clientId: client.clientId })
  expect(JSON.stringify(await db.selectFrom('picker_tokens').selectAll().execute())).not.toContain(
    last.pickerToken,
  )
  await isOver(last)
  await jobHandlers(w.parts).purge({}, 1 as never)
  const kept = db.selectFrom('picker_tokens').where('token_hash', '=', hashToken(last.pickerToken))
  expect(await kept.select('client_id').execute()).toEqual([])
})

const isOver = ({ pickerToken }: PickerToken) =>
  db
    .updateTable('picker_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('token_hash', '=', hashToken(pickerToken))
    .execute()

const mustChoose = ({ id }: Person) =>
  db.updateTable('users').set({ must_change_password: true }).where('id', '=', id).execute()

function nobodyIsNamed() {
  const { embedOrigins } = w.parts.config
  const named = embedOrigins.splice(0)
  onTestFinished(() => void embedOrigins.push(...named))
}

/** Somebody of their own, for what happens to them. */
async function newOperator({ clientId }: ClientWorld): Promise<Person> {
  const email = `${newId('user')}@example.com`
  const password = 'a long enough word 7'
  const { body } = await w.admin.post('/admin/users', {
    email,
    password,
    name: 'Nora',
    role: 'operator',
    clientIds: [clientId],
  })
  await hasOwnPassword(w, email)
  return person(w.url, (await w.login(email, password)).credentials, undefined, body.userId)
}
