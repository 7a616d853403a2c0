import { beforeEach, expect, test } from 'vitest'
import {
  type AiAnswer,
  aiKey,
  aiModel,
  aiPeer,
  completion,
  embeddingsModel,
  vectorOf,
} from '../../test/ai-peer.ts'
import { json, peer } from '../../test/delivery-peers.ts'
import { png } from '../../test/pictures.ts'
import { freePort } from '../../test/setup/postgres.ts'
import { openMetrics } from '../telemetry/metrics.ts'
import { openAi } from './ai.ts'
import { Brake } from './brake.ts'

const server = await aiPeer()
beforeEach(() => {
  server.requests.length = 0
  server.says()
})

const settings = { baseUrl: `${server.url}/v1`, key: aiKey, model: aiModel, embeddingsModel }
// A new one each time: what one has met does not hold up the next.
const ai = (baseUrl = settings.baseUrl, key = aiKey) => openAi({ ...settings, baseUrl, key })
const question = {
  instructions: 'Describe it.',
  text: 'In English.',
  image: { mimeType: 'image/png', bytes: png() },
  schema: { type: 'object' },
}
const asks = (asking?: object, of = ai()) => of.chat(question, asking)

test('a picture is asked about with the key, and JSON comes back however it is wrapped', async () => {
  expect(await asks()).toMatchObject({ title: 'A red square' })
  const [request] = server.requests
  expect(request).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${aiKey}` } })
  const [{ messages, ...wishes }] = server.questions() as [ReturnType<typeof server.questions>[0]]
  expect(messages[1]!.content[1]).toEqual({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${png().toString('base64')}` },
  })
  expect(wishes).toMatchObject({ model: aiModel, stream: false, response_format: { type: 'json_schema' } })

  const one = { title: 'One' }
  const wrapped: AiAnswer[] = [
    '```json\n{"title":"One"}\n```',
    'Here you are:\n```\n{"title":"One"}\n```\nAnything else?',
    '<think>{"title":"Two"}</think>\n{"title":"One"}',
    'Sure! {"title":"One"} Bye.',
    (response) => json(response, completion([{ type: 'text', text: '{"title":"One"}' }])),
  ]
  for (const answer of wrapped) {
    server.says(answer)
    expect(await asks()).toEqual(one)
  }
})

test('what is no answer is refused by name, without its words, the key or the picture', async () => {
  const canary = 'canary-said-by-the-endpoint'
  const hangs = () => {}
  const refusals: [AiAnswer, string][] = [
    ['I am sorry, Dave.', 'ai-failed'],
    ['{"title": "cut of', 'ai-failed'],
    ['', 'ai-failed'],
    [(response) => response.end('<html>Hello</html>'), 'ai-failed'],
    [(response) => json(response, []), 'ai-failed'],
    [(response) => json(response, null), 'ai-failed'],
    [(response) => json(response, { choices: [] }), 'ai-failed'],
    [
      (response) => json(response, completion(null, {}, { tool_calls: [{ function: { name: 'delete' } }] })),
      'ai-failed',
    ],
    [(response) => json(response, completion(null, {}, { refusal: canary })), 'ai-failed'],
    [(response) => json(response, completion('', { finish_reason: 'content_filter' })), 'ai-failed'],
    [(response) => json(response, completion('{"title":"A', { finish_reason: 'length' })), 'ai-failed'],
    [(response) => json(response, { error: { message: `${canary} ${aiKey}` } }, 404), 'ai-failed'],
    [(response) => json(response, { error: { message: canary } }, 500), 'ai-unavailable'],
    [(response) => response.end(Buffer.alloc(300 * 1024, 'x')), 'ai-unavailable'],
    [(response) => response.destroy(), 'ai-unavailable'],
    [
      (response) =>
        response.writeHead(200, { 'content-length': '999' }).write('{"choices"') && response.destroy(),
      'ai-unavailable',
    ],
    [hangs, 'ai-unavailable'],
  ]
  for (const [answer, code] of refusals) {
    server.says(answer)
    const error = await asks({ tries: 1, seconds: answer === hangs ? 0.3 : 60 }).catch(
      (error: Error) => error,
    )
    expect(error, String(answer)).toMatchObject({ code })
    expect((error as Error).message).not.toContain(canary)
    const { cause } = error as Error
    expect(`${(cause as Error)?.stack} ${JSON.stringify(error)}`).not.toMatch(
      new RegExp(`${aiKey}|${png().toString('base64').slice(0, 40)}`),
    )
  }
})

test('a server that does not know our wishes is asked without them, once and for all', async () => {
  server.says((response) => json(response, { error: { message: 'response_format?' } }, 400), {
    title: 'Plain',
  })
  const one = ai()
  expect(await one.chat(question)).toEqual({ title: 'Plain' })
  expect(await one.chat(question)).toEqual({ title: 'Plain' })
  expect(server.questions().map((asked) => 'response_format' in asked)).toEqual([true, false, false])
})

test('a redirect is not followed, so neither key nor picture goes elsewhere', async () => {
  const elsewhere = await peer((_, response) => json(response, completion('{}')))
  for (const status of [301, 307, 308]) {
    server.says((response) =>
      response.writeHead(status, { location: `${elsewhere.url}/v1/chat/completions` }).end(),
    )
    await expect(asks()).rejects.toMatchObject({ code: 'ai-failed' })
  }
  expect(elsewhere.requests).toEqual([])
})

test('who asks us to wait is waited for, or if it is long, left alone by all until then', async () => {
  server.says((response) => response.writeHead(429, { 'retry-after': '1' }).end(), { title: 'Then' })
  const began = Date.now()
  expect(await asks()).toEqual({ title: 'Then' })
  expect(Date.now() - began).toBeGreaterThanOrEqual(990)

  server.says((response) => response.writeHead(503, { 'retry-after': '3000' }).end())
  const patient = ai()
  server.requests.length = 0
  for (const one of [patient.chat(question), patient.chat(question)])
    await expect(one).rejects.toMatchObject({ code: 'ai-unavailable', headers: { 'retry-after': '3000' } })
  await expect(patient.embed(['x'])).rejects.toMatchObject({ code: 'ai-unavailable' })
  expect(server.requests.length).toBeLessThanOrEqual(2)
})

test('one that is away is tried a few times, then left alone, and found again', async () => {
  const away = ai(`http://127.0.0.1:${await freePort()}/v1`)
  await expect(away.chat(question)).rejects.toMatchObject({ code: 'ai-unavailable' })
  await expect(away.chat(question)).rejects.toThrow('did not answer before')

  const brake = new Brake()
  const fails = (times: number, now: number) => {
    for (let time = 0; time < times; time++) brake.failed(now)
    return brake.holds(now)
  }
  expect([fails(2, 0), fails(1, 0), fails(1, 5000), fails(20, 9000)]).toEqual([0, 5, 10, 300])
  expect(brake.holds(400_000)).toBe(0)
  brake.worked()
  expect(fails(2, 500_000)).toBe(0)
})

test('texts become vectors in their order, in portions; anything else is refused', async () => {
  const texts = Array.from({ length: 70 }, (_, at) => `text ${at}`)
  expect(await ai().embed(texts)).toEqual(texts.map(vectorOf))
  expect(server.asked('POST', /embeddings/)).toBe(3)
  expect(await ai().embed([])).toEqual([])
  const bad: object[] = [
    {},
    { data: [] },
    { data: [{ index: 0, embedding: [] }] },
    { data: [{ index: 0, embedding: ['1'] }] },
    { data: [{ index: 9, embedding: [1] }] },
    { data: [null] },
  ]
  for (const body of bad) {
    server.says((response) => json(response, body))
    await expect(ai().embed(['one'])).rejects.toMatchObject({ code: 'ai-failed' })
  }
})

test('whether it is there, and takes the key', async () => {
  expect(await ai().check()).toBe(`${aiModel}, ${embeddingsModel} at ${new URL(server.url).host}`)
  await expect(ai(settings.baseUrl, 'wrong-key').check()).rejects.toThrow('does not take the key')
  await expect(ai(`http://127.0.0.1:${await freePort()}/v1`).check()).rejects.toThrow('refused')
})

test('calls are counted by how they ended', async () => {
  const metrics = openMetrics()
  const counted = openAi(settings, { metrics })
  await counted.chat(question)
  server.says('no')
  await counted.chat(question).catch(() => {})
  server.says((response) => json(response, {}, 404))
  await counted.embed(['x']).catch(() => {})
  const told = await metrics.registry.metrics()
  expect(told).toContain('ai_call_duration_seconds_count{call="chat",outcome="answered"} 2')
  expect(told).toContain('ai_call_duration_seconds_count{call="embeddings",outcome="refused"} 1')
})
