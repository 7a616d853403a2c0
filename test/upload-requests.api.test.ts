import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import type { UploadRequestWithUrl, WaitingFile } from '../contract/upload-requests.ts'
import { newId } from '../server/ids.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { sweepUploads } from '../server/uploads/sweep.ts'
import { badText, streamBytes, testScanner } from './clamd.ts'
import { guestFile, putsFile, sendsFile } from './guest-file.ts'
import { type Person, puts } from './person.ts'
import { pixel, png, pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { routeTable } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { bodyFor, pathOf, thingsOf } from './things.ts'
import { ownWorld } from './world.ts'

const scanner = await testScanner()
afterAll(() => scanner.goes())
const w = await ownWorld({
  ROLE: 'api',
  CLAMD_ADDRESS: scanner.address,
  CLAMD_STREAM_BYTES: String(streamBytes),
})
const { db, store } = w.parts

const beside = (person: Person, name: string) => person.door.assets.replace(/assets$/, name)

async function asks(person: Person, wish: object = {}): Promise<UploadRequestWithUrl & { path: string }> {
  const { status, body } = await person.post(beside(person, 'upload-requests'), { title: 'Photos', ...wish })
  expect(status, JSON.stringify(body)).toBe(201)
  return { ...body, path: new URL(body.url).pathname }
}

const sends = (path: string, bytes?: Buffer, more?: object) => sendsFile(w.nobody, path, bytes, more)
const waiting = async (person: Person): Promise<WaitingFile[]> =>
  (await person.get(beside(person, 'waiting-room'))).body.files
const decides = (person: Person, how: 'accept' | 'decline', body: object) =>
  person.post(beside(person, `waiting-room/${how}`), body)
const keysOf = async (clientId: string) =>
  (await Array.fromAsync(store.storageOf(clientId).list(''))).map(({ key }) => key)
const countersOf = (clientId: string) =>
  db
    .selectFrom('client_counters')
    .select(['reserved_bytes as reserved', 'stored_bytes as stored'])
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
const toldOf = (clientId: string) =>
  db
    .selectFrom('events')
    .select(['type', 'actor', 'data'])
    .where('client_id', '=', clientId)
    .orderBy('id')
    .execute()

test('a guest sends files into the waiting room, and nobody has them until they are accepted', async () => {
  const { operator, portal, viewer, agent, clientId } = await w.newClient()
  const { folderId } = await operator.makesFolder('From guests')
  const { folderId: other } = await operator.makesFolder('Elsewhere')
  const asked = await asks(operator, { folderId, note: 'Summer, please', maxFiles: 3 })
  expect(asked.path).toMatch(/^\/u\/[\w-]{43}$/)

  // Whoever sends a link has it looked at by machines.
  const before = await snapshot(db)
  const page = await fetch(asked.url, { headers: { 'user-agent': 'Twitterbot/1.0' } })
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  const opened = await w.nobody.get(`${asked.path}/request`)
  expect(opened.body).toEqual({
    title: 'Photos',
    clientName: 'Harbour Café',
    note: 'Summer, please',
    expiresAt: asked.expiresAt,
    filesLeft: 3,
    bytesLeft: asked.maxBytes,
    maxSizeBytes: expect.objectContaining({ 'image/png': w.parts.config.limits.maxImageBytes }),
  })
  expect(await snapshot(db)).toEqual(before)

  const [one, two] = [png(40, 30, [1, 2, 3]), png(40, 30, [9, 9, 9])]
  const markup = '<img src=x onerror=alert(1)>'
  const first = await sends(asked.path, one, { originalFilename: 'harbour.png', note: markup })
  expect([first.status, first.body]).toEqual([200, { status: 'waiting' }])
  await sends(asked.path, two, { originalFilename: 'ferry.png', note: '' })
  // Asked twice, received once; and the URL it was put by reaches nothing any more.
  const { uploadToken, uploadSessionId } = first.session
  expect((await w.nobody.post(`${asked.path}/files/done`, { uploadToken })).status).toBe(200)
  await puts(first.session, png(40, 30, [7, 7, 7]))

  const files = await waiting(operator)
  expect(files).toMatchObject([
    { originalFilename: 'ferry.png', sender: 'Anna', note: '', folderId },
    {
      uploadSessionId,
      originalFilename: 'harbour.png',
      note: markup,
      width: 40,
      height: 30,
      scanned: true,
      hasPreview: true,
    },
  ])
  expect(await waiting(portal)).toEqual(files)
  const page1 = await operator.get(`${beside(operator, 'waiting-room')}?limit=1`)
  expect(page1.body).toMatchObject({ files: [{ originalFilename: 'ferry.png' }], waitingFiles: 2 })
  const preview = await operator.fetch(`${beside(operator, 'waiting-room')}/${uploadSessionId}/preview`)
  expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/webp'])
  for (const person of [viewer, agent, w.nobody])
    expect((await person.get(`${beside(operator, 'waiting-room')}/${uploadSessionId}/preview`)).status).toBe(
      person === w.nobody ? 401 : 403,
    )

  // For everybody else there is nothing: no asset, no upload, nothing to find, resolve or share; but its bytes count.
  expect((await operator.lists({ everywhere: true })).body.assets).toEqual([])
  const { asset_id: promised } = await db
    .selectFrom('upload_sessions')
    .select('asset_id')
    .where('id', '=', uploadSessionId)
    .executeTakeFirstOrThrow()
  const resolved = await agent.post(`/admin/clients/${clientId}/asset-refs/resolve`, {
    assetRefs: [promised],
    surface: 'website',
  })
  expect(JSON.stringify(resolved.body)).toContain('not-found')
  expect((await operator.reads(promised)).status).toBe(404)
  expect((await operator.get(`${operator.door.assets}/${promised}/preview`)).status).toBe(404)
  for (const person of [operator, agent]) {
    const session = `${person.door.assets}/upload-session`
    expect(await person.get(`${session}/${uploadSessionId}`)).toEqual(refusal('upload-not-found'))
    expect(await person.delete(`${session}/${uploadSessionId}`)).toEqual(refusal('upload-not-found'))
    expect(await person.finalizes(uploadToken)).toEqual(refusal('upload-not-found'))
  }
  expect((await toldOf(clientId)).filter(({ type }) => type.startsWith('upload.'))).toEqual([])
  expect(await countersOf(clientId)).toEqual({ reserved: one.length + two.length, stored: 0 })

  const ids = files.map((file) => file.uploadSessionId)
  const wish = { uploadSessionIds: [ids[1], newId('upload'), 'x'], allowedSurfaces: ['website'] }
  const accepted = await decides(operator, 'accept', { ...wish, folderId: other })
  expect(accepted.body.results).toMatchObject([
    {
      ok: true,
      asset: { title: 'harbour', folderId: other, allowedSurfaces: ['website'], createdBy: operator.id },
    },
    { ok: false, problem: { code: 'not-found' } },
    { ok: false, problem: { code: 'not-found' } },
  ])
  const { assetId } = accepted.body.results[0].asset
  const original = await operator.fetch(`${operator.door.assets}/${assetId}/content`)
  expect(Buffer.from(await original.arrayBuffer()).equals(one)).toBe(true)
  expect(await decides(operator, 'decline', { uploadSessionIds: [ids[1]] })).toMatchObject({
    body: { results: [{ ok: false, problem: { code: 'upload-finalized' } }] },
  })

  const declined = await decides(portal, 'decline', { uploadSessionIds: [ids[0]], note: 'Blurred' })
  expect(declined.body.results).toEqual([{ uploadSessionId: ids[0], ok: true }])
  expect((await keysOf(clientId)).filter((key) => key.includes(ids[0]!))).toEqual([])
  expect((await decides(portal, 'accept', { uploadSessionIds: [ids[0]] })).body.results[0]).toMatchObject({
    ok: false,
    problem: { code: 'upload-expired' },
  })
  expect(await waiting(operator)).toEqual([])
  await sweepUploads(w.parts)
  expect((await keysOf(clientId)).filter((key) => !key.startsWith(`assets/${assetId}/`))).toEqual([])
  expect(await countersOf(clientId)).toEqual({ reserved: 0, stored: one.length })

  const list = await operator.get(beside(operator, 'upload-requests'))
  expect(list.body.uploadRequests).toMatchObject([{ waitingFiles: 0, acceptedFiles: 1, state: 'open' }])
  const told = (await toldOf(clientId)).filter(({ type }) => type.startsWith('upload-request.'))
  const { uploadRequestId } = asked
  expect(told.map(({ type, actor }) => [type.split('.')[1], actor])).toEqual([
    ['created', operator.id],
    ['received', uploadRequestId],
    ['received', uploadRequestId],
    ['accepted', operator.id],
    ['declined', portal.id],
  ])
  expect(told.at(-1)!.data).toMatchObject({ sender: 'Anna', originalFilename: 'ferry.png', note: 'Blurred' })
  const trail = await db
    .selectFrom('audit_trail')
    .selectAll()
    .where('action', '=', 'upload-request.received')
    .where('client_id', '=', clientId)
    .execute()
  expect(JSON.stringify(trail)).toContain('127.0.0.0/24')
  expect(JSON.stringify(trail)).not.toContain('127.0.0.1')
})

test('whoever decides on a film plays it first; nobody else does, and no file that is none', async () => {
  const { operator, portal, viewer } = await w.newClient()
  const { path } = await asks(operator)
  const bytes = await readFile(fixturePath('a.mp4'))
  const film = await sends(path, bytes, { originalFilename: 'waves.mp4', mimeType: 'video/mp4' })
  const picture = await sends(path)
  const at = (person: Person, { session }: typeof film) =>
    `${beside(person, 'waiting-room')}/${session.uploadSessionId}/film`
  for (const person of [operator, portal]) {
    const played = await person.fetch(at(person, film), { headers: { range: 'bytes=0-99' } })
    expect([played.status, played.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect(Buffer.from(await played.arrayBuffer())).toEqual(bytes.subarray(0, 100))
    expect((await person.get(at(person, picture))).status).toBe(404)
  }
  expect((await viewer.get(at(viewer, film))).status).toBe(403)

  await scanner.goes()
  const unseen = await sends(path, bytes, { originalFilename: 'later.mp4', mimeType: 'video/mp4' })
  expect((await operator.get(at(operator, unseen))).status).toBe(404)
  await scanner.comesBack()
})

test('caps hold however many are sent at once, and what is not taken leaves nothing', async () => {
  const { operator, clientId } = await w.newClient('Small', { quotaBytes: 6 * pixel.length })
  const few = await asks(operator, { maxFiles: 2 })
  const race = (path: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => w.nobody.post(`${path}/files`, guestFile)))
  const answers = await race(few.path, 6)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
  expect(answers.filter(({ status }) => status === 409)[0]).toEqual(refusal('request-full'))
  expect(await countersOf(clientId)).toMatchObject({ reserved: 2 * pixel.length })
  const bytes = await asks(operator, { maxBytes: 2 * pixel.length + 1 })
  expect((await race(bytes.path, 5)).filter(({ status }) => status === 201)).toHaveLength(2)
  // What is taken back makes room again; and one that asks again under the same key has its first answer.
  const [taken] = answers.filter(({ status }) => status === 201)
  const { uploadToken } = taken!.body
  expect((await w.nobody.post(`${few.path}/files/cancel`, { uploadToken })).status).toBe(204)
  const key = { 'idempotency-key': newId('key') }
  const again = () => w.nobody.post(`${few.path}/files`, guestFile, key)
  expect((await again()).body).toEqual((await again()).body)
  // Whoever goes on opening and taking back is held up.
  const one = await asks(operator, { maxFiles: 1 })
  const opened: number[] = []
  while (opened.length < 30) {
    const { status, body } = await w.nobody.post(`${one.path}/files`, { ...guestFile, expectedSizeBytes: 1 })
    opened.push(status)
    if (status !== 201) break
    await w.nobody.post(`${one.path}/files/cancel`, { uploadToken: body.uploadToken })
  }
  expect([opened.length, opened.at(-1)]).toEqual([23, 429])
  // The client's own quota is none of a guest's business.
  const more = await asks(operator)
  const tooMuch = await w.nobody.post(`${more.path}/files`, { ...guestFile, expectedSizeBytes: 1e6 })
  expect(tooMuch).toEqual(refusal('request-full'))
  expect(tooMuch.body).not.toHaveProperty('params')
  for (const wrong of [
    { sender: '​ ' },
    { sender: 'Anna\u202egnp.exe' },
    { sender: 'Anna\nAccepted' },
    { note: 'a\u2066b' },
    { originalFilename: 'a\u202egnp.exe' },
    { originalFilename: 'a\n.png' },
  ])
    expect(await w.nobody.post(`${more.path}/files`, { ...guestFile, ...wrong })).toEqual(
      refusal('invalid-request'),
    )

  const svg = Buffer.from('<svg/>')
  expect(await sends(more.path, svg)).toEqual(refusal('type-mismatch'))
  expect(await sends(more.path, pixel, { mimeType: 'application/pdf' })).toEqual(refusal('unsupported-type'))
  expect(await waiting(operator)).toEqual([])
  expect((await keysOf(clientId)).filter((key) => key.includes('/original'))).toEqual([])
  expect((await toldOf(clientId)).filter(({ type }) => type === 'upload-request.refused')).toHaveLength(2)
})

test('a large file comes in parts, is gone on with after a break, and waits', async () => {
  const { operator } = await w.newClient()
  const { path } = await asks(operator)
  const film = pngOfSize(17 * 1024 ** 2)
  const { body: session } = await w.nobody.post(`${path}/files`, {
    ...guestFile,
    expectedSizeBytes: film.length,
  })
  const { uploadToken } = session
  const partBytes = session.multipart.partSizeBytes
  const put = async (partNumbers: number[]) => {
    const { body } = await w.nobody.post(`${path}/files/parts`, { uploadToken, partNumbers })
    for (const { partNumber, uploadUrl } of body.parts)
      await puts({ uploadUrl }, film.subarray((partNumber - 1) * partBytes, partNumber * partBytes))
  }
  await put([1])
  const { body: progress } = await w.nobody.post(`${path}/files/progress`, { uploadToken })
  expect(progress).toMatchObject({
    status: 'awaiting-upload',
    multipart: { uploadedPartNumbers: [1] },
    assetId: null,
  })
  expect(await w.nobody.post(`${path}/files/done`, { uploadToken })).toEqual(refusal('file-not-uploaded'))
  await put([2, 3])
  expect((await w.nobody.post(`${path}/files/done`, { uploadToken })).status).toBe(200)
  expect(await waiting(operator)).toMatchObject([{ sizeBytes: film.length, scanned: true }])
  expect(await w.nobody.post(`${path}/files/parts`, { uploadToken, partNumbers: [1] })).toEqual(
    refusal('upload-finalized'),
  )
})

test('what was sent is sent: it cannot be taken back, and its sender learns of it only why it was declined', async () => {
  const { operator } = await w.newClient()
  const { path } = await asks(operator)
  const step = (name: string, uploadToken: string, more: object = {}) =>
    w.nobody.post(`${path}/files/${name}`, { uploadToken, ...more })
  const sent = [await sends(path), await sends(path)].map(({ session }) => session)
  const [accepted, declined] = sent.map(({ uploadSessionId }) => [uploadSessionId])
  const staysSent = async (statuses: string[]) => {
    for (const [at, { uploadToken }] of sent.entries()) {
      expect(await step('cancel', uploadToken)).toEqual(refusal('upload-finalized'))
      expect(await step('parts', uploadToken, { partNumbers: [1] })).toEqual(refusal('upload-finalized'))
      expect((await step('done', uploadToken)).body).toEqual({ status: 'waiting' })
      const { body } = await step('progress', uploadToken)
      expect(body).toMatchObject({ status: statuses[at], uploadUrl: null, assetId: null, problem: null })
      expect(body.note).toBe(statuses[at] === 'declined' ? 'Blurred.\nOnce more?' : null)
    }
  }
  await staysSent(['waiting', 'waiting'])
  expect(await waiting(operator)).toHaveLength(2)
  await decides(operator, 'accept', { uploadSessionIds: accepted })
  const note = 'Blurred.\nOnce more?'
  await decides(operator, 'decline', { uploadSessionIds: declined, note })
  await staysSent(['waiting', 'declined'])
  // By no other link, and not when this one is over.
  const other = await asks(operator)
  const uploadToken = sent[1]!.uploadToken
  const elsewhere = await w.nobody.post(`${other.path}/files/progress`, { uploadToken })
  expect(elsewhere).toEqual(refusal('upload-not-found'))

  // At once, one of the two holds, and both answers say which.
  const picture = png(400, 300, [1, 2, 3])
  const put = await Promise.all(Array.from({ length: 6 }, () => putsFile(w.nobody, path, picture)))
  const answers = await Promise.all(
    put.map(async ({ uploadToken }) => {
      const done = step('done', uploadToken)
      await step('progress', uploadToken)
      const answers = await Promise.all([done, step('cancel', uploadToken)])
      return answers.map(({ status, body }) => body?.code ?? status)
    }),
  )
  const kept = [200, 'upload-finalized']
  for (const answer of answers) expect([kept, ['upload-expired', 204]]).toContainEqual(answer)
  expect(await waiting(operator)).toHaveLength(answers.filter(([done]) => done === 200).length)
})

test('what a guest announces and does not send takes no room for long: not past the link, nor past its revocation', async () => {
  const { operator, clientId } = await w.newClient('Full', { quotaBytes: 20 * 1024 ** 2 })
  const asked = await asks(operator)
  const minutesOf = async (uploadSessionId: string) => {
    const { created_at, expires_at } = await db
      .selectFrom('upload_sessions')
      .select(['created_at', 'expires_at'])
      .where('id', '=', uploadSessionId)
      .executeTakeFirstOrThrow()
    return Math.round((expires_at.getTime() - created_at.getTime()) / 60_000)
  }
  const waits = await sends(asked.path)
  const film = pngOfSize(17 * 1024 ** 2)
  const big = { ...guestFile, expectedSizeBytes: film.length }
  const { body: session } = await w.nobody.post(`${asked.path}/files`, big)
  const { uploadToken } = session
  expect(await minutesOf(session.uploadSessionId)).toBe(60)
  // Who sends has the time that anybody has.
  const part = async (partNumber: number) =>
    (await w.nobody.post(`${asked.path}/files/parts`, { uploadToken, partNumbers: [partNumber] })).body
      .parts[0]
  await puts(await part(1), film.subarray(0, session.multipart.partSizeBytes))
  await part(2)
  expect(await minutesOf(session.uploadSessionId)).toBe(24 * 60)

  const opens = () => operator.opensUpload({ expectedSizeBytes: 4 * 1024 ** 2 })
  expect(await opens()).toEqual(refusal('quota-exceeded'))
  const ends = `${beside(operator, 'upload-requests')}/${asked.uploadRequestId}`
  expect((await operator.delete(ends)).status).toBe(200)
  expect(await countersOf(clientId)).toMatchObject({ reserved: pixel.length })
  expect((await opens()).status).toBe(201)
  await sweepUploads(w.parts)
  const keys = await keysOf(clientId)
  expect(keys.filter((key) => key.includes(session.uploadSessionId))).toEqual([])
  expect((await waiting(operator)).map((file) => file.uploadSessionId)).toEqual([
    waits.session.uploadSessionId,
  ])
  await operator.delete(ends)
  expect(await countersOf(clientId)).toMatchObject({ reserved: pixel.length + 4 * 1024 ** 2 })

  const short = await asks(operator)
  const soon = new Date(Date.now() + 10 * 60_000)
  await db
    .updateTable('upload_requests')
    .set({ expires_at: soon })
    .where('id', '=', short.uploadRequestId)
    .execute()
  const { body: last } = await w.nobody.post(`${short.path}/files`, guestFile)
  expect(last.expiresAt).toBe(soon.toISOString())
})

test('it ends at once: revoked, over, or with the right of whoever asked; and what nobody decides on goes', async () => {
  const { operator, portal, clientId } = await w.newClient()
  const asked = await asks(operator)
  const waits = await sends(asked.path)
  expect(waits.status).toBe(200)
  const put = await putsFile(w.nobody, asked.path)
  const comes = (await w.nobody.post(`${asked.path}/files`, guestFile)).body
  await operator.delete(`${beside(operator, 'upload-requests')}/${asked.uploadRequestId}`)
  for (const path of [asked.path, `/u/${'x'.repeat(43)}`]) {
    expect(await w.nobody.get(`${path}/request`)).toEqual(refusal('not-found'))
    expect(await w.nobody.post(`${path}/files`, guestFile)).toEqual(refusal('not-found'))
    const { uploadToken } = put
    expect(await w.nobody.post(`${path}/files/done`, { uploadToken })).toEqual(refusal('not-found'))
    expect((await fetch(w.url + path)).status).toBe(404)
  }
  if (store.routes) expect((await puts(comes, pixel)).status).toBe(403)
  // What waits goes on waiting.
  expect(await waiting(operator)).toHaveLength(1)

  const over = new Date(Date.now() - 1000)
  const later = await asks(portal)
  await db
    .updateTable('upload_requests')
    .set({ expires_at: over })
    .where('id', '=', later.uploadRequestId)
    .execute()
  expect(await w.nobody.get(`${later.path}/request`)).toEqual(refusal('not-found'))
  const suspended = await asks(operator)
  await w.admin.patch(`/admin/users/${operator.id}`, { role: 'viewer' })
  expect(await w.nobody.get(`${suspended.path}/request`)).toEqual(refusal('not-found'))
  const states = (await portal.get(beside(portal, 'upload-requests'))).body.uploadRequests
  expect(states.map(({ state }: { state: string }) => state)).toEqual(['suspended', 'expired', 'revoked'])

  await db
    .updateTable('upload_sessions')
    .set({ expires_at: over, sweep_at: over })
    .where('client_id', '=', clientId)
    .execute()
  expect(await waiting(portal)).toEqual([])
  await sweepUploads(w.parts)
  expect(await keysOf(clientId)).toEqual([])
  expect(await countersOf(clientId)).toEqual({ reserved: 0, stored: 0 })
})

test('malware is removed wherever it comes from; while the scanner is away members try again and guests wait', async () => {
  const { operator, clientId } = await w.newClient()
  const { path } = await asks(operator)
  // A picture that any decoder takes, with the text in a chunk that none looks at.
  const bad = pngOfSize(streamBytes + 5000, 1)
  bad.write(badText, streamBytes + 2000, 'latin1')
  const opens = async (bytes: Buffer): Promise<string> => {
    const { body } = await operator.opensUpload({ expectedSizeBytes: bytes.length })
    await puts(body, bytes)
    return body.uploadToken
  }
  expect(await operator.finalizes(await opens(bad))).toEqual(refusal('infected'))
  expect(await sends(path, bad)).toEqual(refusal('infected'))
  expect([await waiting(operator), await keysOf(clientId)]).toEqual([[], []])
  expect(await countersOf(clientId)).toEqual({ reserved: 0, stored: 0 })
  expect((await w.admin.get('/status')).body.checks.malware).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/^ClamAV/),
  })

  const token = await opens(pixel)
  await scanner.goes()
  expect(await operator.finalizes(token)).toEqual(refusal('scanner-unavailable'))
  await sends(path, pixel)
  await sends(path, bad, { originalFilename: 'bad.png' })
  const files = await waiting(operator)
  expect(files).toMatchObject([{ scanned: false }, { scanned: false }])
  const uploadSessionIds = files.map((file) => file.uploadSessionId)
  const accept = async () => (await decides(operator, 'accept', { uploadSessionIds })).body.results
  const away = { ok: false, problem: { code: 'scanner-unavailable' } }
  expect(await accept()).toMatchObject([away, away])
  await expect.poll(async () => (await w.admin.get('/status')).body.checks.malware.status).toBe('degraded')

  await scanner.comesBack()
  expect((await operator.finalizes(token)).status).toBe(201)
  expect(await accept()).toMatchObject([{ ok: false, problem: { code: 'infected' } }, { ok: true }])
  expect(await waiting(operator)).toEqual([])
  expect((await keysOf(clientId)).filter((key) => key.includes(uploadSessionIds[0]!))).toEqual([])
})

test('nothing of any library can be read by an upload request', async () => {
  const own = await thingsOf(w, await w.newClient())
  const foreign = await thingsOf(w, await w.newClient())
  const { requestToken } = own
  const headers = {
    cookie: `session=${requestToken}; share=${requestToken}`,
    authorization: `Bearer ${requestToken}`,
  }
  const closed = routeTable().filter(({ permission, method }) => permission !== 'public' && method !== 'HEAD')
  for (const route of closed) {
    const answer = await w.nobody.call(route.method, pathOf(route, own), bodyFor(route, own), headers)
    expect(answer.status, `${route.method} ${route.url}`).toBe(401)
  }
  // A token of another upload, even one of the same client, is as absent as one that never was.
  for (const step of ['done', 'progress', 'cancel'])
    for (const uploadToken of [
      'Z'.repeat(43),
      own.uploadToken,
      foreign.uploadToken,
      foreign.guestUploadToken,
    ])
      expect(await w.nobody.post(`/u/${requestToken}/files/${step}`, { uploadToken })).toEqual(
        refusal('upload-not-found'),
      )
  expect((await w.nobody.get(`/s/${requestToken}/assets`)).status).toBe(404)
  expect((await w.nobody.get(`/u/${own.shareToken}/request`)).status).toBe(404)
  expect(
    await w.nobody.post(`/u/${requestToken}/files`, guestFile, { origin: 'https://elsewhere.example' }),
  ).toEqual(refusal('cross-site'))
})
