import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { NewUploadSession, UploadSession } from '../contract/uploads.ts'
import { newId } from '../server/ids.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { addChecksums } from '../server/uploads/checksum.ts'
import { sweepUploads } from '../server/uploads/sweep.ts'
import { guestFile, sendsFile } from './guest-file.ts'
import { type Person, puts } from './person.ts'
import { pixel, png, pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { hasOwnPassword, newHome, ownWorld, startServer } from './world.ts'

const MiB = 1024 ** 2
const disk = process.env.TEST_WORLD !== 'postgres'
const w = await ownWorld({ MULTIPART_FROM_BYTES: String(10 * MiB), PART_SIZE_BYTES: String(5 * MiB) })

test('a picture goes from an empty library to a finalized asset', async () => {
  const { operator, clientId } = await w.newClient()
  const opened = await operator.opensUpload({ originalFilename: 'Summer menu.png' })
  expect(opened.status).toBe(201)
  expect(opened.body).toMatchObject({ status: 'awaiting-upload', uploadUrl: expect.stringContaining('http') })

  expect((await puts(opened.body, pixel)).status).toBe(200)
  const finalized = await operator.finalizes(opened.body.uploadToken, {
    altText: 'A menu',
    tags: ['menu'],
    allowedSurfaces: ['website'],
  })
  expect(finalized.status).toBe(201)
  expect(finalized.body).toMatchObject({
    clientId,
    title: 'Summer menu',
    altText: 'A menu',
    tags: ['menu'],
    allowedSurfaces: ['website'],
    mimeType: 'image/png',
    sizeBytes: pixel.length,
    sha256: createHash('sha256').update(pixel).digest('hex'),
    width: 1,
    height: 1,
    version: 1,
    folderId: null,
  })
  expect(finalized.body.assetRef).toBe(finalized.body.assetId)

  const { body } = await operator.lists()
  expect(body.assets.map((asset: { assetId: string }) => asset.assetId)).toEqual([finalized.body.assetId])
})

test('the whole journey needs nothing but curl', async () => {
  const { agent } = await w.newClient()
  const run = promisify(execFile)
  const file = join(w.dataDir, 'journey.png')
  await writeFile(file, png(3, 2))
  const json = async (...args: string[]) =>
    JSON.parse(
      (await run('curl', ['-sS', '-H', `authorization: ${agent.credentials.authorization}`, ...args])).stdout,
    )
  const post = (path: string, body: object) =>
    json(
      '-H',
      'content-type: application/json',
      '-d',
      JSON.stringify(body),
      `${w.url}${agent.door.assets}${path}`,
    )

  const session = await post('/upload-session', {
    originalFilename: 'journey.png',
    mimeType: 'image/png',
    expectedSizeBytes: png(3, 2).length,
  })
  const put = await run('curl', [
    '-sS',
    '-T',
    file,
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
    session.uploadUrl,
  ])
  expect(put.stdout).toBe('200')
  const asset = await post('/upload-session/finalize', { uploadToken: session.uploadToken })
  expect(asset).toMatchObject({ width: 3, height: 2, title: 'journey' })
})

describe('a session', () => {
  test('says how far it is: awaiting the file, uploaded, finalized', async () => {
    const { operator } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    const status = () => operator.get(`${operator.door.assets}/upload-session/${session.uploadSessionId}`)

    const awaiting = await status()
    expect(awaiting.body).toMatchObject({
      status: 'awaiting-upload',
      originalFilename: 'logo.png',
      mimeType: 'image/png',
      expectedSizeBytes: pixel.length,
      uploadUrl: expect.stringContaining('http'),
      assetId: null,
      problem: null,
    })
    // The fresh URL works as well as the first one.
    expect((await puts(awaiting.body, pixel)).status).toBe(200)
    expect((await status()).body).toMatchObject({ status: 'uploaded', uploadUrl: null })
    const { body: asset } = await operator.finalizes(session.uploadToken)
    expect((await status()).body).toMatchObject({ status: 'finalized', assetId: asset.assetId })
  })

  test('keeps its token only as a hash', async () => {
    const { operator } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    expect(Buffer.from(session.uploadToken, 'base64url').length).toBeGreaterThanOrEqual(16)
    const row = await w.parts.db
      .selectFrom('upload_sessions')
      .selectAll()
      .where('id', '=', session.uploadSessionId)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(session.uploadToken)
  })

  test('opened twice under one Idempotency-Key is one session', async () => {
    const { operator, clientId } = await w.newClient()
    const [first, second] = await Promise.all(
      [1, 2].map(() => operator.opensUpload({}, { 'idempotency-key': 'once' })),
    )
    expect(second).toMatchObject({ status: 201, body: first!.body })
    expect(await operator.opensUpload({}, { 'idempotency-key': 'once' })).toMatchObject({ body: first!.body })
    expect(await bytesOf(clientId)).toEqual({ storedBytes: 0, reservedBytes: pixel.length })
    expect(
      await operator.opensUpload({ originalFilename: 'other.png' }, { 'idempotency-key': 'once' }),
    ).toEqual(refusal('idempotency-key-reused'))
  })

  test('can be aborted, once or twice, and frees its bytes', async () => {
    const { portal, clientId } = await w.newClient()
    const { body: session } = await portal.opensUpload()
    await puts(session, pixel)
    const path = `${portal.door.assets}/upload-session/${session.uploadSessionId}`
    expect((await portal.delete(path)).status).toBe(204)
    expect((await portal.delete(path)).status).toBe(204)

    expect((await portal.get(path)).body).toMatchObject({ status: 'aborted', uploadUrl: null })
    expect(await objectsOf(clientId)).toEqual([])
    expect(await bytesOf(clientId)).toEqual({ storedBytes: 0, reservedBytes: 0 })
    expect(await portal.finalizes(session.uploadToken)).toEqual(refusal('upload-expired'))
  })

  test('that became an asset cannot be aborted', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await puts(session, pixel)
    await operator.finalizes(session.uploadToken)
    expect(
      await operator.delete(`${operator.door.assets}/upload-session/${session.uploadSessionId}`),
    ).toEqual(refusal('upload-finalized'))
    expect(await bytesOf(clientId)).toEqual({ storedBytes: pixel.length, reservedBytes: 0 })
  })

  test('tells the limits it is held to', async () => {
    const { viewer } = await w.newClient('Small', { quotaBytes: 1234 })
    const { body } = await viewer.get(`${viewer.door.assets}/upload-limits`)
    expect(body).toEqual({
      maxSizeBytes: {
        'image/jpeg': 100 * MiB,
        'image/png': 100 * MiB,
        'image/webp': 100 * MiB,
        'image/heic': 100 * MiB,
        'video/mp4': 10 * 1024 * MiB,
      },
      sessionLifetimeSeconds: 86400,
      urlLifetimeSeconds: 3600,
      multipartFromBytes: 10 * MiB,
      uploadsHere: w.parts.store.kind === 'disk',
      trashDays: 30,
      quota: { quotaBytes: 1234, storedBytes: 0, reservedBytes: 0 },
    })
  })
})

describe('finalization', () => {
  test('names the asset after its file when nobody gave a title', async () => {
    const { operator } = await w.newClient()
    const titled = async (originalFilename: string, words = {}) =>
      (await operator.uploads(pixel, { session: { originalFilename }, words })).title
    expect(await titled('Summer.menu.png')).toBe('Summer.menu')
    expect(await titled('.png')).toBe('Untitled')
    expect(await titled('no ending')).toBe('no ending')
    expect(await titled('a.png', { title: '  Given  ' })).toBe('Given')
  })

  test('asked for again answers the same asset', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await puts(session, pixel)
    const first = await operator.finalizes(session.uploadToken, { title: 'One' })
    const again = await operator.finalizes(session.uploadToken, { title: 'Two' })
    expect(first.status).toBe(201)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ assetId: first.body.assetId, title: 'One' })
    expect(await bytesOf(clientId)).toEqual({ storedBytes: pixel.length, reservedBytes: 0 })
  })

  test('puts the asset where the session said, or where finalization says', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const into = (session: object, words: object) => operator.uploads(pixel, { session, words })
    expect((await into({ folderId }, {})).folderId).toBe(folderId)
    expect((await into({}, { folderId })).folderId).toBe(folderId)
    expect((await into({ folderId }, { folderId: null })).folderId).toBeNull()
  })

  test('points to the twin that has the same bytes', async () => {
    const { operator } = await w.newClient()
    const first = await operator.uploads()
    const second = (await operator.uploads()) as unknown as { duplicateOf: string }
    expect(second.duplicateOf).toBe(first.assetId)
  })

  test('into a folder trashed meanwhile is refused and can be repeated elsewhere', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Short-lived')
    const { body: session } = await operator.opensUpload({ folderId })
    await puts(session, pixel)
    await operator.deletesFolder(folderId)
    expect(await operator.finalizes(session.uploadToken)).toEqual(refusal('not-found'))
    expect((await operator.finalizes(session.uploadToken, { folderId: null })).status).toBe(201)
  })

  test('answers 100 callers at once with one asset', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await puts(session, pixel)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => operator.finalizes(session.uploadToken)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99)
    expect(new Set(answers.map(({ body }) => body.assetId)).size).toBe(1)
    expect((await operator.lists()).body.assets).toHaveLength(1)
    expect(await bytesOf(clientId)).toEqual({ storedBytes: pixel.length, reservedBytes: 0 })
    expect((await originalsOf(clientId)).length).toBe(1)
  })

  test('keeps the bytes it has verified, whatever is put to the URL meanwhile and later', async () => {
    const { operator } = await w.newClient()
    for (let round = 0; round < 5; round++) {
      const { body: session } = await operator.opensUpload({ expectedSizeBytes: 400 })
      await puts(session, pngOfSize(400, round))
      let over = false
      const replay = (async () => {
        for (let seed = 50; !over; seed++) await puts(session, pngOfSize(400, seed))
      })()
      const { body: asset } = await operator.finalizes(session.uploadToken)
      over = true
      await replay
      await puts(session, pngOfSize(400, 99))

      const content = await operator.fetch(`${operator.door.assets}/${asset.assetId}/content`)
      expect(sha256(await content.bytes())).toBe(asset.sha256)
    }
  })
})

describe('finalization refuses', () => {
  const refused: [
    string,
    Partial<NewUploadSession>,
    () => Promise<Uint8Array>,
    Parameters<typeof refusal>[0],
  ][] = [
    ['a type that is not supported', { mimeType: 'image/gif' }, fixture('a.gif'), 'unsupported-type'],
    ['an SVG that calls itself a PNG', {}, fixture('impostor-svg.png'), 'type-mismatch'],
    ['a JPEG that calls itself a PNG', {}, fixture('impostor-jpg.png'), 'type-mismatch'],
    [
      'HTML that calls itself a JPEG',
      { mimeType: 'image/jpeg' },
      fixture('impostor-html.jpg'),
      'type-mismatch',
    ],
    ['a picture cut off in the middle', {}, fixture('truncated-a.png'), 'unreadable-media'],
    ['a film that is encrypted', { mimeType: 'video/mp4' }, encryptedFilm, 'encrypted-media'],
    ['a file with another checksum', { sha256: 'a'.repeat(64) }, async () => pixel, 'checksum-mismatch'],
  ]

  async function encryptedFilm() {
    const film = Buffer.from(await fixture('a.mp4')())
    film.write('encv', film.indexOf('avc1', film.indexOf('stsd')), 'latin1')
    return film
  }

  test.each(refused)('%s, leaves no asset and frees the bytes', async (_, session, bytes, code) => {
    const { operator, clientId } = await w.newClient()
    const file = await bytes()
    const { body: opened } = await operator.opensUpload({ expectedSizeBytes: file.length, ...session })
    await puts(opened, file)
    expect(await operator.finalizes(opened.uploadToken)).toEqual(refusal(code))
    await expectRejected(operator, clientId, opened, code)
  })

  test('a file longer than announced, should the store let it through', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: opened } = await operator.opensUpload({ expectedSizeBytes: pixel.length - 1 })
    expect((await puts(opened, pixel)).status).toBe(403)
    await w.parts.store
      .storageOf(clientId)
      .put(`staging/${opened.uploadSessionId}/file`, pixel, { sizeBytes: pixel.length })
    expect(await operator.finalizes(opened.uploadToken)).toEqual(refusal('size-mismatch'))
    await expectRejected(operator, clientId, opened, 'size-mismatch')
  })

  test('a file that has not arrived, and takes it later', async () => {
    const { operator } = await w.newClient()
    const { body: opened } = await operator.opensUpload()
    expect(await operator.finalizes(opened.uploadToken)).toEqual(refusal('file-not-uploaded'))
    await puts(opened, pixel)
    expect((await operator.finalizes(opened.uploadToken)).status).toBe(201)
  })

  test('a token nobody was given', async () => {
    const { operator } = await w.newClient()
    expect(await operator.finalizes('not-a-token')).toEqual(refusal('upload-not-found'))
    for (const id of [newId('upload'), newId('asset'), 'upload_x', '..%2F..%2Fx'])
      expect(await operator.get(`${operator.door.assets}/upload-session/${id}`)).toEqual(
        refusal('upload-not-found'),
      )
  })

  test('a session whose time is over', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: opened } = await operator.opensUpload()
    await puts(opened, pixel)
    await movesBack(opened.uploadSessionId, 3 * hour)
    expect(await operator.finalizes(opened.uploadToken)).toEqual(refusal('upload-expired'))
    const path = `${operator.door.assets}/upload-session/${opened.uploadSessionId}`
    expect((await operator.get(path)).body).toMatchObject({ status: 'expired', uploadUrl: null })
    expect((await operator.lists()).body.assets).toEqual([])
    expect((await bytesOf(clientId)).storedBytes).toBe(0)
  })

  test('what no longer fits the quota, and takes it when there is room', async () => {
    const { operator, clientId } = await w.newClient('Tight', { quotaBytes: 2 * pixel.length })
    const { body: opened } = await operator.opensUpload()
    await puts(opened, pixel)
    const quotaBytes = pixel.length - 1
    await w.admin.patch(`/admin/clients/${clientId}`, { quotaBytes })
    const refused = await operator.finalizes(opened.uploadToken)
    expect(refused).toEqual(refusal('quota-exceeded'))
    expect(refused.body.params).toEqual({ quotaBytes, usedBytes: pixel.length })
    expect((await operator.lists()).body.assets).toEqual([])
    await w.admin.patch(`/admin/clients/${clientId}`, { quotaBytes: pixel.length })
    expect((await operator.finalizes(opened.uploadToken)).status).toBe(201)
  })
})

describe('a session is not opened', () => {
  test('for a file that is too large for its type', async () => {
    const { operator, clientId } = await w.newClient()
    expect(await operator.opensUpload({ expectedSizeBytes: 100 * MiB + 1 })).toEqual(refusal('too-large'))
    expect(await bytesOf(clientId)).toEqual({ storedBytes: 0, reservedBytes: 0 })
  })

  test('beyond the quota, which 50 callers at once cannot stretch', async () => {
    const { operator, clientId } = await w.newClient('Tight', { quotaBytes: 7 * pixel.length + 1 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => operator.opensUpload()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toEqual(refusal('quota-exceeded'))
    expect(await bytesOf(clientId)).toEqual({ storedBytes: 0, reservedBytes: 7 * pixel.length })
  })

  test('for an odd checksum, size or name', async () => {
    const { operator } = await w.newClient()
    for (const odd of [
      { sha256: 'abc' },
      { expectedSizeBytes: 0 },
      { expectedSizeBytes: 1.5 },
      { originalFilename: '' },
      { originalFilename: 'x'.repeat(4097) },
      { originalFilename: 'nul\0.png' },
    ])
      expect(await operator.opensUpload(odd)).toEqual(refusal('invalid-request'))
  })

  test('while storage settings are missing in part', async ({ skip }) => {
    skip(process.env.TEST_WORLD !== 'embedded', 'here all of them are set')
    const home = await newHome()
    const server = await startServer({ ...home.environment, STORAGE_BUCKET_NAME: 'assets' })
    try {
      const login = await fetch(`${server.url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@example.com', password: 'correct-horse-battery' }),
      })
      const headers = {
        'content-type': 'application/json',
        cookie: login.headers.get('set-cookie')!.split(';')[0]!,
      }
      const post = async (path: string, body: object) => {
        const answer = await fetch(server.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        return { status: answer.status, body: await answer.json() }
      }
      const { body: client } = await post('/admin/clients', { name: 'Harbour Café' })
      const file = { originalFilename: 'a.png', mimeType: 'image/png', expectedSizeBytes: 10 }
      const refused = await post(`/admin/clients/${client.clientId}/assets/upload-session`, file)
      expect(refused).toEqual(refusal('storage-not-configured'))
      expect(refused.body.detail).toMatch(
        /STORAGE_ACCOUNT_ID, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and restart/,
      )
      expect((await post(`/admin/clients/${client.clientId}/assets/folders`, { name: 'A' })).status).toBe(201)
    } finally {
      await server.stop()
      await home.remove()
    }
  })
})

describe('a file in parts', () => {
  const file = pngOfSize(12 * MiB, 4)
  const partOf = (partNumber: number) => file.subarray((partNumber - 1) * 5 * MiB, partNumber * 5 * MiB)
  const opens = (person: Person, session: Partial<NewUploadSession> = {}) =>
    person.opensUpload({ expectedSizeBytes: file.length, ...session })

  test('is sent, resumed where it stopped, and joined to the same bytes', async () => {
    const { portal, clientId } = await w.newClient()
    const { body: session } = await opens(portal, { sha256: sha256(file) })
    expect(session.multipart).toEqual({ partSizeBytes: 5 * MiB })
    const asks = (...partNumbers: number[]) =>
      portal.post(`${portal.door.assets}/upload-session/parts`, {
        uploadToken: session.uploadToken,
        partNumbers,
      })
    const progress = async () =>
      (await portal.get(`${portal.door.assets}/upload-session/${session.uploadSessionId}`)).body

    const { body } = await asks(1, 2, 3)
    expect(body.parts.map((part: { sizeBytes: number }) => part.sizeBytes)).toEqual([
      5 * MiB,
      5 * MiB,
      2 * MiB,
    ])
    expect((await puts(body.parts[0], partOf(2).subarray(0, 1000))).status).toBe(403)
    for (const number of [3, 1]) expect((await puts(body.parts[number - 1], partOf(number))).status).toBe(200)
    expect(await progress()).toMatchObject({
      status: 'awaiting-upload',
      multipart: { partSizeBytes: 5 * MiB, uploadedPartNumbers: [1, 3] },
    })
    const early = await portal.finalizes(session.uploadToken)
    expect(early).toEqual(refusal('file-not-uploaded'))
    expect(early.body.detail).toContain('2 of 3 parts')

    const { body: rest } = await asks(2)
    await puts(rest.parts[0], partOf(2))
    expect((await progress()).status).toBe('uploaded')
    const { status, body: asset } = await portal.finalizes(session.uploadToken)
    expect(status).toBe(201)
    expect(asset).toMatchObject({ sizeBytes: file.length, sha256: sha256(file) })
    const content = await portal.fetch(`${portal.door.assets}/${asset.assetId}/content`)
    expect(sha256(await content.bytes())).toBe(sha256(file))
    expect(await originalsOf(clientId)).toHaveLength(1)
    expect(await asks(1)).toEqual(refusal('upload-finalized'))
  })

  test('takes its room once: what was put whole goes when parts are asked for', async () => {
    const { operator, clientId } = await w.newClient()
    const { body: session } = await opens(operator)
    expect((await puts(session, file)).status).toBe(200)
    const at = `${operator.door.assets}/upload-session`
    const { body } = await operator.post(`${at}/parts`, {
      uploadToken: session.uploadToken,
      partNumbers: [3],
    })
    expect((await puts(body.parts[0], partOf(3))).status).toBe(200)
    if (w.parts.store.kind === 'disk') expect((await puts(session, file)).status).toBe(403)
    expect((await operator.get(`${at}/${session.uploadSessionId}`)).body).toMatchObject({
      status: 'awaiting-upload',
      uploadUrl: null,
      multipart: { uploadedPartNumbers: [3] },
    })
    const keys: string[] = []
    for await (const { key } of w.parts.store.storageOf(clientId).list('staging/')) keys.push(key)
    expect(keys).toEqual([expect.stringMatching(/part-00003$/)])
  })

  test('has only the parts it has', async () => {
    const { operator } = await w.newClient()
    const { body: large } = await opens(operator)
    const { body: small } = await operator.opensUpload()
    const path = `${operator.door.assets}/upload-session/parts`
    for (const [uploadToken, partNumbers] of [
      [large.uploadToken, [4]],
      [large.uploadToken, [0]],
      [large.uploadToken, []],
      [small.uploadToken, [1]],
    ])
      expect(await operator.post(path, { uploadToken, partNumbers })).toEqual(refusal('invalid-request'))
    expect(await operator.post(path, { uploadToken: 'no', partNumbers: [1] })).toEqual(
      refusal('upload-not-found'),
    )
  })
})

describe('a large file', () => {
  test('is finalized at once; its checksum follows and is held against the announced one', async () => {
    const { operator } = await w.newClient()
    const file = pngOfSize(64 * MiB + 1)
    const asset = await operator.uploads(file, { session: { sha256: 'b'.repeat(64) } })
    expect(asset.sha256).toBeNull()
    await expect
      .poll(async () => (await operator.reads(asset.assetId)).body, { timeout: 90_000, interval: 100 })
      .toMatchObject({
        sha256: sha256(file),
        media: { state: 'failed', problem: expect.stringContaining('SHA-256') },
      })
    // A job may run twice.
    const before = (await operator.reads(asset.assetId)).body
    await addChecksums(
      w.parts,
      { clientId: asset.clientId, assetId: asset.assetId, version: 1 },
      { last: false },
    )
    expect((await operator.reads(asset.assetId)).body).toEqual(before)
    // Another try at its previews does not make it the right file.
    expect(await operator.post(`${operator.door.assets}/${asset.assetId}/media/retry`)).toEqual(
      refusal('checksum-mismatch'),
    )
    expect((await operator.reads(asset.assetId)).body).toEqual(before)
  })
})

describe('replacing a file', () => {
  test('makes version 2 of the same ref; version 1 can still be read', async () => {
    const { operator, clientId } = await w.newClient()
    const first = await operator.uploads(png(2, 2), { words: { title: 'Logo', tags: ['brand'] } })
    const second = await operator.uploads(png(3, 3), {
      session: { replacesAssetId: first.assetId, originalFilename: 'logo-v2.png' },
    })
    expect(second).toMatchObject({
      assetId: first.assetId,
      assetRef: first.assetRef,
      title: 'Logo',
      tags: ['brand'],
      originalFilename: 'logo-v2.png',
      version: 2,
      width: 3,
    })
    const content = (query: string) =>
      operator.fetch(`${operator.door.assets}/${first.assetId}/content${query}`).then(async (answer) => ({
        status: answer.status,
        sha256: sha256(await answer.bytes()),
      }))
    expect(await content('')).toEqual({ status: 200, sha256: sha256(png(3, 3)) })
    expect(await content('?version=1')).toEqual({ status: 200, sha256: sha256(png(2, 2)) })
    expect(await content('?version=2')).toEqual({ status: 200, sha256: sha256(png(3, 3)) })
    expect((await content('?version=3')).status).toBe(404)

    const { body } = await operator.get(`${operator.door.assets}/${first.assetId}/versions`)
    expect(body.versions).toMatchObject([
      { version: 2, assetRef: `${first.assetId}@2`, sha256: sha256(png(3, 3)) },
      { version: 1, assetRef: `${first.assetId}@1`, sha256: sha256(png(2, 2)) },
    ])
    expect(await bytesOf(clientId)).toEqual({
      storedBytes: png(2, 2).length + png(3, 3).length,
      reservedBytes: 0,
    })
  })

  test('of an asset in the trash is refused', async () => {
    const { operator } = await w.newClient()
    const asset = await operator.uploads()
    await operator.trashes(asset.assetId)
    expect(await operator.opensUpload({ replacesAssetId: asset.assetId })).toEqual(refusal('not-found'))
  })

  test('by ten callers at once counts every version once', async () => {
    const { operator } = await w.newClient()
    const asset = await operator.uploads()
    const versions = await Promise.all(
      Array.from({ length: 10 }, (_, seed) =>
        operator.uploads(pngOfSize(300, seed), { session: { replacesAssetId: asset.assetId } }),
      ),
    )
    expect(versions.map(({ version }) => version).sort((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])
  })
})

describe('an upload URL dies with the rights of whoever was given it', () => {
  beforeEach(({ skip }) => skip(!disk, 'a bucket knows no rights of ours'))

  const status = async (session: UploadSession) => (await puts(session, pixel)).status

  test('a removed key, also in the middle of the body', async () => {
    const { operator, agent } = await w.newClient()
    const { body: session } = await agent.opensUpload()
    const { body: begun } = await agent.opensUpload()
    const sending = request(begun.uploadUrl, { method: 'PUT', headers: { 'content-length': pixel.length } })
    const answered = once(sending, 'response')
    sending.write(pixel.subarray(0, 10))
    await expect.poll(() => readdir(join(w.dataDir, 'objects/unfinished'))).toHaveLength(1)
    expect((await w.admin.delete(`/admin/api-keys/${agent.id}`)).status).toBe(204)
    expect(await status(session)).toBe(403)
    sending.end(pixel.subarray(10))
    const [answer] = await answered
    expect(answer.statusCode).toBe(403)
    answer.resume()

    // Whoever goes on with it gets a URL of their own.
    const { body: progress } = await operator.get(
      `${operator.door.assets}/upload-session/${session.uploadSessionId}`,
    )
    expect(await status(progress)).toBe(200)
    expect((await operator.finalizes(session.uploadToken)).status).toBe(201)
  })

  test('a guest whose request was revoked, also in the middle of the body; or who said that all is sent', async () => {
    const { operator } = await w.newClient()
    const requests = operator.door.assets.replace(/assets$/, 'upload-requests')
    const { body: asked } = await operator.post(requests, { title: 'Photos' })
    const { pathname: path } = new URL(asked.url)
    const { session: sent } = await sendsFile(w.nobody, path)
    expect(await status(sent)).toBe(403)
    const { body: begun } = await w.nobody.post(`${path}/files`, guestFile)
    const sending = request(begun.uploadUrl, { method: 'PUT', headers: { 'content-length': pixel.length } })
    const answered = once(sending, 'response')
    sending.write(pixel.subarray(0, 10))
    await expect.poll(() => readdir(join(w.dataDir, 'objects/unfinished'))).toHaveLength(1)
    await operator.delete(`${requests}/${asked.uploadRequestId}`)
    sending.end(pixel.subarray(10))
    const [answer] = await answered
    expect(answer.statusCode).toBe(403)
    answer.resume()
  })

  test('somebody switched off, taken from the client, or made a viewer', async () => {
    const { clientId, operator, portal } = await w.newClient()
    const changes = [{ clientIds: [] }, { clientIds: [clientId], role: 'viewer' }, { isActive: false }]
    for (const change of changes) {
      await w.admin.patch(`/admin/users/${operator.id}`, { role: 'operator', clientIds: [clientId] })
      const { body: session } = await operator.opensUpload()
      await w.admin.patch(`/admin/users/${operator.id}`, change)
      expect(await status(session), JSON.stringify(change)).toBe(403)
    }
    const { body: session } = await portal.opensUpload()
    await w.admin.patch(`/admin/users/${portal.id}`, { isActive: false })
    expect(await status(session)).toBe(403)
    await w.admin.patch(`/admin/users/${portal.id}`, { isActive: true })
    expect(await status(session)).toBe(403)
  })

  test('somebody whose password was changed, until they ask for another', async () => {
    const { operator } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await operator.post('/auth/logout')
    const password = 'a password nobody has seen'
    await w.admin.patch(`/admin/users/${operator.id}`, { password })
    expect(await status(session)).toBe(403)

    await hasOwnPassword(w, `${operator.id}@example.com`)
    const again = (await w.login(`${operator.id}@example.com`, password)).at(operator.door)
    const { body: progress } = await again.get(
      `${operator.door.assets}/upload-session/${session.uploadSessionId}`,
    )
    expect(await status(progress)).toBe(200)
  })
})

describe('the sweep', () => {
  test('removes what nobody finalized and leaves what is live', async () => {
    const { operator, clientId } = await w.newClient()
    const live = await operator.uploads(png(2, 1))
    const { body: open } = await operator.opensUpload()
    await puts(open, pixel)
    const { body: abandoned } = await operator.opensUpload()
    await puts(abandoned, pixel)
    // What a process that was killed in the middle of a finalization leaves.
    const { asset_id } = await sessionRow(abandoned.uploadSessionId)
    await w.parts.store
      .storageOf(clientId)
      .put(`assets/${asset_id}/${abandoned.uploadSessionId}/deadClaim/original`, pixel, {
        sizeBytes: pixel.length,
      })
    await movesBack(abandoned.uploadSessionId, 48 * hour)

    await sweepUploads(w.parts)
    const left = await objectsOf(clientId)
    expect(left.filter((key) => key.includes(abandoned.uploadSessionId))).toEqual([])
    expect(left.filter((key) => key.includes(open.uploadSessionId))).toHaveLength(1)
    expect(await bytesOf(clientId)).toEqual({
      storedBytes: png(2, 1).length,
      reservedBytes: pixel.length,
    })
    expect((await sessionRow(abandoned.uploadSessionId)).status).toBe('expired')
    expect((await operator.fetch(`${operator.door.assets}/${live.assetId}/content`)).status).toBe(200)
    expect((await operator.finalizes(open.uploadToken)).status).toBe(201)
    expect(await operator.finalizes(abandoned.uploadToken)).toEqual(refusal('upload-expired'))
  })

  test('finds nothing of a session that is over, for its URL is dead', async ({ skip }) => {
    skip(!disk, 'a URL of a bucket outlives its session')
    const { operator, clientId } = await w.newClient('Small', { quotaBytes: 1000 })
    const { body: aborted } = await operator.opensUpload()
    await operator.delete(`${operator.door.assets}/upload-session/${aborted.uploadSessionId}`)
    const { body: finalized } = await operator.opensUpload()
    await puts(finalized, pixel)
    expect((await operator.finalizes(finalized.uploadToken)).status).toBe(201)
    const { body: rejected } = await operator.opensUpload({ mimeType: 'image/gif' })
    await puts(rejected, pixel)
    expect((await operator.finalizes(rejected.uploadToken)).status).toBe(415)
    const { body: expired } = await operator.opensUpload()
    await w.parts.db
      .updateTable('upload_sessions')
      .set({ expires_at: new Date(0) })
      .where('id', '=', expired.uploadSessionId)
      .execute()

    for (const session of [aborted, finalized, rejected, expired]) {
      const answer = await puts(session, pixel)
      expect(answer.status).toBe(403)
      expect(await answer.text()).toContain('AccessDenied')
    }
    expect((await objectsOf(clientId)).filter((key) => key.startsWith('staging/'))).toEqual([])
  })

  test('comes back for what a URL of a bucket brings late, and says how much it was', async ({ skip }) => {
    skip(disk, 'a URL of the disk store dies with its session')
    const { operator, clientId } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await operator.delete(`${operator.door.assets}/upload-session/${session.uploadSessionId}`)
    await sweepUploads(w.parts)
    // Once while the URL lives, and once by a PUT that began then and took hours.
    for (const [age, swept] of [
      [2 * hour, false],
      [48 * hour, true],
    ] as const) {
      expect((await puts(session, pixel)).status).toBe(200)
      await w.parts.db
        .updateTable('upload_sessions')
        .set({ urls_expire_at: new Date(Date.now() - age), sweep_at: new Date(0) })
        .where('id', '=', session.uploadSessionId)
        .execute()
      const removed = await sweepUploads(w.parts)
      expect(removed.objects).toBe(1)
      expect(removed.bytes).toBe(pixel.length)
      expect(await objectsOf(clientId)).toEqual([])
      expect((await sessionRow(session.uploadSessionId)).swept).toBe(swept)
    }
  })

  test('does not take a session from somebody who is finalizing it', async () => {
    const { operator } = await w.newClient()
    const { body: session } = await operator.opensUpload()
    await puts(session, pixel)
    await w.parts.db
      .updateTable('upload_sessions')
      .set({ sweep_at: new Date(0), claim: 'held', claimed_until: new Date(Date.now() + hour) })
      .where('id', '=', session.uploadSessionId)
      .execute()
    await sweepUploads(w.parts)
    expect((await sessionRow(session.uploadSessionId)).status).toBe('open')
  })
})

describe('a hostile file name', () => {
  const names = [
    ['with steps upwards', '../../etc/passwd.png', 'passwd.png'],
    ['with backslashes', '..\\..\\boot.png', 'boot.png'],
    ['of 4 kB', `${'long'.repeat(1023)}.png`, `${'long'.repeat(63).slice(0, 251)}.png`],
    ['written from right to left', '\u202Egnp.exe.png', 'gnp.exe.png'],
    ['of emoji', '🦩🏝️ flamingo.png'],
    ['with escapes', 'a%2Fb%00.png'],
    ['of two lines', 'two\r\nlines: yes.png', 'twolines: yes.png'],
    ['with quotes', `"quotes' and; semicolons".png`],
    ['that is no text', '\ud800.png'],
    ['of dots', '. .png'],
    ['of nothing to see', '\u200b/\u202e .. ', 'file'],
  ]
  test.each(names)('%s is only a name', async (_, originalFilename, kept = originalFilename) => {
    const { operator, clientId } = await w.newClient()
    const opened = await operator.opensUpload({ originalFilename })
    if (opened.status === 400) return expect(opened).toEqual(refusal('invalid-request'))
    await puts(opened.body, pixel)
    const { status, body: asset } = await operator.finalizes(opened.body.uploadToken)
    expect(status).toBe(201)
    expect(asset.originalFilename).toBe(kept)
    const { body: progress } = await operator.get(
      `${operator.door.assets}/upload-session/${opened.body.uploadSessionId}`,
    )
    expect(progress.originalFilename).toBe(kept)
    const question = { folderId: null, names: [originalFilename, kept] }
    const { taken } = (await operator.post(`${operator.door.assets}/upload-session/taken-names`, question))
      .body
    expect(taken.map(({ name }: { name: string }) => name)).toEqual([...new Set(question.names)])
    expect(asset.title).not.toMatch(/[/\\\u202a-\u202e]|\p{Cc}/u)
    expect([...asset.title].length).toBeLessThanOrEqual(200)
    for (const key of await objectsOf(clientId)) expect(key).toMatch(/^assets\/asset_[\w/]+/)

    const { headers } = await operator.fetch(`${operator.door.assets}/${asset.assetId}/content?download=true`)
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\/\p{Cc}]{1,205}"; filename\*=UTF-8''[\w.%~!-]+$/u,
    )
  })
})

const hour = 3_600_000

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function fixture(name: string) {
  return () => readFile(fixturePath(name))
}

async function bytesOf(clientId: string) {
  const { body } = await w.admin.get(`/admin/clients/${clientId}`)
  return { storedBytes: body.storedBytes, reservedBytes: body.reservedBytes }
}

async function objectsOf(clientId: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of w.parts.store.storageOf(clientId).list('')) keys.push(key)
  return keys
}

const originalsOf = async (clientId: string) =>
  (await objectsOf(clientId)).filter((key) => key.endsWith('/original'))

async function expectRejected(
  person: Person,
  clientId: string,
  { uploadSessionId, uploadToken }: { uploadSessionId: string; uploadToken: string },
  code: string,
) {
  const { body } = await person.get(`${person.door.assets}/upload-session/${uploadSessionId}`)
  expect(body).toMatchObject({ status: 'rejected', assetId: null, problem: { code } })
  expect((await person.finalizes(uploadToken)).body).toEqual(body.problem)
  expect((await person.lists({ everywhere: true })).body.assets).toEqual([])
  expect(await objectsOf(clientId)).toEqual([])
  expect(await bytesOf(clientId)).toEqual({ storedBytes: 0, reservedBytes: 0 })
}

const sessionRow = (id: string) =>
  w.parts.db.selectFrom('upload_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Lets time pass for one session. */
async function movesBack(id: string, milliseconds: number) {
  const row = await sessionRow(id)
  const back = (date: Date) =>
    new Date(Math.min(date.getTime(), Date.now() + 24 * hour) - 24 * hour - milliseconds)
  await w.parts.db
    .updateTable('upload_sessions')
    .set({
      expires_at: back(row.expires_at),
      urls_expire_at: back(row.urls_expire_at),
      sweep_at: back(row.sweep_at),
    })
    .where('id', '=', id)
    .execute()
}
