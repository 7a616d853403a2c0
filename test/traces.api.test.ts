import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTraceparent } from '../server/telemetry/tracing.ts'
import { json, peer } from './delivery-peers.ts'
import { person, puts } from './person.ts'
import { pixel } from './pictures.ts'
import { adminLogin, type Server as Library, newClient, newHome, signIn, startServer } from './world.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, string | boolean> }[]
  status: { code: number }
}

/** An OpenTelemetry collector that keeps what it is sent. */
const spans: OtlpSpan[] = []
const resources: string[] = []
const keys: (string | undefined)[] = []
let collector: Server
let home: Awaited<ReturnType<typeof newHome>>
let library: Library

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    expect([request.method, request.url, request.headers['content-type']]).toEqual([
      'POST',
      '/v1/traces',
      'application/json',
    ])
    keys.push(request.headers['x-key'] as string)
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(JSON.stringify(resource))
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => collector.once('listening', resolve))
  home = await newHome()
  library = await startServer({
    ...home.environment,
    OUTBOUND_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=open%20sesame',
    OTEL_SERVICE_NAME: 'library-under-test',
  })
})
afterAll(async () => {
  await library.stop()
  await home.remove()
  collector.close()
})

const traceId = (seed: string) => seed.repeat(32).slice(0, 32)
const parentOf = (seed: string) => `00-${traceId(seed)}-${'b7ad6b7169203331'}-01`

async function traced(seed: string, complete: (its: OtlpSpan[]) => boolean): Promise<OtlpSpan[]> {
  for (let waited = 0; waited < 30_000; waited += 100) {
    const its = spans.filter((span) => span.traceId === traceId(seed))
    if (complete(its)) return its
    await pause(100)
  }
  throw new Error(
    `Only ${JSON.stringify(spans.filter((span) => span.traceId === traceId(seed)).map(({ name }) => name))} came`,
  )
}

const named = (its: OtlpSpan[], name: string | RegExp) => its.filter((span) => span.name.match(name))
const attribute = (span: OtlpSpan, name: string) =>
  Object.values(span.attributes.find(({ key }) => key === name)?.value ?? {})[0]

describe('a trace', () => {
  test('goes from the caller through the request to queries, the store, the decoder and the job', async () => {
    const { operator, clientId } = await newClient(library)
    const headers = { traceparent: parentOf('a') }
    const { body: session } = await operator.opensUpload({}, headers)
    await puts(session, pixel)
    const path = `${operator.door.assets}/upload-session/finalize`
    const { status } = await operator.post(path, { uploadToken: session.uploadToken }, headers)
    expect(status).toBe(201)

    const its = await traced(
      'a',
      (all) => named(all, /^job media$/).length > 0 && named(all, /finalize/).length > 0,
    )
    const [finalize] = named(its, /^POST .*\/upload-session\/finalize$/)
    expect(finalize).toMatchObject({ kind: 2, parentSpanId: 'b7ad6b7169203331', status: { code: 0 } })
    expect(attribute(finalize!, 'http.response.status_code')).toBe('201')
    expect(attribute(finalize!, 'http.route')).toBe('/admin/clients/:clientId/assets/upload-session/finalize')
    expect(attribute(finalize!, 'client')).toBe(clientId)

    const below = its.filter(({ parentSpanId }) => parentSpanId === finalize!.spanId)
    for (const name of [
      /^database select/,
      /^database update/,
      /^storage copy$/,
      /^storage read$/,
      /^decoder inspect$/,
    ])
      expect(named(below, name).length, String(name)).toBeGreaterThan(0)
    const [job] = named(its, /^job media$/)
    expect(job).toMatchObject({ kind: 5, parentSpanId: finalize!.spanId })
    expect(named(its, /^storage put$/).every(({ parentSpanId }) => parentSpanId === job!.spanId)).toBe(true)
    expect(named(its, /^decoder looks$/)[0]?.parentSpanId).toBe(job!.spanId)

    const ids = new Set(its.map(({ spanId }) => spanId))
    expect(ids.size).toBe(its.length)
    for (const span of its) {
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(ids.has(span.parentSpanId!) || span.parentSpanId === 'b7ad6b7169203331', span.name).toBe(true)
      expect(span.startTimeUnixNano).toMatch(/^\d{19}$/)
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
    }
    expect(resources[0]).toContain('"stringValue":"library-under-test"')
    expect(keys[0]).toBe('open sesame')
    expect(JSON.stringify(spans)).not.toContain(session.uploadToken)
  })

  test('is handed on to the systems that are called', async () => {
    const { agent, clientId } = await newClient(library)
    const target = await peer((_received, response) => json(response, { message: 'no' }, 500))
    const admin = person(library.url, {
      cookie: await signIn(library.url, adminLogin.email, adminLogin.password),
    })
    const path = `/admin/clients/${clientId}/connections`
    const { body: connection } = await admin.post(path, {
      kind: 'wordpress',
      name: 'Site',
      settings: { siteUrl: target.url },
      secrets: { username: 'user', applicationPassword: 'canary-password' },
    })
    await agent.post(`${path}/${connection.connectionId}/test`, undefined, { traceparent: parentOf('c') })
    const its = await traced(
      'c',
      (all) => named(all, /^POST /).length > 0 && named(all, /^outbound/).length > 0,
    )
    const [call] = named(its, /^outbound GET/)
    const given = readTraceparent(target.requests[0]!.headers.traceparent as string)
    expect(given).toMatchObject({ traceId: traceId('c'), sampled: true })
    expect(its.map(({ spanId }) => spanId)).toContain(given!.spanId)
    expect(call!.kind).toBe(3)
    expect(JSON.stringify(its)).not.toContain('canary-password')
  })

  test('begins here without a word from the caller, and not at all if the caller says so', async () => {
    const { operator } = await newClient(library)
    await operator.get(operator.door.assets, { traceparent: `00-${traceId('d')}-b7ad6b7169203331-00` })
    await operator.get(operator.door.assets, { traceparent: '00-zz-b7ad6b7169203331-01' })
    await operator.get(operator.door.assets, { traceparent: parentOf('e') })
    await traced('e', (all) => named(all, /^GET /).length > 0)
    expect(spans.filter((span) => span.traceId === traceId('d'))).toEqual([])
    const roots = named(spans, /^GET .*\/assets$/).filter(({ parentSpanId }) => !parentSpanId)
    expect(roots.length).toBeGreaterThan(0)
  })

  test('that nobody takes is lost, counted, and in nobody’s way', async () => {
    collector.closeAllConnections()
    await new Promise((resolve) => collector.close(resolve))
    const { operator } = await newClient(library)
    for (let i = 0; i < 20; i++) expect((await operator.lists()).status).toBe(200)
    let dropped = 0
    for (let waited = 0; dropped === 0 && waited < 20_000; waited += 200) {
      await pause(200)
      const text = await (await fetch(`${library.url}/metrics`)).text()
      dropped = Number(/^trace_spans_dropped_total (\d+)/m.exec(text)![1])
    }
    expect(dropped).toBeGreaterThan(0)
    expect((await operator.lists()).status).toBe(200)
  })
})

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', true],
  ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', false],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
  ['', false],
])('the traceparent %s is read as the standard has it', (header, valid) => {
  expect(readTraceparent(header) !== undefined).toBe(valid)
})
