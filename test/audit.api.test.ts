import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Session } from '../contract/access.ts'
import type { Activity } from '../contract/activity.ts'
import type { AuditEntry } from '../contract/audit.ts'
import { makeLink } from '../server/access/links.ts'
import { codeOf } from '../server/access/second-factor/totp.ts'
import { trailQuery } from '../server/audit/trail.ts'
import { newId } from '../server/ids.ts'
import { purgeTrash } from '../server/trash/purge.ts'
import { json, peer, wordpressPeer } from './delivery-peers.ts'
import { sendsFile } from './guest-file.ts'
import { type Person, puts } from './person.ts'
import { aFilm, filmSession, pixel, png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { type Route, routeTable } from './route-table.ts'
import { aModel, behindDoor, bodyFor, pathOf, suggestionFor, type Things, thingsOf } from './things.ts'
import { adminLogin, hasOwnPassword, ownWorld } from './world.ts'

// No jobs: what is kept here was done by those who ask.
const w = await ownWorld({ ROLE: 'api', OUTBOUND_ALLOW: '127.0.0.1', TRUST_PROXY: '1', ...aModel })
const acme = await w.newClient('Acme')
const own = await thingsOf(w, acme)
const site = await wordpressPeer()
const { db } = w.parts

/** Routes that may leave no trace, and why. */
const exempt: Record<string, string> = {
  'PUT /admin/seo/agents/:agentId/runtime': 'An agent says that it lives, many times an hour.',
  'POST assets/upload-session/taken-names': 'A question that changes nothing.',
  'POST assets/summary': 'A question that changes nothing.',
  'POST assets/download': 'It is kept when the zip is fetched: test/zip.api.test.ts.',
  ...Object.fromEntries(
    ['', '/:batchId/cancel', '/:batchId/undo'].map((step) => [
      `POST assets/batches${step}`,
      'What the job does to each asset is kept: test/batches.api.test.ts.',
    ]),
  ),
  'POST suggestions/runs/:runId/cancel': 'What was asked for is kept, and what comes of it.',
  'POST assets/upload-session/parts': 'Addresses for an upload whose beginning is kept.',
  'POST /admin/clients/:clientId/asset-refs/resolve': 'A question; it changes nothing.',
  'POST /admin/clients/:clientId/asset-refs/plan': 'A question; it changes nothing.',
  'POST /admin/clients/:clientId/connections/:connectionId/sign-in':
    'An address at the vendor; what comes of it is kept.',
  'POST /admin/connections/sign-in': 'It needs a vendor: test/sign-in.api.test.ts tries that it is kept.',
  'POST /auth/forgot': 'A job looks whose it is, and keeps it: test/accounts.api.test.ts.',
  'POST /auth/totp': 'A secret that counts when it is confirmed, and that is kept.',
  'POST /auth/passkeys/options': 'A question for the browser; what comes of it is kept.',
  'POST /auth/passkeys/sign-in-options': 'A question for the browser.',
  'POST /auth/passkeys/sign-in': 'It needs a passkey: test/second-factor.api.test.ts.',
  'POST /auth/passkeys': 'It needs a passkey: test/second-factor.api.test.ts.',
  'POST /auth/identities/:provider': 'It needs a provider: test/single-sign-on.api.test.ts.',
  'DELETE /auth/identities/:provider': 'It needs a provider: test/single-sign-on.api.test.ts.',
  'POST /auth/second-factor': 'It needs a first step: test/second-factor.api.test.ts.',
  'POST /s/:shareToken/open': 'Of a guest less is kept: test/shares.api.test.ts.',
  'PUT /s/:shareToken/assets/:assetId/approval': 'Of a guest less is kept: test/shares.api.test.ts.',
  'POST /s/:shareToken/assets/:assetId/comments': 'Of a guest less is kept: test/shares.api.test.ts.',
  ...Object.fromEntries(
    ['', '/progress', '/parts', '/cancel'].map((step) => [
      `POST /u/:requestToken/files${step}`,
      'It is kept when a file has arrived, or is refused.',
    ]),
  ),
  'POST /u/:requestToken/files/done': 'Of a guest less is kept: test/upload-requests.api.test.ts.',
  'POST /notifications/read': 'What somebody has read is a matter of their own.',
  'POST /oauth/register': 'Anybody can, and it opens nothing; whom somebody lets in is kept.',
  'POST /oauth/token': 'What was allowed is kept, and what ends it: test/agent-sign-in.api.test.ts.',
  'POST /oauth/revoke': 'It needs a token: test/agent-sign-in.api.test.ts.',
  'POST /mcp': 'Each tool leaves what it does; see below.',
  'DELETE /mcp': 'Ends what an agent listens to.',
}

interface Way {
  as?: Person
  things?: Partial<Things>
  body?: object
  /** It is done to another client. */
  elsewhere?: boolean
}

/** What has to be there first for a route to do something. */
const ways: Record<string, (as: Person) => Promise<Way>> = {
  'POST /auth/login': async () => ({ as: w.nobody, body: adminLogin }),
  'PATCH assets/words': async () => {
    const ifMatch = (await acme.operator.reads(own.assetId)).headers.get('etag')
    return { body: { changes: [{ assetId: own.assetId, ifMatch, altText: newId('key') }] } }
  },
  // What is so already leaves nothing.
  'POST assets/batch': async () => ({
    body: { assetIds: [own.assetId], action: 'tag', tags: [newId('key')] },
  }),
  'POST /auth/logout': async () => ({ as: await w.login(adminLogin.email, adminLogin.password) }),
  'POST /auth/password': async () => {
    const [email, password] = [`${newId('user')}@example.com`, 'a password of some length']
    await w.admin.post('/admin/users', { email, name: 'New', role: 'viewer', password })
    const body = { current: password, next: 'another password of some length' }
    return { as: await w.login(email, password), body }
  },
  'POST /auth/totp/confirm': async () => {
    const as = await newcomer()
    const { secret } = (await as.post('/auth/totp', proof)).body
    return { as, body: { code: codeOf(secret, Math.floor(Date.now() / 30_000)) } }
  },
  'DELETE /auth/totp': async () => ({ as: await newcomer(), body: proof }),
  'POST /auth/recovery-codes': async () => {
    const as = await newcomer()
    const { secret } = (await as.post('/auth/totp', proof)).body
    await as.post('/auth/totp/confirm', { code: codeOf(secret, Math.floor(Date.now() / 30_000)) })
    return { as, body: proof }
  },
  'DELETE /auth/passkeys/:passkeyId': async () => {
    const as = await newcomer()
    const { id: user_id } = (await as.get('/auth/me')).body
    const passkeyId = newId('passkey')
    await db
      .insertInto('passkeys')
      .values({
        id: passkeyId,
        user_id,
        credential_id: passkeyId,
        public_key: '',
        counter: 0,
        transports: [],
        name: 'Key',
      })
      .execute()
    return { as, things: { passkeyId }, body: proof }
  },
  'DELETE /admin/users/:userId/second-factor': async () => {
    const email = `${newId('user')}@example.com`
    const { body } = await w.admin.post('/admin/users', { email, name: 'New', role: 'viewer' })
    return { things: { userId: body.userId } }
  },
  'POST /auth/reset': () => linked('reset'),
  'POST /auth/accept-invitation': () => linked('invitation'),
  'POST /auth/confirm-email': () => linked('email'),
  'DELETE /auth/sessions/:sessionId': async () => {
    const as = await w.login(adminLogin.email, adminLogin.password)
    const { sessions } = (await as.get('/auth/sessions')).body
    const sessionId = sessions.find(({ isCurrent }: Session) => isCurrent).sessionId
    return { as, things: { sessionId } }
  },
  'DELETE /admin/api-keys/:keyId': hasAgent,
  'DELETE /admin/agents/:agentId': letsIn,
  'DELETE /admin/clients/:clientId/agents/:keyId': hasAgent,
  'DELETE /portal/agents/:keyId': hasAgent,
  'DELETE /portal/connected-agents/:agentId': letsIn,
  'PUT /admin/clients/:clientId/uses/:kind/:externalId': async () => ({ things: { externalId: 'new-post' } }),
  'POST /admin/clients/:clientId/asset-refs/replace': async () => {
    const { assetId } = await acme.operator.uploads()
    await acme.agent.put(`/admin/clients/${acme.clientId}/uses/blog-post/swap`, {
      status: 'draft',
      assetRefs: [assetId],
    })
    return { things: { assetId } }
  },
  'PATCH /admin/clients/:clientId/connections/:connectionId': connected,
  'DELETE /admin/clients/:clientId/connections/:connectionId': connected,
  'POST /admin/clients/:clientId/connections/:connectionId/test': connected,
  'POST /admin/clients/:clientId/deliveries/': async () => {
    const { assetId } = await acme.operator.uploads(png(20, 20))
    return { things: { assetId, ...(await connected()).things } }
  },
  'POST /admin/clients/:clientId/deliveries/redeliver': async () => {
    const { assetId } = await acme.operator.uploads(png(20, 20))
    await delivered('done', { assetId })
    await acme.operator.uploads(png(30, 30), { session: { replacesAssetId: assetId } })
    return { things: { assetId } }
  },
  'POST /admin/clients/:clientId/deliveries/:deliveryId/retry': () => delivered('failed'),
  'POST /admin/clients/:clientId/deliveries/:deliveryId/cancel': () => delivered('queued'),
  'POST /admin/clients/:clientId/deliveries/:deliveryId/settle': () => delivered('unknown'),
  'POST /admin/clients/:clientId/deliveries/:deliveryId/confirm': replacement,
  'POST /admin/clients/:clientId/deliveries/:deliveryId/undo': replacement,
  'POST /admin/clients/:clientId/pull-grants/': async () => {
    const { assetId } = await acme.operator.uploads(png(400, 400))
    return { things: { assetId } }
  },
  'DELETE share-links/:shareLinkId': shared,
  'POST reviews/': async () => ({ things: { assetId: (await acme.operator.uploads()).assetId } }),
  'PATCH assets/:assetId/comments/:commentId': commented,
  'DELETE assets/:assetId/comments/:commentId': commented,
  'DELETE upload-requests/:uploadRequestId': asked,
  'POST /admin/webhooks/:webhookId/test': hooked,
  'POST /admin/webhooks/:webhookId/replay': hooked,
  'POST /admin/webhooks/:webhookId/resend': hooked,
  'DELETE /admin/webhooks/:webhookId': hooked,
  'POST assets/upload-session/finalize': async () => {
    const { body } = await acme.operator.opensUpload()
    await puts(body, pixel)
    return { things: { uploadToken: body.uploadToken } }
  },
  'DELETE assets/upload-session/:uploadSessionId': async () => {
    const { body } = await acme.operator.opensUpload()
    return { things: { uploadSessionId: body.uploadSessionId } }
  },
  'POST assets/folders/restore': async () => {
    const { folderId } = await acme.operator.makesFolder(newId('folder'))
    await acme.operator.deletesFolder(folderId)
    return { things: { trashedFolderId: folderId } }
  },
  'DELETE assets/folders': async () => {
    const { folderId } = await acme.operator.makesFolder(newId('folder'))
    return { things: { folderId } }
  },
  'DELETE assets/:assetId': async () => {
    const { assetId } = await acme.operator.uploads()
    return { things: { assetId } }
  },
  'DELETE /admin/users/:userId': async () => ({ things: { userId: (await w.newClient()).viewer.id } }),
  'DELETE /admin/clients/:clientId': async () => ({
    things: { clientId: (await w.newClient('Gone soon')).clientId },
    body: { confirmName: 'Gone soon' },
    elsewhere: true,
  }),
  'DELETE assets/trash': async () => {
    const { assetId } = await acme.operator.uploads()
    await acme.operator.trashes(assetId)
    return {}
  },
  'DELETE assets/:assetId/versions/:version': async () => {
    const { assetId } = await acme.operator.uploads(png(22, 20))
    await acme.operator.uploads(png(32, 30), { session: { replacesAssetId: assetId } })
    return { things: { assetId } }
  },
  'PUT assets/:assetId/hold': async () => ({
    things: { assetId: (await acme.operator.uploads()).assetId },
  }),
  'POST assets/:assetId/restore': async () => {
    const { assetId } = await acme.operator.uploads()
    await acme.operator.trashes(assetId)
    return { things: { assetId } }
  },
  'PUT /admin/clients/:clientId/suggestion-settings/': async () => ({
    body: { mode: 'on-request', language: 'de' },
  }),
  'POST suggestions/decide': suggested,
  'POST suggestions/:suggestionId/accept': suggested,
  'POST suggestions/:suggestionId/decline': suggested,
  'PATCH saved-searches/:savedSearchId': saved,
  'DELETE saved-searches/:savedSearchId': saved,
  'PATCH collections/:collectionId': collected,
  'DELETE collections/:collectionId': collected,
  'POST collections/:collectionId/restore': deletedCollection,
  'POST collections/:collectionId/assets': () => collected(acme.operator, []),
  'PATCH collections/:collectionId/assets': collected,
  'DELETE collections/:collectionId/assets': collected,
  'POST duplicates/keep': async () => {
    const [{ assetId: keep }, { assetId }] = [await acme.operator.uploads(), await acme.operator.uploads()]
    return { body: { keep, others: [assetId] } }
  },
  'POST duplicates/kept-groups': async () => ({ body: { assetIds: await twice() } }),
  'DELETE duplicates/kept-groups/:keptGroupId': async () => {
    const path = `/admin/clients/${acme.clientId}/duplicates/kept-groups`
    const { body } = await acme.operator.post(path, { assetIds: await twice() })
    return { things: { keptGroupId: body.keptGroupId } }
  },
  'POST waiting-room/accept': waiting,
  'POST waiting-room/decline': waiting,
  'POST assets/:assetId/versions/:version/restore': async () => {
    const { assetId } = await acme.operator.uploads(png(21, 20))
    await acme.operator.uploads(png(31, 30), { session: { replacesAssetId: assetId } })
    return { things: { assetId } }
  },
  'POST assets/:assetId/proxy': async () => {
    const { assetId } = await acme.operator.uploads(await aFilm(), filmSession)
    return { things: { assetId } }
  },
  'POST assets/:assetId/media/retry': async () => {
    const { assetId } = await acme.operator.uploads()
    await db.updateTable('assets').set({ media_state: 'failed' }).where('id', '=', assetId).execute()
    return { things: { assetId } }
  },
}

const twice = async () =>
  [await acme.operator.uploads(), await acme.operator.uploads()].map(({ assetId }) => assetId)

/** By whoever asks: an agent is its person's. */
async function letsIn(as: Person): Promise<Way> {
  const consent = routeTable().find(({ method, url }) => method === 'POST' && url === '/oauth/consent')!
  await as.post('/oauth/consent', bodyFor(consent, own))
  const { agents } = (await as.get(as === acme.portal ? '/portal/connected-agents' : '/admin/agents')).body
  return { things: { agentId: agents[0].agentId } }
}

async function hasAgent(): Promise<Way> {
  const { body } = await w.admin.post('/admin/api-keys', {
    name: 'Stopped soon',
    role: 'agent',
    clientIds: [acme.clientId],
  })
  return { things: { keyId: body.keyId } }
}

async function asked(): Promise<Way> {
  const { body } = await acme.operator.post(`/admin/clients/${acme.clientId}/upload-requests`, {
    title: 'Harbour',
  })
  return { things: { uploadRequestId: body.uploadRequestId } }
}

async function waiting(): Promise<Way> {
  const { session } = await sendsFile(w.nobody, `/u/${own.requestToken}`)
  return { things: { waitingUploadId: session.uploadSessionId } }
}

async function collected(_as: Person, assetIds = [own.assetId]): Promise<Way> {
  const { body } = await acme.operator.post(`/admin/clients/${acme.clientId}/collections`, {
    name: newId('collection'),
    ...(assetIds.length > 0 && { assetIds }),
  })
  return { things: { collectionId: body.collectionId } }
}

async function deletedCollection(as: Person): Promise<Way> {
  const way = await collected(as)
  await acme.operator.delete(`/admin/clients/${acme.clientId}/collections/${way.things!.collectionId}`)
  return way
}

async function suggested(): Promise<Way> {
  const { assetId } = await acme.operator.uploads()
  return { things: { assetId, suggestionId: await suggestionFor(w, acme.clientId, assetId) } }
}

/** By whoever asks: people of the portal change only what they made. */
async function saved(as: Person): Promise<Way> {
  const base = as === acme.portal ? '/portal' : `/admin/clients/${acme.clientId}`
  const { body } = await as.post(`${base}/saved-searches`, {
    name: `Menus ${newId('search')}`,
    search: { q: 'menu' },
    for: 'client',
  })
  return { things: { savedSearchId: body.savedSearchId } }
}

async function shared(): Promise<Way> {
  const { body } = await acme.operator.post(`/admin/clients/${acme.clientId}/share-links`, {
    title: 'For the printer',
    assetIds: [own.assetId],
  })
  return { things: { shareLinkId: body.shareLinkId } }
}

/** By whoever asks: only its author takes a comment away. */
async function commented(as: Person): Promise<Way> {
  const { assets } = as === acme.portal ? acme.portal.door : acme.operator.door
  const { body } = await as.post(`${assets}/${own.assetId}/comments`, { text: 'Brighter' })
  return { things: { commentId: body.commentId } }
}

const proof = { password: 'a password of some length' }

/** Somebody with a password of their own. */
async function newcomer(): Promise<Person> {
  const email = `${newId('user')}@example.com`
  await w.admin.post('/admin/users', { email, name: 'New', role: 'viewer', ...proof })
  await hasOwnPassword(w, email)
  return w.login(email, proof.password)
}

/** Somebody with a link at hand. */
async function linked(purpose: 'reset' | 'invitation' | 'email'): Promise<Way> {
  const email = `new-${newId('user')}@example.com`
  const { userId } = (
    await w.admin.post('/admin/users', { email: `${newId('user')}@example.com`, name: 'New', role: 'viewer' })
  ).body
  const { url } = await db.transaction().execute((trx) => makeLink(trx, w.url, { userId, purpose, email }))
  const token = url.split('#')[1]!
  return {
    as: w.nobody,
    body: purpose === 'email' ? { token } : { token, password: 'a password of some length' },
  }
}

// The store's own: the bytes of an upload, whose beginning and end are kept.
const changing = routeTable().filter(
  (route) =>
    !['GET', 'HEAD', 'OPTIONS'].includes(route.method) &&
    route.url !== '/objects/*' &&
    !(nameOf(route) in exempt),
)

test('the table has the routes, and every exempt one is among them', () => {
  expect(changing.length).toBeGreaterThan(50)
  const names = routeTable().map(nameOf)
  for (const name of [...Object.keys(exempt), ...Object.keys(ways)]) expect(names).toContain(name)
})

test.each(changing)('$method $url leaves who did what, and from where', async (route) => {
  const usual = route.url.startsWith('/portal/') ? acme.portal : w.admin
  const way = (await ways[nameOf(route)]?.(usual)) ?? {}
  const things = { ...own, ...way.things }
  const as = way.as ?? usual
  const me = (await as.get('/auth/me')).body
  const userAgent = `tests/${newId('key')}`
  const answer = await as.call(route.method, pathOf(route, things), way.body ?? bodyFor(route, things), {
    'user-agent': userAgent,
    'x-forwarded-for': '203.0.113.7',
  })
  expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(200)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)

  const rows = await db.selectFrom('audit_trail').selectAll().where('user_agent', '=', userAgent).execute()
  expect(rows).not.toEqual([])
  for (const row of rows) {
    expect(row).toMatchObject({ address: '203.0.113.7', request_id: expect.stringMatching(/^[\w-]{10,}$/) })
    if (as !== w.nobody) expect(row).toMatchObject({ principal_kind: 'user', principal_id: me.id })
    if (route.url.includes(':clientId') || route.url.startsWith('/portal/'))
      expect(row.client_id).toBe(way.elsewhere ? things.clientId : acme.clientId)
  }
})

test('a login that fails is kept, without what was typed', async () => {
  const userAgent = `tests/${newId('key')}`
  const tries = [
    { email: adminLogin.email, password: 'a wrong password' },
    { email: 'hunter2-in-the-wrong-field', password: 'another wrong one' },
  ]
  for (const login of tries)
    expect(await w.nobody.post('/auth/login', login, { 'user-agent': userAgent })).toEqual(
      refusal('wrong-login'),
    )
  const rows = await db
    .selectFrom('audit_trail')
    .selectAll()
    .where('user_agent', '=', userAgent)
    .orderBy('id')
    .execute()
  const me = (await w.admin.get('/auth/me')).body
  expect(rows).toMatchObject([
    { action: 'login.failed', thing: me.id, principal_kind: 'nobody', principal_id: null },
    { action: 'login.failed', thing: null, name: null, principal_kind: 'nobody', principal_id: null },
  ])
  expect(JSON.stringify(rows)).not.toMatch(/hunter2|wrong/)
})

test('what an agent does over MCP is kept like anything else, under its key', async () => {
  const { clientId, agent, operator } = await w.newClient()
  const { assetRef } = await operator.uploads()
  const mcp = new Client({ name: 'tests', version: '1' })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', w.url), {
      requestInit: { headers: { ...agent.credentials, 'user-agent': 'agent/1' } },
    }),
  )
  const use = { kind: 'blog-post', externalId: 'post-1', status: 'draft', featuredAssetRef: assetRef }
  await mcp.callTool({ name: 'record_use', arguments: use })
  await mcp.close()
  const [entry] = await trail(`/admin/clients/${clientId}/audit?action=use`)
  expect(entry).toMatchObject({
    action: 'use.created',
    thing: 'blog-post/post-1',
    principal: { kind: 'key', id: agent.id, name: 'agent' },
    userAgent: 'agent/1',
    address: '127.0.0.1',
  })
})

test('what one person does to many in a row is one line, which opens to each, also where a page ends within it', async () => {
  const { clientId, operator, portal } = await w.newClient()
  const page = async (query: string): Promise<{ activity: Activity[]; nextCursor: string | null }> =>
    (await operator.get(`/admin/clients/${clientId}/activity?${query}`)).body
  const first = await operator.makesFolder('First')
  const writes = (action: string, count: number, at: string, who = 'user_a') =>
    sql`insert into audit_trail (at, client_id, action, thing, name, details, principal_kind, principal_id, principal_name)
      select ${at}::timestamptz, ${clientId}, ${action}, 'asset_' || n, 'File ' || n, '{"changed": ["tags"]}', 'user', ${who}, 'Ann'
      from generate_series(1, ${count}::integer) as n`.execute(w.parts.db)
  await writes('asset.updated', 2, '2026-01-01T08:00:00Z')
  await writes('asset.updated', 2200, '2026-01-01T09:00:00Z')
  await writes('asset.updated', 3, '2026-01-01T09:00:30Z', 'user_b')
  await writes('asset.trashed', 4, '2026-01-01T09:00:30Z', 'user_b')
  const all = await page('together=true&limit=200')
  expect(
    all.activity.map(({ action, name, together }) => [action, name, together?.count, together?.more]),
  ).toEqual([
    ['folder.created', 'First', undefined, undefined],
    ['asset.trashed', 'File 4', 4, false],
    ['asset.updated', 'File 3', 3, false],
    ['asset.updated', 'File 2200', 1992, true],
  ])
  expect(all.activity[1]!.together!.names).toEqual(['File 4', 'File 3', 'File 2'])
  const { activity: rest, nextCursor } = await page(`together=true&cursor=${all.nextCursor}`)
  expect(rest.map(({ name, together }) => [name, together?.count, together?.more])).toEqual([
    ['File 208', 208, false],
    ['File 2', 2, false],
  ])
  expect(nextCursor).toBe(null)

  // A page ends between two lines.
  const short = await page('together=true&limit=2')
  const idsOf = (lines: Activity[]) => lines.map(({ activityId }) => activityId)
  expect(idsOf(short.activity)).toEqual(idsOf(all.activity.slice(0, 2)))
  const next = await page(`together=true&limit=1&cursor=${short.nextCursor}`)
  expect(idsOf(next.activity)).toEqual(idsOf(all.activity.slice(2, 3)))
  expect(next.activity[0]!.together!.count).toBe(3)

  const { activity: each } = await page(`limit=4&cursor=${all.activity[1]!.together!.cursor}`)
  expect(each.map(({ action, name }) => [action, name])).toEqual(
    [4, 3, 2, 1].map((n) => ['asset.trashed', `File ${n}`]),
  )
  const seen = await portal.get(`${portal.door.assets.replace(/assets$/, 'activity')}?together=true`)
  expect(seen.body.activity[1]).toMatchObject({
    by: { kind: 'agency', id: null, name: null },
    together: { count: 4 },
  })
  expect((await page('')).activity[0]).toMatchObject({ thing: first.folderId })
  expect((await page('')).activity.some(({ together }) => together)).toBe(false)
})

test('a merge says into what, one by one and where several are one line', async () => {
  const { clientId, operator } = await w.newClient()
  const at = (path: string) => operator.door.assets.replace(/assets$/, path)
  const has = async (title: string, width = 30) =>
    (await operator.uploads(png(width, 9), { words: { title } })).assetId
  const [kept, twin, third] = [await has('Kept'), await has('Twin'), await has('Third')]
  const other = await has('Other', 31)
  await operator.post(at('duplicates/keep'), { keep: kept, others: [twin, third] })
  await operator.edits(kept, { title: 'Renamed' })
  const merges = async (query = '') => {
    const { activity } = (await operator.get(at(`activity?limit=200&${query}`))).body
    return (activity as Activity[])
      .filter(({ action }) => action === 'asset.merged')
      .map(({ name, into, together }) => [name, into, together?.count])
  }
  const renamed = { thing: kept, name: 'Renamed' }
  expect((await merges()).sort()).toEqual([
    ['Third', renamed, undefined],
    ['Twin', renamed, undefined],
  ])
  expect(await merges('together=true')).toEqual([[expect.any(String), renamed, 2]])

  // Where they went into several, only each says so.
  const told = (name: string, into: string) =>
    sql`insert into audit_trail (client_id, action, thing, name, details, principal_kind, principal_id, principal_name)
      values (${clientId}, 'asset.merged', ${newId('asset')}, ${name}, ${JSON.stringify({ into })}, 'user', 'user_a', 'Ann')`.execute(
      db,
    )
  await told('One', kept)
  await told('Two', other)
  expect((await merges('together=true'))[0]).toEqual(['Two', undefined, 2])
  expect((await merges()).slice(0, 2)).toEqual([
    ['Two', { thing: other, name: 'Other' }, undefined],
    ['One', renamed, undefined],
  ])
})

test('who works for a client is told who did what, downloads too; its own people are not told the names of the agency', async () => {
  const { clientId, operator, portal, viewer, agent } = await w.newClient()
  const other = await w.newClient()
  const { folderId } = await operator.makesFolder('Menus')
  const { assetId } = await operator.uploads(png(20, 20), { session: { folderId } })
  await portal.edits(assetId, { title: 'Spring', altText: 'A menu' })
  await agent.edits(assetId, { tags: ['spring'] })

  // Asked about, looked at, or gone on with: none of these is a copy taken home.
  const content = `${portal.door.assets}/${assetId}/content`
  await portal.fetch(`${content}?download=true`, { method: 'HEAD' })
  await portal.fetch(content)
  await portal.fetch(`${content}?download=true`, { headers: { range: 'bytes=5-' } })
  for (const from of ['bytes=0-', 'bytes=0-9'])
    expect((await portal.fetch(`${content}?download=true`, { headers: { range: from } })).status).toBe(206)
  await (await operator.fetch(`${operator.door.assets}/folders/download?folderId=${folderId}`)).arrayBuffer()

  const seenBy = async (person: Person, query = '') => {
    const { status, body } = await person.get(`${person.door.assets.replace(/assets$/, 'activity')}${query}`)
    expect(status).toBe(200)
    return (body.activity as Activity[]).map(({ action, by, changed }) => [action, by.kind, by.name, changed])
  }
  const me = async (person: Person) => (await person.get('/auth/me')).body.name
  const [operatorName, portalName] = [await me(operator), await me(portal)]
  const told = [
    ['folder.downloaded', 'user', operatorName, []],
    ['asset.downloaded', 'user', portalName, []],
    ['asset.downloaded', 'user', portalName, []],
    ['asset.updated', 'key', 'agent', ['tags']],
    ['asset.updated', 'user', portalName, ['title', 'altText']],
    ['asset.created', 'user', operatorName, []],
    ['folder.created', 'user', operatorName, []],
  ]
  expect(await seenBy(viewer)).toEqual(told)
  expect(await seenBy(operator, `?thing=${assetId}`)).toEqual(told.slice(1, 6))
  expect(await seenBy(portal)).toEqual(
    told.map((line) => (line[2] === portalName ? line : [line[0], 'agency', null, line[3]])),
  )
  expect(await seenBy(other.portal, `?thing=${assetId}`)).toEqual([])
  const { body } = await operator.get(`/admin/clients/${clientId}/activity?limit=1`)
  expect(body.nextCursor).toEqual(expect.any(String))
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|requestId|userAgent/)

  // Entries are numbered across all clients: neither ids nor cursors tell these numbers.
  const next = (cursor: string) =>
    operator.get(`/admin/clients/${clientId}/activity?limit=1&cursor=${cursor}`)
  const [second, again] = [await next(body.nextCursor), await next(body.nextCursor)]
  expect(second.body.activity).toMatchObject([{ action: told[1]![0] }])
  expect(again.body.activity).toEqual(second.body.activity)
  expect(body.activity[0].activityId).toMatch(/^[\w-]{22}$/)
  expect(Buffer.from(body.nextCursor, 'base64url').toString('utf8')).not.toMatch(/\d{4}-\d{2}-\d{2}T/)
  expect(await next(Buffer.from('["2026-01-01T00:00:00.000Z",1]').toString('base64url'))).toEqual(
    refusal('invalid-request'),
  )

  // What is only for deliverers and administrators is not in the client's list.
  await w.admin.patch(`/admin/clients/${clientId}`, { name: 'Renamed' })
  expect((await seenBy(viewer))[0]![0]).toBe('client.updated')
  expect((await seenBy(portal))[0]![0]).toBe('folder.downloaded')

  // Who opens a link is a guest, and not the agency, to both.
  const share = { title: 'For the printer', assetIds: [assetId] }
  const { url } = (await operator.post(`/admin/clients/${clientId}/share-links`, share)).body
  await w.nobody.post(`${new URL(url).pathname}/open`, {})
  for (const person of [portal, operator])
    expect((await seenBy(person))[0]).toEqual(['share-link.opened', 'nobody', 'For the printer', []])
})

test('what jobs do is kept under system', async () => {
  const { clientId, operator } = await w.newClient()
  const { assetId, title } = await operator.uploads()
  await operator.trashes(assetId)
  await db
    .updateTable('assets')
    .set({ trashed_at: new Date(0) })
    .where('id', '=', assetId)
    .execute()
  await purgeTrash(w.parts)
  const [entry] = await trail(`/admin/clients/${clientId}/audit`)
  expect(entry).toMatchObject({
    action: 'asset.purged',
    thing: assetId,
    name: title,
    principal: { kind: 'system', id: 'system' },
    address: null,
    requestId: null,
  })
})

test('a change that is refused or rolled back leaves nothing, and one that is repeated is kept once', async () => {
  const { clientId, operator } = await w.newClient()
  const names = async () => (await trail(`/admin/clients/${clientId}/audit`)).map(({ action }) => action)
  await operator.makesFolder('Menus')
  expect((await operator.post(`${operator.door.assets}/folders`, { name: 'menus' })).status).toBe(409)
  expect(await names()).toEqual(['folder.created'])
  for (let i = 0; i < 3; i++)
    await operator.post(`${operator.door.assets}/folders`, { name: 'Once' }, { 'idempotency-key': clientId })
  expect(await names()).toEqual(['folder.created', 'folder.created'])
})

test('nobody can change or remove what is kept, not even in the database', async () => {
  const before = await db
    .selectFrom('audit_trail')
    .select(({ fn }) => fn.countAll().as('rows'))
    .execute()
  for (const statement of [
    sql`update audit_trail set principal_id = 'somebody-else'`,
    sql`delete from audit_trail`,
    sql`delete from audit_trail where false`,
    sql`truncate audit_trail`,
  ])
    await expect(statement.execute(db)).rejects.toThrow('only ever added to')
  expect(
    await db
      .selectFrom('audit_trail')
      .select(({ fn }) => fn.countAll().as('rows'))
      .execute(),
  ).toEqual(before)
})

test('holds no secret: no password, key, token or signature', async () => {
  const password = `canary ${newId('user')}`
  const { body: user } = await w.admin.post('/admin/users', {
    email: `${newId('user')}@example.com`,
    name: 'Canary',
    role: 'viewer',
    password,
  })
  await w.admin.patch(`/admin/users/${user.userId}`, { password: `${password}!` })
  const { body: key } = await w.admin.post('/admin/api-keys', {
    name: 'Canary',
    role: 'agent',
    clientIds: [acme.clientId],
  })
  const { body: hook } = await w.admin.post('/admin/webhooks', {
    url: 'https://example.com/in?token=canary-token',
    clientIds: null,
  })
  const { body: session } = await acme.operator.opensUpload()
  await w.admin.post(`/admin/clients/${acme.clientId}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: 'https://example.com' },
    secrets: { username: 'editor', applicationPassword: 'canary-secret' },
  })
  const { rows } = await sql<{ line: string }>`select t::text as line from audit_trail t`.execute(db)
  const all = rows.map(({ line }) => line).join('\n')
  expect(all).toContain(user.userId)
  const signature = new URL(session.uploadUrl).searchParams
  for (const secret of [
    password,
    key.apiKey,
    hook.secret,
    'canary-token',
    'canary-secret',
    session.uploadToken,
    ...['X-Amz-Signature', 'signature'].map((name) => signature.get(name)).filter((value) => value !== null),
    w.admin.credentials.cookie!.split('=')[1]!,
  ])
    expect(all).not.toContain(secret)
})

test('is read in pages, the newest first, and filtered', async () => {
  const { clientId, operator, agent } = await w.newClient()
  const url = `/admin/clients/${clientId}/audit`
  const folders = []
  for (const name of ['A', 'B', 'C', 'D', 'E']) folders.push(await operator.makesFolder(name))
  const asset = await agent.uploads()
  await operator.edits(asset.assetId, { title: 'New' })

  const all = await trail(url)
  expect(all.map(({ action }) => action).slice(0, 2)).toEqual(['asset.updated', 'asset.created'])
  expect(all).toHaveLength(9)
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )

  const paged: AuditEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await w.admin.get(`${url}?limit=2${cursor && `&cursor=${cursor}`}`)
    expect(body.entries.length).toBeLessThanOrEqual(2)
    paged.push(...body.entries)
    cursor = body.nextCursor
  }
  expect(paged).toEqual(all)

  expect(await trail(`${url}?action=folder`)).toHaveLength(5)
  expect(await trail(`${url}?action=asset.updated`)).toMatchObject([
    { name: 'New', details: { changed: ['title'] }, principal: { id: operator.id, name: 'operator' } },
  ])
  expect(await trail(`${url}?principalId=${agent.id}`)).toHaveLength(3)
  expect(await trail(`${url}?thing=${folders[2]!.folderId}`)).toMatchObject([{ name: 'C' }])
  const [middle] = await trail(`${url}?thing=${folders[2]!.folderId}`)
  const later = await trail(`${url}?from=${middle!.at}`)
  const earlier = await trail(`${url}?to=${middle!.at}`)
  expect(later.length + earlier.length).toBe(9)
  expect(later).toContainEqual(middle)
  expect(await trail(`/admin/audit?clientId=${clientId}`)).toEqual(all)
  expect(await trail(`/admin/audit?clientId=${newId('client')}`)).toEqual([])
  expect(await trail(`${url}?thing=${own.assetId}`)).toEqual([])
  expect((await trail('/admin/audit?principalId=system&action=user.created')).at(-1)).toMatchObject({
    name: 'Administrator',
    clientId: null,
  })
  for (const wrong of ['from=yesterday', 'action=%25', 'cursor=x', 'limit=0', 'who=me'])
    expect(await w.admin.get(`${url}?${wrong}`)).toEqual(refusal('invalid-request'))
})

test('is found by an index whatever is asked for, and nothing is sorted', async () => {
  const asked = [
    [{}, 'audit_trail_pkey'],
    [{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'audit_trail_pkey'],
    [{ clientId: 'client_7' }, 'audit_trail_client'],
    [{ principalId: 'user_7' }, 'audit_trail_principal'],
    [{ thing: 'asset_7' }, 'audit_trail_thing'],
    [{ action: 'asset.trashed' }, 'audit_trail_action'],
    [{ action: 'key' }, 'audit_trail_kind'],
  ] as const
  const trx = await db.startTransaction().execute()
  try {
    await sql`
      insert into audit_trail (at, client_id, action, thing, details, principal_kind, principal_id)
      select now() - n * interval '1 minute', 'client_' || n % 50,
        case when n % 500 = 0 then 'asset.trashed' when n % 500 = 1 then 'key.created' else 'asset.updated' end,
        'asset_' || n, '{}', 'user', 'user_' || n % 50
      from generate_series(1, 10000) n`.execute(trx)
    await sql`analyze audit_trail`.execute(trx)
    for (const [query, index] of asked) {
      const [plan] = await trailQuery(trx, query, 51).explain('json')
      const text = JSON.stringify(plan)
      expect(text, JSON.stringify(query)).toContain(`"Index Name":"${index}"`)
      expect(text, JSON.stringify(query)).not.toContain('"Node Type":"Sort"')
    }
  } finally {
    await trx.rollback().execute()
  }
})

test('is for admins only, and by client for a client that there is', async () => {
  for (const person of Object.values(acme.people))
    for (const path of ['/admin/audit', `/admin/clients/${acme.clientId}/audit`])
      expect(await person.get(path)).toEqual(refusal('forbidden'))
  expect(await w.nobody.get('/admin/audit')).toEqual(refusal('unauthenticated'))
  expect(await w.admin.get(`/admin/clients/${newId('client')}/audit`)).toEqual(refusal('not-found'))
})

async function trail(path: string): Promise<AuditEntry[]> {
  const { status, body } = await w.admin.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.entries
}

function nameOf({ method, url }: Pick<Route, 'method' | 'url'>): string {
  return `${method} ${behindDoor(url)}`
}

async function connected() {
  const { body } = await w.admin.post(`/admin/clients/${acme.clientId}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: site.url },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })
  return { things: { connectionId: body.connectionId as string } }
}

/** Put into the database: nobody works on deliveries here. */
async function delivered(
  status: 'done' | 'failed' | 'queued' | 'unknown',
  { assetId = own.assetId, ...more }: { assetId?: string; connectionId?: string; replaces?: string } = {},
) {
  const deliveryId = newId('delivery')
  const connectionId = more.connectionId ?? (await connected()).things.connectionId
  await db
    .insertInto('deliveries')
    .values({
      client_id: acme.clientId,
      id: deliveryId,
      asset_id: assetId,
      version: 1,
      surface: 'website',
      connection_id: connectionId,
      rendition: `of-${deliveryId}`,
      mark: deliveryId,
      status,
      remote_id: status === 'done' ? '1' : null,
      replaces: more.replaces ?? null,
      asked_by: 'tests',
      created_by: 'tests',
    })
    .execute()
  return { things: { deliveryId, connectionId } }
}

async function replacement() {
  const { things: earlier } = await delivered('done')
  return delivered('done', { connectionId: earlier.connectionId, replaces: earlier.deliveryId })
}

async function hooked(): Promise<Way> {
  const receiver = await peer((_, response) => json(response, {}))
  const { body } = await w.admin.post('/admin/webhooks', { url: receiver.url, clientIds: [acme.clientId] })
  return { things: { webhookId: body.webhookId } }
}
