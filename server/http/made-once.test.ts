import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { madeOnce } from './made-once.ts'

test('what is the same for all is written once, packed where that is taken, and not sent to who has it', async () => {
  let times = 0
  const app = Fastify()
  const text = JSON.stringify(Array.from({ length: 1000 }, () => 'the same'))
  const handler = madeOnce('application/json', () => {
    times++
    return text
  })
  app.get('/', handler)
  const asks = (headers: Record<string, string> = {}) => app.inject({ url: '/', headers })
  const [plain, packed, head] = await Promise.all([
    asks(),
    asks({ 'accept-encoding': 'gzip' }),
    app.inject({ url: '/', method: 'HEAD' }),
  ])
  expect([plain.body, plain.headers['content-type'], plain.headers.vary]).toEqual([
    text,
    'application/json',
    'accept-encoding',
  ])
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(text)
  expect([head.statusCode, head.body]).toEqual([200, ''])
  const known = await asks({ 'if-none-match': String(plain.headers.etag) })
  expect([known.statusCode, known.body, times]).toEqual([304, '', 1])
})
