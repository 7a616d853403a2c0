import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { puts } from './person.ts'
import { pixel, png } from './pictures.ts'
import { world } from './world.ts'

const w = await world()

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
