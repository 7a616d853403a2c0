import { describe, expect, test } from 'vitest'
import { nextEvents } from './event-reader.ts'
import { person } from './person.ts'
import { refusal } from './refusal.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld({
  ROLE: 'api',
  RATE_LIMIT_PRINCIPAL: '20',
  RATE_LIMIT_CLIENT: '30',
  RATE_LIMIT_ADDRESS: '10',
  STREAMS_PRINCIPAL: '3',
  STREAMS_CLIENT: '4',
  TRUST_PROXY: 'true',
})

/** Sends until it is refused, or as often as said; the answers in order. */
async function keepsAsking<T extends { status: number }>(ask: () => Promise<T>, most = 60): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < most && answers.at(-1)?.status !== 429) answers.push(await ask())
  return answers
}

const left = (headers: Headers) =>
  Object.fromEntries(
    [...headers.get('ratelimit')!.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, name, r, t]) => [
      name,
      { r: Number(r), t: Number(t) },
    ]),
  )

describe('a caller', () => {
  test('is told its limits and what is left of them', async () => {
    const { operator } = await w.newClient()
    const [first, second] = [await operator.lists(), await operator.lists()]
    expect(first!.headers.get('ratelimit-policy')).toBe('"principal";q=20;w=60, "client";q=30;w=60')
    expect(left(first!.headers)).toEqual({ principal: { r: 19, t: 3 }, client: { r: 29, t: 2 } })
    expect(left(second!.headers).principal!.r).toBe(18)
  })

  test('over its own limit waits as long as it is told, while others of the client go on', async () => {
    const { operator, viewer, portal } = await w.newClient()
    const answers = await keepsAsking(() => operator.lists())
    const last = answers.at(-1)!
    expect(last).toEqual(refusal('rate-limited'))
    // One more may come in while asking takes its time.
    expect(answers.length).toBeGreaterThanOrEqual(21)
    expect(left(last.headers).principal!.r).toBe(0)
    const wait = Number(last.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(4)

    expect((await viewer.lists()).status).toBe(200)
    expect((await portal.lists()).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    expect((await operator.lists()).status).toBe(200)
  })

  test('of a client over its limit is refused, another client’s is not', async () => {
    const noisy = await w.newClient()
    const quiet = await w.newClient()
    await keepsAsking(() => noisy.operator.lists())
    const answers = await keepsAsking(() => noisy.agent.lists())
    expect(answers.at(-1)).toEqual(refusal('rate-limited'))
    expect(answers.at(-1)!.body.detail).toMatch(/people and agents of this client/)
    expect(answers.length).toBeLessThan(20)
    // Refused by the client's limit, it has used nothing of its own.
    expect(left(answers.at(-1)!.headers).principal!.r).toBeGreaterThan(0)
    expect((await quiet.operator.lists()).status).toBe(200)
    expect((await quiet.agent.lists()).status).toBe(200)
  })
})

describe('work counts, not requests', () => {
  test('each call of an MCP batch counts, and they are made one after another', async () => {
    const { agent, clientId } = await w.newClient()
    const { pool } = w.parts.database
    let [busy, most] = [0, 0]
    const acquired = () => {
      most = Math.max(most, ++busy)
    }
    const released = () => {
      busy--
    }
    pool.on('acquire', acquired).on('release', released)
    const batch = (calls: number) =>
      agent.post(
        '/mcp',
        Array.from({ length: calls }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'search_assets', arguments: { clientId } },
        })),
        { accept: 'application/json, text/event-stream' },
      )
    const first = await batch(15)
    pool.off('acquire', acquired).off('release', released)
    expect(first.status).toBe(200)
    expect(first.body).toHaveLength(15)
    expect(left(first.headers).principal!.r).toBeLessThanOrEqual(6)
    // One search asks for three things at once; fifteen of them ask for no more.
    expect(most).toBeLessThanOrEqual(4)
    expect(await batch(15)).toEqual(refusal('rate-limited'))
    expect(await batch(101)).toEqual(refusal('invalid-request'))
  })

  test('a caller and a client hold so many event streams at once', async () => {
    const { operator, viewer, portal } = await w.newClient()
    const held = await Promise.all([operator, operator, operator].map((person) => nextEvents(person)))
    const more = await operator.get(operator.door.events)
    expect(more).toEqual(refusal('rate-limited'))
    expect(more.body.detail).toMatch(/^You hold 3 event streams/)
    held.push(await nextEvents(viewer))
    expect((await portal.get(portal.door.events)).body.detail).toMatch(
      /^The people and agents of this client/,
    )
    await held[0]!.leaves()
    await expect
      .poll(async () => {
        const again = await nextEvents(portal)
        await again.leaves()
        return again.status
      })
      .toBe(200)
    for (const stream of held) await stream.leaves()
  })
})

describe('without a login', () => {
  const from = (address: string, credentials = {}) =>
    person(w.url, { 'x-forwarded-for': address, ...credentials })

  test('an address counts', async () => {
    const answers = await keepsAsking(() => from('203.0.113.1').get('/status'))
    expect(answers.at(-1)).toEqual(refusal('rate-limited'))
    expect(answers.at(-1)!.headers.get('ratelimit-policy')).toBe('"address";q=10;w=60')
    expect((await from('203.0.113.2').get('/status')).status).toBe(200)
  })

  test('an address counts as one with any port, and rubbish as who sent it', async () => {
    let port = 5000
    const ways = [
      () => `203.0.113.70:${++port}`,
      () => `[2001:db8:7::1]:${++port}`,
      () => `[2001:db8:8::1%${++port}]`,
      () => `rubbish ${++port}`,
    ]
    for (const way of ways) {
      const answers = await keepsAsking(() => from(way()).get('/status'))
      expect(answers.at(-1), way()).toEqual(refusal('rate-limited'))
    }
    expect(await from('203.0.113.70').get('/status')).toEqual(refusal('rate-limited'))
    expect(await from('2001:db8:7::1').get('/status')).toEqual(refusal('rate-limited'))
  })

  test('a whole /64 counts as one', async () => {
    let last = 0
    const answers = await keepsAsking(() => from(`2001:db8:1:2::${(++last).toString(16)}`).get('/status'))
    expect(answers.at(-1)).toEqual(refusal('rate-limited'))
    expect((await from('2001:db8:1:3::1').get('/status')).status).toBe(200)
  })

  test('what the caller itself writes before the balancer’s word is not believed', async () => {
    let last = 0
    const answers = await keepsAsking(() => from(`198.51.100.${++last}, 203.0.113.4`).get('/status'))
    expect(answers.at(-1)).toEqual(refusal('rate-limited'))
  })

  test('keys that are none count too, and a true one goes on from the same address', async () => {
    const { agent } = await w.newClient()
    const guesses = await keepsAsking(() =>
      from('203.0.113.5', { authorization: 'Bearer cal_guess' }).get('/admin/clients'),
    )
    expect(guesses[0]).toEqual(refusal('unauthenticated'))
    expect(guesses.at(-1)).toEqual(refusal('rate-limited'))
    const path = agent.door.assets
    expect((await agent.get(path, { 'x-forwarded-for': '203.0.113.5' })).status).toBe(200)
  })

  test('probes are never refused', async () => {
    for (const path of ['/livez', '/readyz']) {
      const answers = await keepsAsking(() => from('203.0.113.6').get(path), 30)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(answers[0]!.headers.has('ratelimit')).toBe(false)
    }
  })
})

test('what was refused is counted', async () => {
  const { metrics } = w.parts
  const text = await metrics.registry.metrics()
  for (const policy of ['principal', 'client', 'address'])
    expect(text).toMatch(new RegExp(`^rate_limited_total\\{policy="${policy}"\\} [1-9]`, 'm'))
})
