import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Notification } from '../contract/notifications.ts'
import { newId } from '../server/ids.ts'
import { guestFile, sendsFile } from './guest-file.ts'
import { type Mail, mailServer } from './mailbox.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { statementsOf } from './statements.ts'
import { adminLogin, type ClientWorld, newClient, newHome, signIn, startServer } from './world.ts'

const post = await mailServer()
const home = await newHome()
const environment = { ...home.environment, OUTBOUND_ALLOW: '127.0.0.1' }
let server = await startServer(environment)
afterAll(async () => {
  await server.stop()
  await home.remove()
})
const db = () => server.parts.db

const toldTo = async (somebody: Person): Promise<Notification[]> =>
  (await person(server.url, somebody.credentials).get('/notifications')).body.notifications
const kindsToldTo = async (somebody: Person) => (await toldTo(somebody)).map(({ kind }) => kind).sort()
const aboutFiles = async (somebody: Person) =>
  (await toldTo(somebody)).find(({ kind, name }) => kind === 'new-files' && name === 'client')

/** Everything that has happened has been looked at. */
const allLookedAt = () =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ behind: number }>`
        select count(*)::integer as behind from client_counters
        left join notification_cursors using (client_id)
        where last_event > coalesce(event_id, 0)`.execute(db())
      return rows[0]!.behind
    })
    .toBe(0)

const emailOf = ({ id }: Person) => `${id}@example.com`

/** The client has uploaded, a delivery has failed, somebody must sign in, and the storage is nearly full. */
async function muchHappens(client: ClientWorld) {
  const at = `/admin/clients/${client.clientId}`
  const admin = person(server.url, {
    cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
  })
  const [asset] = [await client.portal.uploads(png(3, 2)), await client.portal.uploads(png(4, 2))]
  await client.operator.edits(asset.assetId, { title: 'Harbour at dawn' })
  const { body: connection } = await admin.post(`${at}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: 'http://127.0.0.1:9' },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })
  const wish = { assetRef: asset.assetRef, connectionId: connection.connectionId, surface: 'website' }
  const { body: delivery } = await client.agent.post(`${at}/deliveries`, wish)
  await sql`update jobs.job set retry_limit = 1 where data ->> 'deliveryId' = ${delivery.deliveryId}`.execute(
    db(),
  )
  await signInIsNeeded(client)
  await sql`update clients set quota_bytes = (select stored_bytes * 1.2 from client_counters where client_id = clients.id)
    where id = ${client.clientId}`.execute(db())
  await client.operator.edits(asset.assetId, { description: 'Boats in fog' })
  return asset
}

/** Its sign-in has run out, and the job that looks for that runs. */
async function signInIsNeeded({ clientId }: ClientWorld) {
  const login = { kind: 'linkedin', name: 'Page', settings: '{}', status: 'connected' } as const
  await db()
    .insertInto('connections')
    .values({
      client_id: clientId,
      id: newId('connection'),
      ...login,
      sign_in_until: new Date(0),
      created_by: 'tests',
    })
    .execute()
  await db()
    .transaction()
    .execute((trx) => server.parts.jobs.send(trx, 'renew', {}))
}

const client = await newClient(server)
const other = await newClient(server)

test('people are told of what concerns them, once, in the app, without a mail server', async () => {
  const { operator, viewer, portal } = client
  const asset = await muchHappens(client)
  const all = ['delivery-failed', 'new-files', 'quota-nearly-full', 'sign-in-needed']
  await expect.poll(() => kindsToldTo(operator)).toEqual(all)
  const told = await toldTo(operator)
  const of = (kind: string) => told.find((one) => one.kind === kind)
  const at = `/clients/${client.clientId}`
  expect(of('delivery-failed')).toMatchObject({ name: 'Harbour at dawn', path: `${at}/connections` })
  expect(of('sign-in-needed')).toMatchObject({ name: 'Page', path: `${at}/connections`, count: 1 })
  expect(of('quota-nearly-full')).toMatchObject({ count: 83, clientName: 'Harbour Café' })
  expect(of('new-files')).toMatchObject({ name: 'client', count: 2, path: `${at}/assets`, readAt: null })
  expect(await kindsToldTo(viewer), 'who can do nothing about a delivery').toEqual([
    'new-files',
    'quota-nearly-full',
  ])
  for (const stranger of [portal, other.operator]) expect(await toldTo(stranger)).toEqual([])

  await db().updateTable('clients').set({ quota_bytes: 1e9 }).where('id', '=', client.clientId).execute()
  // All of it is read from the beginning once more, as by a process that knew nothing of the other.
  await sql`update notification_cursors set event_id = 0`.execute(db())
  await other.operator.uploads(png(9, 9))
  await allLookedAt()
  expect(await toldTo(operator)).toEqual(told)

  const reads = (notificationIds?: string[]) =>
    operator.post('/notifications/read', notificationIds ? { notificationIds } : {})
  const { notificationId } = of('new-files')!
  expect((await viewer.post('/notifications/read', { notificationIds: [notificationId] })).body).toEqual({
    unread: 2,
  })
  expect((await reads([notificationId, 'notification_x'])).body).toEqual({ unread: 3 })
  expect((await reads([])).body, 'none named').toEqual({ unread: 3 })
  await portal.uploads(png(5, 2))
  await expect.poll(() => aboutFiles(operator)).toMatchObject({ notificationId, count: 3, readAt: null })
  expect((await operator.get('/notifications?limit=1')).body).toMatchObject({
    notifications: [{ notificationId }],
    unread: 4,
    nextCursor: expect.any(String),
  })
  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await operator.get(`/notifications?limit=3${cursor && `&cursor=${cursor}`}`)
    pages.push(...body.notifications.map((one: Notification) => one.kind))
    if (!body.nextCursor) break
    cursor = encodeURIComponent(body.nextCursor)
  }
  expect(pages.sort()).toEqual(all)
  expect((await reads()).body).toEqual({ unread: 0 })

  // Guests are told of by the name they gave, and an answer leads to what it is about.
  const asked = await operator.post(`/admin/clients/${client.clientId}/upload-requests`, { title: 'Photos' })
  await sendsFile(person(server.url, {}), new URL(asked.body.url).pathname)
  const aboutGuest = (path: string) =>
    expect.objectContaining({ kind: 'guest-files', name: guestFile.sender, path })
  await expect.poll(() => toldTo(operator)).toContainEqual(aboutGuest(`${at}/share-links`))
  expect(await toldTo(portal)).toContainEqual(aboutGuest('/portal/share-links'))
  expect(await kindsToldTo(viewer), 'who may not look at what waits').not.toContain('guest-files')
  const answer = { version: 1, decision: 'approved' }
  expect((await portal.put(`/portal/assets/${asset.assetId}/approval`, answer)).status).toBe(200)
  await expect
    .poll(() => toldTo(operator))
    .toContainEqual(
      expect.objectContaining({
        kind: 'review-answered',
        name: 'Harbour at dawn',
        path: `${at}/assets?look=${asset.assetId}&panel=review`,
      }),
    )

  expect((await portal.get('/notifications/settings')).body).toEqual({
    mail: false,
    settings: [
      ...['rights-ending', 'guest-files', 'review-asked', 'review-answered', 'commented'].map((kind) => ({
        kind,
        way: 'daily',
      })),
      { kind: 'mentioned', way: 'at-once' },
    ],
  })
  const off = await operator.patch('/notifications/settings', { 'new-files': 'off' })
  expect(off.body.settings).toContainEqual({ kind: 'new-files', way: 'off' })
  await portal.uploads(png(6, 2))
  await expect.poll(() => aboutFiles(viewer)).toMatchObject({ count: 4 })
  expect(await aboutFiles(operator)).toMatchObject({ count: 3, readAt: expect.any(String) })
  await sql`delete from user_clients where user_id = ${operator.id}`.execute(db())
  expect((await operator.get('/notifications')).body, 'not theirs any more').toMatchObject({
    notifications: [],
    unread: 0,
  })
})

test('mail comes at once or once a day, to those who may still know, in their language and with the way to their own door', async () => {
  const { operator, portal } = other
  await operator.patch('/auth/me', { language: 'de' })
  await operator.patch('/notifications/settings', { 'sign-in-needed': 'at-once', 'new-files': 'app' })
  const soon = new Date(Date.now() + 13 * 86_400_000)
  const later = new Date(Date.now() + 15 * 86_400_000)
  for (const [index, rightsExpireAt] of [soon, soon, later].entries()) {
    const { assetId } = await operator.uploads(png(2 + index, 7))
    await operator.edits(assetId, { rightsExpireAt: rightsExpireAt.toISOString() })
  }
  const ending = await portal.lists({ rights: 'ending', everywhere: true })
  expect(ending.body.assets).toHaveLength(2)
  await portal.uploads(png(20, 20))
  await allLookedAt()

  // A day passes while nobody runs; then there is a mail server.
  await server.stop()
  const between = await startServer({ ...environment, ROLE: 'api' })
  await sql`update jobs.schedule set created_on = now() - interval '2 days'`.execute(between.parts.db)
  await sql`delete from jobs.job where name like '\\_\\_pgboss%'`.execute(between.parts.db)
  await sql`update jobs.version set cron_on = now() - interval '25 hours'`.execute(between.parts.db)
  await between.stop()
  server = await startServer({ ...environment, ...post.environment })

  const toPortal = await post.next(emailOf(portal))
  expect(toPortal.subject).toContain('one thing')
  expect(toPortal.text).toContain('The rights to 2 assets end.')
  expect(toPortal.text).toContain(`${server.parts.config.publicUrl}/app/portal/assets?rights=ending`)
  const digest = await post.next(emailOf(operator))
  expect(digest.text).toContain('Die Rechte an 2 Medien laufen ab.')
  expect(digest.text).toContain(`/app/clients/${other.clientId}/assets?rights=ending`)
  expect(digest.text, 'wanted in the app only').not.toContain('hochgeladen')
  expect(digest.html).toContain(`<a href="${server.parts.config.publicUrl}/app/clients/`)
  // Of the client that this operator was taken from, nothing was sent; its viewer has not seen what happened.
  expect((await post.next(emailOf(client.viewer))).text).toContain('client has uploaded 4 files.')

  await signInIsNeeded(other)
  const atOnce = await post.next(emailOf(operator), [digest])
  expect(atOnce.text).toContain('Bei der Verbindung „Page“ muss sich jemand neu anmelden.')
  const sent = post.received.length
  const lastRun = async () =>
    (
      await sql<{
        at: Date
      }>`select last_succeeded_at as at from scheduled_runs where name = 'digest'`.execute(db())
    ).rows[0]!.at.getTime()
  const before = await lastRun()
  await db()
    .transaction()
    .execute((trx) => server.parts.jobs.send(trx, 'digest', {}))
  await expect.poll(lastRun).toBeGreaterThan(before)
  await mailIsSent()
  expect(
    post.received.slice(sent).filter((mail) => [emailOf(operator), emailOf(portal)].includes(mail.to)),
  ).toEqual([])
  expect(post.received.filter((mail) => mail.to === emailOf(client.operator))).toEqual([])
})

test('who is asked, answered, spoken to or mentioned is told, and nobody else or of their own doing', async () => {
  const asked = await newClient(server)
  const { operator, portal, viewer, clientId } = asked
  const colleague = await anotherOperator(asked)
  const stranger = (await newClient(server)).operator
  await portal.patch('/auth/me', { language: 'de' })
  const atOnce = { 'review-asked': 'at-once', 'review-answered': 'at-once', commented: 'at-once' }
  for (const one of [operator, colleague, portal]) await one.patch('/notifications/settings', atOnce)
  const { assetId } = await colleague.uploads(png(8, 8), { words: { title: 'Pier' } })
  const shown = `?look=${assetId}&panel=review`
  const toOperator = { name: 'Pier', path: `/clients/${clientId}/assets${shown}` }
  const toPortal = { name: 'Pier', path: `/portal/assets${shown}` }
  const seen: Mail[] = []
  const reads = async (somebody: Person, sentence: string) => {
    const mail = await post.next(emailOf(somebody), seen)
    seen.push(mail)
    expect(mail.text).toContain(sentence)
    return mail
  }

  // Asked and answered, either way round.
  await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds: [assetId] })
  const german = await reads(portal, '„Pier“ wartet auf eine Antwort.')
  expect(german.text).toContain(`${server.parts.config.publicUrl}/app/portal/assets${shown}`)
  await reads(colleague, '“Pier” waits for an answer.')
  expect(await toldTo(portal)).toMatchObject([{ kind: 'review-asked', count: 1, ...toPortal }])
  await portal.put(`/portal/assets/${assetId}/approval`, { version: 1, decision: 'changes-requested' })
  await reads(operator, 'There is an answer about “Pier”.')
  await reads(colleague, 'There is an answer about “Pier”.')
  expect(await toldTo(operator)).toMatchObject([{ kind: 'review-answered', ...toOperator }])
  await portal.post('/portal/reviews', { assetIds: [assetId] })
  await reads(operator, '“Pier” waits for an answer.')
  await reads(colleague, '2 assets wait for an answer, the last one is “Pier”.')
  await operator.put(`/admin/clients/${clientId}/assets/${assetId}/approval`, {
    version: 1,
    decision: 'approved',
  })
  await reads(portal, 'Zu „Pier“ gibt es eine Antwort.')
  await reads(colleague, 'There is an answer about “Pier”.')

  // The uploader, and who asked or answered; who is mentioned is told of that alone, a viewer too.
  const comments = `${operator.door.assets}/${assetId}/comments`
  const said = await operator.post(comments, { text: 'Brighter?', mentions: [portal.id, viewer.id] })
  await reads(portal, 'Jemand hat Sie bei „Pier“ erwähnt.')
  await reads(viewer, 'Somebody has mentioned you at “Pier”.')
  await reads(colleague, 'There is a new comment on “Pier”.')
  await portal.post(`/portal/assets/${assetId}/comments`, { text: 'Yes', threadId: said.body.commentId })
  await reads(operator, 'There is a new comment on “Pier”.')
  await reads(colleague, 'There are new comments on “Pier”.')
  const kindsOf = async (somebody: Person, ...kinds: string[]) => {
    await allLookedAt()
    return (await toldTo(somebody)).filter(({ kind }) => kinds.includes(kind))
  }
  const talk = ['commented', 'mentioned'] as const
  expect(await kindsOf(operator, ...talk)).toMatchObject([{ kind: 'commented', count: 1, ...toOperator }])
  expect(await kindsOf(colleague, ...talk)).toMatchObject([{ kind: 'commented', count: 2 }])
  expect(await kindsOf(portal, ...talk)).toMatchObject([{ kind: 'mentioned', count: 1, ...toPortal }])
  expect(await kindsOf(viewer, ...talk)).toMatchObject([{ kind: 'mentioned', ...toOperator }])

  // A thread that others are in concerns nobody who is not; what a guest says concerns all who look after the client.
  const other = await portal.uploads(png(9, 8), { words: { title: 'Quay' } })
  const mine = await operator.post(`${operator.door.assets}/${other.assetId}/comments`, { text: 'Nice' })
  await reads(portal, 'Zu „Quay“ gibt es einen neuen Kommentar.')
  const aboutQuay = async (somebody: Person) =>
    (await kindsOf(somebody, ...talk)).filter(({ name }) => name === 'Quay')
  expect(await aboutQuay(colleague)).toEqual([])
  const link = await portal.post('/portal/share-links', {
    title: 'Look',
    assetIds: [other.assetId],
    review: true,
  })
  const shared = `${new URL(link.body.url).pathname}/assets/${other.assetId}`
  const guest = person(server.url, {})
  const words = { name: 'Gerda', version: 1, text: 'Lovely' }
  expect((await guest.post(`${shared}/comments`, words)).status).toBe(201)
  for (const one of [operator, colleague]) await reads(one, 'There is a new comment on “Quay”.')
  await reads(portal, 'Zu „Quay“ gibt es einen neuen Kommentar.')
  expect(await aboutQuay(viewer)).toEqual([])

  // What somebody does not want, what is gone, and who may no longer see it: no word.
  await portal.patch('/notifications/settings', { mentioned: 'off' })
  await sql`delete from user_clients where user_id = ${colleague.id}`.execute(db())
  const received = post.received.length
  await operator.post(comments, { text: 'You?', mentions: [portal.id], threadId: said.body.commentId })
  await operator.delete(`${operator.door.assets}/${other.assetId}/comments/${mine.body.commentId}`)
  await allLookedAt()
  expect(await kindsOf(portal, 'mentioned')).toMatchObject([{ count: 1 }])
  expect((await colleague.get('/notifications')).body).toMatchObject({ notifications: [], unread: 0 })
  expect(await toldTo(stranger)).toEqual([])
  await mailIsSent()
  expect(post.received.slice(received)).toEqual([])

  // What was read is not counted again; what stands for many leads to all of them.
  await portal.post('/notifications/read', {})
  const asksAbout = async (title: string) => {
    const { assetId } = await portal.uploads(png(8, 9), { words: { title } })
    await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds: [assetId] })
    await allLookedAt()
    const [told] = (await toldTo(portal)).filter(({ kind }) => kind === 'review-asked')
    return { told, path: `/portal/assets?look=${assetId}&panel=review` }
  }
  const first = await asksAbout('Mole')
  expect(first.told).toMatchObject({ count: 1, name: 'Mole', path: first.path })
  expect((await asksAbout('Lock')).told).toMatchObject({ count: 2, name: 'Lock', path: '/portal/review' })
})

/** Somebody else of the agency who sees the client. */
async function anotherOperator({ clientId, operator: { door } }: ClientWorld): Promise<Person> {
  const { operator } = await newClient(server)
  await db().insertInto('user_clients').values({ client_id: clientId, user_id: operator.id }).execute()
  return operator.at(door)
}

const mailIsSent = () =>
  expect
    .poll(async () => (await server.parts.jobs.waiting()).find(({ name }) => name === 'mail')!.queued)
    .toBe(0)

test('who is asked about many at once is told of all of them in one go', async () => {
  const { operator, portal, clientId } = await newClient(server)
  const assetIds: string[] = []
  for (let n = 0; n < 5; n++) assetIds.push((await operator.uploads(png(3, 30 + n))).assetId)
  await allLookedAt()
  const statements = statementsOf(server)
  await operator.post(`/admin/clients/${clientId}/reviews`, { assetIds })
  await allLookedAt()
  expect(await toldTo(portal)).toMatchObject([{ kind: 'review-asked', count: 5 }])
  expect(statements.filter((text) => text.startsWith('insert into "notifications"'))).toHaveLength(1)

  // Many answers that want nothing of anybody are one; what is to be changed is told of by itself.
  const [wanting, ...fine] = assetIds.map((assetId) => ({ assetId, version: 1 }))
  const decide = (assets: unknown[], decision: string) =>
    portal.post('/portal/reviews/decide', { assets, decision, note: 'As said' })
  await decide(fine, 'approved')
  await decide([wanting], 'changes-requested')
  await allLookedAt()
  expect((await toldTo(operator)).filter(({ kind }) => kind === 'review-answered')).toMatchObject([
    { count: 1, path: `/clients/${clientId}/assets?look=${wanting!.assetId}&panel=review` },
    { count: 4, path: `/clients/${clientId}/review?show=all` },
  ])
})

test('what strangers call themselves is no word of ours in a mail: short, quoted, and nothing to follow', async () => {
  const { operator, clientId } = await newClient(server)
  await operator.patch('/notifications/settings', { 'guest-files': 'at-once' })
  const asked = await operator.post(`/admin/clients/${clientId}/upload-requests`, { title: 'Photos' })
  await sendsFile(person(server.url, {}), new URL(asked.body.url).pathname, undefined, {
    sender: 'Your session ended”, sign in at https://evil.test/login - the library',
  })
  const mail = await post.next(emailOf(operator))
  const sentence =
    "Harbour Café: A guest who goes by “Your session ended', sign in at https: //evil. test/login -…” has sent a file."
  expect(mail.text).toContain(sentence)
  expect(mail.html, 'the subject, too').toContain(`<title>${sentence}</title>`)
})
