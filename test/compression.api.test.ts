import { once } from 'node:events'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { takesGzip } from '../server/http/compression.ts'
import type { Person } from './person.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { operator, clientId } = await w.newClient()
const { assetId } = await operator.uploads()
for (const title of ['One', 'Two', 'Three']) await operator.uploads(undefined, { words: { title } })

/** As it came over the line: `fetch` would unpack it. */
async function raw(
  { url, credentials }: Person,
  path: string,
  headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br' },
) {
  const asked = request(url + path, { headers: { ...credentials, ...headers } })
  asked.end()
  const [answer] = await once(asked, 'response')
  const chunks: Buffer[] = []
  if (/event-stream/.test(answer.headers['content-type'])) answer.destroy()
  else for await (const chunk of answer) chunks.push(chunk)
  return { headers: answer.headers, bytes: Buffer.concat(chunks) }
}

test('a list leaves compressed to whoever takes it, and says that it depends on that', async () => {
  const { assets } = operator.door
  const [packed, plain] = await Promise.all([raw(operator, assets), raw(operator, assets, {})])
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
  expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
})

test('files, archives, event streams, and what has a tag or a secret leave as they are', async () => {
  const { assets, events } = operator.door
  const { folderId } = await operator.makesFolder('Zipped')
  await operator.uploads(undefined, { session: { folderId } })
  const untouched = [
    `${assets}/${assetId}`,
    `${assets}/${assetId}/content`,
    `${assets}/${assetId}/preview`,
    `${assets}/folders/download?folderId=${folderId}`,
    events,
  ]
  for (const path of untouched) {
    const { headers } = await raw(operator, path)
    expect([path, headers['content-encoding']]).toEqual([path, undefined])
  }
  const opened = await operator.opensUpload({}, { 'accept-encoding': 'gzip' })
  expect(opened.body.uploadToken).toBeTruthy()
  expect(opened.headers.get('content-encoding')).toBeNull()
  const part = await raw(operator, `${assets}/${assetId}/content`, {
    'accept-encoding': 'gzip',
    range: 'bytes=0-9',
  })
  expect(part.bytes).toHaveLength(10)
})

test('a batch answers compressed, too', async () => {
  const answer = await operator.fetch(`/admin/clients/${clientId}/assets/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: JSON.stringify({ assetIds: [assetId], action: 'tag', tags: ['packed'] }),
  })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.json()).toMatchObject({ results: [{ ok: true }] })
})

test.each([
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.8', true],
  ['*', true],
  ['', false],
  ['br', false],
  ['gzip;q=0', false],
  ['*, gzip;q=0', false],
])('Accept-Encoding “%s”', (accepted, takes) => {
  expect(takesGzip(accepted)).toBe(takes)
})
