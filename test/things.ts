import { newId } from '../server/ids.ts'
import { guestFile } from './guest-file.ts'
import type { Person } from './person.ts'
import type { Route } from './route-table.ts'
import type { ClientWorld, World } from './world.ts'

/** One of everything that a client can have, for tests that try every route. */
export interface Things {
  clientId: string
  assetId: string
  trashedAssetId: string
  folderId: string
  trashedFolderId: string
  uploadSessionId: string
  uploadToken: string
  userId: string
  keyId: string
  connectionId: string
  agentId: string
  /** A program that has registered to ask people for access. */
  appId: string
  slug: string
  provider: string
  kind: string
  externalId: string
  deliveryId: string
  pullGrantId: string
  shareLinkId: string
  shareToken: string
  commentId: string
  collectionId: string
  downloadId: string
  batchId: string
  suggestionId: string
  runId: string
  savedSearchId: string
  keptGroupId: string
  uploadRequestId: string
  requestToken: string
  /** What a guest sent, and what a guest is sending. */
  waitingUploadId: string
  guestUploadToken: string
  webhookId: string
  sessionId: string
  passkeyId: string
  /** Of the asset. */
  version: string
}

export async function thingsOf(
  w: World,
  { clientId, operator, viewer, agent }: ClientWorld,
): Promise<Things> {
  const { assetId } = await operator.uploads()
  const trashed = await operator.uploads()
  await operator.trashes(trashed.assetId)
  const { folderId } = await operator.makesFolder('Menus')
  const { folderId: trashedFolderId } = await operator.makesFolder('Old menus')
  await operator.deletesFolder(trashedFolderId)
  const { body: session } = await operator.opensUpload()
  const { body: connection } = await w.admin.post('/admin/google-ads/connections', {
    clientId,
    status: 'connected',
  })
  const shared = await operator.post(`/admin/clients/${clientId}/share-links`, { title: 'Menus', folderId })
  const comment = await operator.post(`/admin/clients/${clientId}/assets/${assetId}/comments`, {
    text: 'Brighter',
  })
  const collection = await operator.post(`/admin/clients/${clientId}/collections`, {
    name: 'Summer',
    assetIds: [assetId],
  })
  const download = await operator.post(`${operator.door.assets}/download`, { assetIds: [assetId] })
  const batch = await operator.post(`${operator.door.assets}/batches`, {
    search: { q: 'nothing is called that' },
    action: 'tag',
    tags: ['tag'],
  })
  const search = await operator.post(`/admin/clients/${clientId}/saved-searches`, {
    name: 'Menus',
    search: { folderId },
    for: 'client',
  })
  const group = await operator.post(`/admin/clients/${clientId}/duplicates/kept-groups`, {
    assetIds: [assetId, trashed.assetId],
  })
  const guest = await guestThings(w, operator, folderId)
  const delivery = await deliveryThings(w, clientId, connection.connectionId, assetId)
  const kind = 'blog-post'
  const externalId = `post-${clientId}`
  await agent.put(`/admin/clients/${clientId}/uses/${kind}/${externalId}`, { status: 'draft' })
  const agentId = `seo-${clientId}`
  await agent.put(`/admin/seo/agents/${agentId}/runtime`, { clientId, state: 'idle' })
  const slug = clientId.replace('_', '-')
  await w.admin.put(`/admin/landing-pages/${slug}`, {
    clientId,
    url: 'https://example.com/',
    title: 'Spring',
  })
  return {
    clientId,
    assetId,
    trashedAssetId: trashed.assetId,
    folderId,
    trashedFolderId,
    uploadSessionId: session.uploadSessionId,
    uploadToken: session.uploadToken,
    userId: viewer.id,
    keyId: agent.id,
    connectionId: connection.connectionId,
    ...delivery,
    sessionId: await sessionOf(w, viewer.id),
    passkeyId: await passkeyOf(w, viewer.id),
    shareLinkId: shared.body.shareLinkId,
    commentId: comment.body.commentId,
    collectionId: collection.body.collectionId,
    downloadId: download.body.downloadId,
    batchId: batch.body.batchId,
    ...(await suggestionThings(w, clientId, assetId)),
    savedSearchId: search.body.savedSearchId,
    keptGroupId: group.body.keptGroupId,
    shareToken: shared.body.url.split('/').at(-1),
    ...guest,
    agentId,
    appId: await appOf(w),
    slug,
    provider: 'google',
    version: '1',
    kind,
    externalId,
  }
}

const sessionOf = async ({ parts: { db } }: World, userId: string) =>
  (await db.selectFrom('login_sessions').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow())
    .id

async function passkeyOf({ parts: { db } }: World, userId: string): Promise<string> {
  const id = newId('passkey')
  await db
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      credential_id: id,
      public_key: '',
      counter: 0,
      transports: [],
      name: 'Key',
    })
    .execute()
  return id
}

async function appOf({ parts: { db } }: World): Promise<string> {
  const id = newId('app')
  await db
    .insertInto('agent_apps')
    .values({ id, name: 'Helper', redirect_uris: ['https://example.com/callback'], network: id })
    .execute()
  return id
}

/** A request for files, one that waits and one that is not sent yet. The bytes of neither are there. */
async function guestThings({ nobody, parts: { db } }: World, operator: Person, folderId: string) {
  const asked = await operator.post(operator.door.assets.replace(/assets$/, 'upload-requests'), {
    title: 'Menus',
    folderId,
  })
  const { pathname } = new URL(asked.body.url)
  const { body: waits } = await nobody.post(`${pathname}/files`, guestFile)
  const { body: comes } = await nobody.post(`${pathname}/files`, guestFile)
  const id = waits.uploadSessionId
  await db.updateTable('upload_sessions').set({ received_as: 'tests' }).where('id', '=', id).execute()
  await db.updateTable('guest_files').set({ received_at: new Date() }).where('upload_id', '=', id).execute()
  return {
    uploadRequestId: asked.body.uploadRequestId as string,
    requestToken: pathname.split('/').at(-1)!,
    waitingUploadId: id as string,
    guestUploadToken: comes.uploadToken as string,
  }
}

/** A model that a world may be given: nobody listens there. */
export const aModel = { AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'llava' }

/** The client has consented to that one, and it has said something. */
async function suggestionThings(w: World, client_id: string, assetId: string) {
  const { db } = w.parts
  const runId = newId('run')
  const said = { client_id, decided_by: 'tests' }
  await db
    .insertInto('suggestion_settings')
    .values({ ...said, mode: 'on-request', host: '127.0.0.1:9', sends: ['pictures'], language: 'en' })
    .execute()
  await db
    .insertInto('suggestion_runs')
    .values({ client_id, id: runId, created_by: 'tests', state: 'done' })
    .execute()
  return { runId, suggestionId: await suggestionFor(w, client_id, assetId) }
}

export async function suggestionFor({ parts: { db } }: World, client_id: string, asset_id: string) {
  const id = newId('suggestion')
  await db.deleteFrom('suggestions').where('asset_id', '=', asset_id).execute()
  await db
    .insertInto('suggestions')
    .values({
      ...{ client_id, id, asset_id, version: 1, field: 'tags', model: 'llava' },
      ...{ words: 'night, sea', instead_of: '' },
    })
    .execute()
  return id
}

/** Put into the database: to be delivered and fetched, a picture would have to be made first. */
async function deliveryThings(
  { parts: { db } }: World,
  clientId: string,
  connectionId: string,
  assetId: string,
) {
  const ids = { deliveryId: newId('delivery'), pullGrantId: newId('grant'), webhookId: newId('webhook') }
  const file = { client_id: clientId, asset_id: assetId, version: 1, surface: 'website', created_by: 'tests' }
  // Advertising has connections too; under one id, every route with a :connectionId has its own.
  const connection = { client_id: clientId, id: connectionId, kind: 'wordpress', name: 'Site' } as const
  await db
    .insertInto('connections')
    .values({ ...connection, settings: '{}', created_by: 'tests' })
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      ...file,
      id: ids.deliveryId,
      connection_id: connectionId,
      rendition: 'original',
      mark: ids.deliveryId,
      asked_by: 'tests',
      status: 'done',
      remote_id: '1',
    })
    .execute()
  await db
    .insertInto('pull_grants')
    .values({
      ...file,
      id: ids.pullGrantId,
      token_hash: ids.pullGrantId,
      target: 'wordpress',
      mime_type: 'image/png',
      size_bytes: 1,
      expires_at: new Date(),
    })
    .execute()
  await db
    .insertInto('webhooks')
    .values({
      id: ids.webhookId,
      url: 'https://example.com/',
      all_clients: false,
      sealed_secret: '',
      created_by: 'tests',
    })
    .execute()
  return ids
}

/** Ids of the right form that name nothing. */
export const absentThings = (): Things => ({
  clientId: newId('client'),
  assetId: newId('asset'),
  trashedAssetId: newId('asset'),
  folderId: newId('folder'),
  trashedFolderId: newId('folder'),
  uploadSessionId: newId('upload'),
  uploadToken: 'Z'.repeat(43),
  userId: newId('user'),
  keyId: newId('key'),
  connectionId: newId('connection'),
  deliveryId: newId('delivery'),
  pullGrantId: newId('grant'),
  shareLinkId: newId('share'),
  shareToken: 'Z'.repeat(43),
  commentId: newId('comment'),
  collectionId: newId('collection'),
  downloadId: newId('download'),
  batchId: newId('batch'),
  suggestionId: newId('suggestion'),
  runId: newId('run'),
  savedSearchId: newId('search'),
  keptGroupId: newId('group'),
  uploadRequestId: newId('request'),
  requestToken: 'Z'.repeat(43),
  waitingUploadId: newId('upload'),
  guestUploadToken: 'Z'.repeat(43),
  webhookId: newId('webhook'),
  sessionId: newId('session'),
  passkeyId: newId('passkey'),
  agentId: `seo-${newId('client')}`,
  appId: newId('app'),
  slug: newId('client').replace('_', '-'),
  provider: 'google',
  version: '1',
  kind: 'blog-post',
  externalId: `post-${newId('client')}`,
})

/** The path of a route, with these things in it. */
export const pathOf = ({ url }: Pick<Route, 'url'>, things: Things) =>
  url.replace(/:(\w+)/g, (_, name: keyof Things) => things[name]) +
  (querystrings[behindDoor(url)]?.(things) ?? '')

export const behindDoor = (url: string) =>
  url.replace(
    /^(\/admin\/clients\/:clientId|\/portal)\/(?=assets|collections|duplicates|events|saved-searches|suggestions|share-links|reviews|upload-requests|waiting-room)/,
    '',
  )

const authorizationRequest = ({ appId }: Things) => ({
  response_type: 'code',
  client_id: appId,
  redirect_uri: 'https://example.com/callback',
  code_challenge: 'Z'.repeat(43),
  code_challenge_method: 'S256',
})

const querystrings: Record<string, (things: Things) => string> = {
  '/oauth/consent': (things) => `?${new URLSearchParams(authorizationRequest(things))}`,
  'assets/folders/download': ({ folderId }) => `?folderId=${folderId}`,
  'assets/:assetId/rendition': () => '?target=instagram',
}

/** A body that a route takes. A new route with a body needs one here. */
export function bodyFor({ method, url, schema }: Route, things: Things): object | undefined {
  if (!schema.body) return undefined
  const example = bodies[`${method} ${behindDoor(url)}`]
  if (!example) throw new Error(`test/things.ts has no body for ${method} ${url}`)
  return example(things)
}

const words = {
  title: 'Title',
  description: 'Words',
  altText: 'Alt',
  tags: ['tag'],
  allowedSurfaces: ['social'],
}

const bodies: Record<string, (things: Things) => object> = {
  'POST /auth/login': () => ({ email: 'nobody@example.com', password: 'no password at all' }),
  'POST /notifications/read': () => ({ notificationIds: [newId('notification')] }),
  'PATCH /notifications/settings': () => ({ 'new-files': 'app' }),
  'PATCH /auth/me': () => ({ name: 'Somebody', language: 'en' }),
  'POST /auth/password': () => ({ current: 'no password at all', next: 'a password of some length' }),
  'POST /auth/second-factor': () => ({ step: newId('key'), code: '123456' }),
  'POST /auth/passkeys/sign-in': () => ({ step: newId('key'), passkey: passkeyAnswer }),
  'POST /auth/totp': () => ({ password: 'no password at all' }),
  'POST /auth/totp/confirm': () => ({ code: '123456' }),
  'DELETE /auth/totp': () => ({ password: 'no password at all' }),
  'POST /auth/identities/:provider': () => ({ password: 'no password at all' }),
  'DELETE /auth/identities/:provider': () => ({ password: 'no password at all' }),
  'POST /auth/recovery-codes': () => ({ password: 'no password at all' }),
  'POST /auth/passkeys/options': () => ({ password: 'no password at all' }),
  'POST /auth/passkeys': () => ({
    step: newId('key'),
    name: 'Phone',
    id: 'AAAA',
    clientDataJSON: 'AAAA',
    attestationObject: 'AAAA',
    transports: ['internal'],
  }),
  'DELETE /auth/passkeys/:passkeyId': () => ({ password: 'no password at all' }),
  'POST /auth/forgot': () => ({ email: 'nobody@example.com' }),
  'POST /auth/reset': () => ({ token: newId('key'), password: 'a password of some length' }),
  'POST /auth/accept-invitation': () => ({ token: newId('key'), password: 'a password of some length' }),
  'POST /auth/confirm-email': () => ({ token: newId('key') }),
  'POST /admin/users': ({ clientId }) => ({
    email: `${newId('user')}@example.com`,
    name: 'Somebody',
    role: 'viewer',
    clientIds: [clientId],
    password: 'a password of some length',
  }),
  'PATCH /admin/users/:userId': ({ clientId }) => ({
    name: 'Somebody else',
    role: 'viewer',
    isActive: true,
    clientIds: [clientId],
  }),
  'POST /admin/api-keys': ({ clientId }) => ({ name: 'Key', role: 'agent', clientIds: [clientId] }),
  'POST /picker/tokens': ({ clientId }) => ({ embedder: 'https://cms.example', clientId }),
  'POST /oauth/consent': (things) => ({
    request: authorizationRequest(things),
    allow: true,
    clientIds: [things.clientId],
    permissions: ['assets:read'],
  }),
  'POST /admin/clients': () => ({ name: 'Client', quotaBytes: 1000 }),
  'DELETE /admin/clients/:clientId': () => ({ confirmName: 'Nobody is called that' }),
  'PATCH /admin/clients/:clientId': () => ({
    name: 'Client',
    quotaBytes: 1_000_000_000,
    approvedOnlySurfaces: [],
    ocrLanguages: ['de'],
  }),
  'PUT /admin/seo/agents/:agentId/runtime': ({ clientId }) => ({
    clientId,
    state: 'running',
    currentJob: 'audit',
    finishedRun: {
      job: 'audit',
      status: 'failed',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:01:00Z',
      error: 'No answer',
    },
  }),
  'POST /admin/:provider-ads/connections': ({ clientId }) => ({ clientId, ...connection }),
  'PATCH /admin/:provider-ads/connections/:connectionId': () => connection,
  'POST /admin/clients/:clientId/connections/': () => ({ kind: 'wordpress', name: 'Site', ...account }),
  'PATCH /admin/clients/:clientId/connections/:connectionId': () => ({ name: 'Site', ...account }),
  'POST /admin/connections/sign-in': () => ({
    provider: 'linkedin',
    state: newId('key'),
    code: 'code',
    iss: 'https://example.com',
    error: 'access_denied',
  }),
  'POST /admin/clients/:clientId/deliveries/': ({ assetId, connectionId }) => ({
    assetRef: assetId,
    connectionId,
    surface: 'website',
  }),
  'POST /admin/clients/:clientId/deliveries/redeliver': ({ assetId }) => ({ assetRef: assetId }),
  'POST /admin/clients/:clientId/deliveries/:deliveryId/settle': () => ({
    outcome: 'there',
    remoteId: '4711',
  }),
  'POST /admin/clients/:clientId/pull-grants/': ({ assetId }) => ({
    assetRef: assetId,
    surface: 'social',
    target: 'instagram',
    ttlSeconds: 60,
  }),
  'POST share-links/': ({ folderId }) => ({ title: 'Menus', folderId, ttlDays: 7 }),
  'POST suggestions/runs': ({ assetId }) => ({ assetIds: [assetId] }),
  'POST suggestions/decide': ({ suggestionId }) => ({
    decisions: [{ suggestionId, decision: 'accept', text: 'night, day' }],
  }),
  'POST suggestions/:suggestionId/accept': () => ({ text: 'night, day' }),
  'PUT /admin/clients/:clientId/suggestion-settings/': () => ({ mode: 'off', language: 'de' }),
  'POST saved-searches/': ({ folderId }) => ({
    name: `Menus ${newId('search')}`,
    search: { folderId, below: true },
  }),
  'PATCH saved-searches/:savedSearchId': () => ({ name: `All menus ${newId('search')}` }),
  'POST collections/': ({ assetId }) => ({ name: `Summer ${newId('collection')}`, assetIds: [assetId] }),
  'PATCH collections/:collectionId': () => ({ name: `Autumn ${newId('collection')}` }),
  'POST collections/:collectionId/assets': ({ assetId }) => ({ assetIds: [assetId] }),
  'PATCH collections/:collectionId/assets': ({ assetId }) => ({ assetIds: [assetId] }),
  'DELETE collections/:collectionId/assets': ({ assetId }) => ({ assetIds: [assetId] }),
  'POST duplicates/keep': ({ assetId, trashedAssetId }) => ({ keep: assetId, others: [trashedAssetId] }),
  'POST duplicates/kept-groups': ({ assetId, trashedAssetId }) => ({ assetIds: [assetId, trashedAssetId] }),
  'POST reviews/': ({ assetId }) => ({ assetIds: [assetId], note: 'Please look' }),
  'POST reviews/decide': ({ assetId }) => ({ assets: [{ assetId, version: 1 }], decision: 'approved' }),
  'PUT assets/:assetId/approval': () => ({ version: 1, decision: 'approved', note: 'Fine' }),
  'POST assets/:assetId/comments': ({ commentId }) => ({ text: 'Brighter', threadId: commentId }),
  'PATCH assets/:assetId/comments/:commentId': () => ({ resolved: true }),
  'PUT /s/:shareToken/assets/:assetId/approval': () => ({
    name: 'Ada',
    version: 1,
    decision: 'approved',
    note: 'Fine',
  }),
  'POST /s/:shareToken/assets/:assetId/comments': () => ({ name: 'Ada', version: 1, text: 'Brighter' }),
  'POST /s/:shareToken/open': () => ({ password: 'not needed' }),
  'POST upload-requests/': ({ folderId }) => ({ title: 'Menus', folderId, ttlDays: 7, maxFiles: 5 }),
  'POST waiting-room/accept': ({ waitingUploadId, folderId }) => ({
    uploadSessionIds: [waitingUploadId],
    folderId,
    allowedSurfaces: ['social'],
  }),
  'POST waiting-room/decline': ({ waitingUploadId }) => ({
    uploadSessionIds: [waitingUploadId],
    note: 'Too dark',
  }),
  'POST /u/:requestToken/files': () => guestFile,
  ...Object.fromEntries(
    ['progress', 'cancel', 'done'].map((step) => [
      `POST /u/:requestToken/files/${step}`,
      ({ guestUploadToken }: Things) => ({ uploadToken: guestUploadToken }),
    ]),
  ),
  'POST /u/:requestToken/files/parts': ({ guestUploadToken }) => ({
    uploadToken: guestUploadToken,
    partNumbers: [1],
  }),
  'POST /admin/webhooks': ({ clientId }) => ({
    url: 'https://example.com/',
    clientIds: [clientId],
    eventTypes: ['asset.created'],
  }),
  'PATCH /admin/webhooks/:webhookId': ({ clientId }) => ({
    url: 'https://example.com/',
    clientIds: [clientId],
    eventTypes: [],
    isEnabled: true,
  }),
  'POST /admin/webhooks/:webhookId/replay': ({ clientId }) => ({ clientId, fromEventId: 1 }),
  'POST /admin/webhooks/:webhookId/resend': ({ clientId }) => ({ clientId, eventId: 1 }),
  'POST /admin/webhooks/:webhookId/rotate-secret': () => ({ overlapHours: 1 }),
  'PUT /admin/landing-pages/:slug': ({ clientId }) => ({
    clientId,
    url: 'https://example.com/spring',
    title: 'Spring',
  }),
  'POST assets/upload-session': ({ folderId, assetId }) => ({
    originalFilename: 'logo.png',
    mimeType: 'image/png',
    expectedSizeBytes: 100,
    sha256: 'a'.repeat(64),
    folderId,
    replacesAssetId: assetId,
  }),
  'POST assets/upload-session/taken-names': () => ({ folderId: null, names: ['a.jpg'] }),
  'POST assets/upload-session/parts': ({ uploadToken }) => ({ uploadToken, partNumbers: [1] }),
  'POST assets/upload-session/finalize': ({ uploadToken, folderId }) => ({ uploadToken, folderId, ...words }),
  'POST assets/folders': ({ folderId }) => ({ name: newId('folder'), parentId: folderId }),
  'PATCH assets/folders': ({ folderId }) => ({ folderId, name: newId('folder'), parentId: null }),
  'DELETE assets/folders': ({ folderId }) => ({ folderId, force: true }),
  'POST assets/folders/restore': ({ trashedFolderId }) => ({ folderId: trashedFolderId }),
  'POST assets/batch': ({ assetId, folderId }) => ({
    assetIds: [assetId],
    action: 'move',
    folderId,
    tags: ['tag'],
    allowedSurfaces: [],
  }),
  'POST assets/batches': ({ folderId }) => ({
    search: { q: 'nothing is called that' },
    except: [],
    action: 'move',
    folderId,
    tags: ['tag'],
    allowedSurfaces: [],
  }),
  'POST assets/download': ({ assetId, folderId }) => ({ assetIds: [assetId], folderIds: [folderId] }),
  'PATCH assets/words': ({ assetId }) => ({
    changes: [
      { assetId, ifMatch: '"a0"', title: 'Title', altText: 'Alt', description: 'Words', tags: ['tag'] },
    ],
    dryRun: false,
  }),
  'POST assets/summary': ({ assetId }) => ({ assetIds: [assetId] }),
  'PUT assets/:assetId/hold': () => ({ held: true, reason: 'A claim' }),
  'PATCH assets/:assetId': ({ folderId }) => ({ folderId, ...words }),
  'POST /admin/clients/:clientId/asset-refs/resolve': ({ assetId }) => ({
    assetRefs: [assetId],
    surface: 'website',
    target: 'wordpress',
  }),
  'POST /admin/clients/:clientId/asset-refs/plan': ({ assetId }) => ({
    assetRefs: [assetId],
    surface: 'website',
    target: 'wordpress',
  }),
  'POST /admin/clients/:clientId/asset-refs/replace': ({ assetId }) => ({ from: assetId, to: assetId }),
  'PUT /admin/clients/:clientId/uses/:kind/:externalId': () => use,
}

const passkeyAnswer = {
  id: 'AAAA',
  clientDataJSON: 'AAAA',
  authenticatorData: 'AAAA',
  signature: 'AAAA',
  userHandle: 'AAAA',
}

const use = {
  featuredAssetRef: null,
  assetRefs: [],
  status: 'draft',
  scheduledFor: null,
  title: null,
  url: null,
}

const account = {
  settings: { siteUrl: 'https://example.com' },
  secrets: { username: 'editor', applicationPassword: 'a b c d' },
}

const connection = {
  status: 'expired',
  account: 'Account 1',
  scopes: ['read'],
  expiresAt: '2026-01-01T00:00:00Z',
  lastSyncAt: null,
  lastError: 'Token expired',
}
