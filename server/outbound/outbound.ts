import { lookup as resolve } from 'node:dns'
import { request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type OutboundCode, type OutboundReason, outboundCodes } from '../../contract/outbound-reasons.ts'
import { type Metrics, timed } from '../telemetry/metrics.ts'
import { noTracer, type Tracer } from '../telemetry/tracing.ts'
import { withoutSecrets } from './secrets-said-back.ts'

/** Every request to another system goes through here. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | OutboundFile
  /** What the peer knows without being sent it. Like the login, it is cut out of the answer. */
  secrets?: string[]
  /** How long the line may be still, and how long all of it may take. */
  idleSeconds?: number
  totalSeconds?: number
  /** Of the answer. */
  largestBytes?: number
  signal?: AbortSignal
  /**
   * What is wanted of the answer: all of it, unless said otherwise. `beginning`: the status decides, and of the text as
   * much as comes soon; one that is cut, endless or slow is as good as any. `file`: its body as it comes, however long,
   * which whoever asked for it reads to the end or destroys.
   */
  wants?: 'beginning' | 'file'
  /** Called as bytes of the body leave. */
  sent?: (bytes: number) => void
}

export interface OutboundFile {
  sizeBytes: number
  open(): Promise<Readable>
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string>
  text: string
  /** If that was wanted. */
  file?: Readable
}

/**
 * The request did not end in an answer. `reached` says what may have arrived of it: only if not all has is it safe to
 * send again what must not be done twice.
 */
export class OutboundFailure extends Error {
  readonly reason: OutboundReason
  readonly reached: 'nothing' | 'part' | 'all'

  constructor(
    code: OutboundCode,
    host: string,
    message: string,
    reached: OutboundFailure['reached'],
    cause?: unknown,
  ) {
    super(message, { cause })
    this.name = 'OutboundFailure'
    this.reason = { code, values: { host } }
    this.reached = reached
  }
}

const longestReason = 300
const idle = 30
const longest = 3600
const largestAnswer = 1024 ** 2
const longestBeginning = 4096
const beginningMs = 1000

export interface OutboundOptions {
  allow: readonly string[]
  metrics?: Metrics
  tracer?: Tracer
}

/** `allow`: hosts, or hosts with a port, that may be called although their address is not a public one. */
export function openOutbound({ allow, metrics, tracer = noTracer }: OutboundOptions): Outbound {
  const measured = (work: () => Promise<OutboundAnswer>) =>
    timed(work, (seconds, error) =>
      metrics?.outboundSeconds.observe({ outcome: error === undefined ? 'answered' : 'failed' }, seconds),
    )
  return {
    async send(request) {
      const url = readUrl(request.url)
      const open = isNamed(allow, url)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (!open && isIP(host) && !isPublic(host)) throw refusedAddress(url.hostname)
      if (!open && url.protocol === 'http:' && request.headers?.authorization) throw inTheClear(url.hostname)
      const attributes = { 'http.request.method': request.method, 'server.address': url.hostname }
      return tracer.within(`outbound ${request.method}`, { kind: 'client', attributes }, () => {
        const traceparent = tracer.traceparent()
        const headers = { ...request.headers, ...(traceparent && { traceparent }) }
        return measured(async () =>
          withoutSecrets(request, await call(url, { ...request, headers }, open ? undefined : publicLookup)),
        )
      })
    },
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new OutboundFailure(
      'address-not-http',
      url?.hostname ?? '',
      'Only plain http and https addresses are called.',
      'nothing',
    )
  return url
}

const isNamed = (allow: readonly string[], { hostname, port, protocol }: URL) => {
  const host = hostname.replace(/\.$/, '')
  return allow.includes(host) || allow.includes(`${host}:${port || (protocol === 'https:' ? 443 : 80)}`)
}

/** What comes out of here is what is connected to, so a name cannot point elsewhere between look and call. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname.replace(/\.$/, ''), { ...options, all: true }, (error, found) => {
    if (error) return done(error, '')
    if (found.length === 0 || !found.every(({ address }) => isPublic(address)))
      return done(refusedAddress(hostname), '')
    if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  })
}

const refusedAddress = (host: string) =>
  new OutboundFailure(
    'address-not-public',
    host,
    `${host} is not a public address. Name it in OUTBOUND_ALLOW if it is meant to be called.`,
    'nothing',
  )

const inTheClear = (host: string) =>
  new OutboundFailure(
    'login-in-the-clear',
    host,
    `${host} would be sent a password that anybody on the way can read. Use its https address.`,
    'nothing',
  )

async function call(url: URL, request: OutboundRequest, lookup: LookupFunction | undefined) {
  const { body, signal } = request
  const sizeBytes = body === undefined ? undefined : sizeOf(body)
  const stream = isFile(body) ? await body.open() : undefined
  const idleMs = (request.idleSeconds ?? idle) * 1000
  const options: RequestOptions = {
    method: request.method,
    // A line of its own: one kept alive might lead to an address that was looked at long ago.
    agent: false,
    lookup,
    headers: {
      'user-agent': 'client-asset-library',
      ...request.headers,
      ...(sizeBytes !== undefined && { 'content-length': String(sizeBytes) }),
    },
    signal: AbortSignal.any([
      AbortSignal.timeout((request.totalSeconds ?? longest) * 1000),
      ...(signal ? [signal] : []),
    ]),
  }

  return new Promise<OutboundAnswer>((answer, fail) => {
    let connected = false
    let read = !stream
    let answers = false
    const outgoing = (url.protocol === 'https:' ? overHttps : overHttp)(url, options)
    const give = (error: unknown) => {
      outgoing.destroy()
      fail(
        error instanceof OutboundFailure
          ? error
          : failure(url, error, connected ? (read ? 'all' : 'part') : 'nothing'),
      )
    }
    outgoing.setTimeout(idleMs, () => give(coded('no-answer', `No answer within ${idleMs / 1000} seconds`)))
    outgoing.once('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      })
    })
    outgoing.on('error', give)
    // A peer that wants to speak another protocol (101) is hung up on, and that alone is no error.
    outgoing.once('close', () => answers || give(coded('line-cut', 'The line was cut without an answer')))
    outgoing.once('response', (response) => {
      answers = true
      const chunks: Buffer[] = []
      let size = 0
      const done = (file?: Readable) =>
        answer({
          status: response.statusCode!,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
          ...(file && { file }),
        })
      if (request.wants === 'file') return done(response)
      if (request.wants === 'beginning') {
        const enough = () => {
          clearTimeout(timer)
          done()
          outgoing.destroy()
        }
        const timer = setTimeout(enough, beginningMs)
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk.subarray(0, longestBeginning))
          if (size >= longestBeginning) enough()
        })
        response.on('error', enough)
        response.once('end', enough)
        return
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > (request.largestBytes ?? largestAnswer))
          give(coded('answer-too-long', 'The answer is too long'))
        else chunks.push(chunk)
      })
      response.on('error', give)
      response.once('aborted', () => give(coded('line-cut', 'The line was cut within the answer')))
      response.once('end', () => done())
    })
    let left = 0
    const counted = (bytes: number) => {
      request.sent?.(bytes)
      left += bytes
      if (left >= sizeBytes!) read = true
    }
    if (stream) pipeline(stream, counting(counted), outgoing).catch(give)
    else outgoing.end(body)
  })
}

/** Counts before it passes on: whoever has the last byte may act on it before our stream knows that it has ended. */
const counting = (counted: (bytes: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      counted(chunk.length)
      done(null, chunk)
    },
  })

const isFile = (body: OutboundRequest['body']): body is OutboundFile =>
  typeof body === 'object' && !(body instanceof Uint8Array)

const sizeOf = (body: string | Uint8Array | OutboundFile) =>
  isFile(body) ? body.sizeBytes : Buffer.byteLength(body)

// The address may hold a secret, so only the host is named.
function failure(url: URL, error: unknown, reached: OutboundFailure['reached']): OutboundFailure {
  const { message, name, cause } = error as Error & { cause?: Error }
  if (cause instanceof OutboundFailure) return cause
  const endedEarly = name === 'AbortError' || name === 'TimeoutError'
  const code = endedEarly ? 'no-answer' : codeOf(error)
  const why = endedEarly
    ? 'The request was ended early'
    : ((isOurs(error) ? undefined : inOurWords[code]) ?? message)
  return new OutboundFailure(code, url.host, `${url.host}: ${why.slice(0, longestReason)}`, reached, error)
}

const coded = (code: OutboundCode, message: string) => Object.assign(new Error(message), { code })

/** What the system says of a line is for its own people: errno, OpenSSL's functions. The cause has it. */
const inOurWords: Partial<Record<OutboundCode, string>> = {
  'name-not-found': 'There is no host of this name',
  'connection-refused': 'The connection was refused',
  'certificate-not-trusted': 'Its certificate is not trusted',
  'no-answer': 'No answer came in time',
  'line-cut': 'The connection was cut before all was answered',
  unreachable: 'It cannot be reached',
}

const isOurs = (error: unknown) => outboundCodes.some((known) => known === (error as { code?: string }).code)

/** What the system's own codes come to. */
function codeOf(error: unknown): OutboundCode {
  const { code = '' } = error as { code?: string }
  if (isOurs(error)) return code as OutboundCode
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name-not-found'
  if (code === 'ECONNREFUSED') return 'connection-refused'
  if (code === 'ETIMEDOUT') return 'no-answer'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'line-cut'
  if (/CERT|SIGNATURE|ERR_TLS|UNABLE_TO/.test(code)) return 'certificate-not-trusted'
  return 'unreachable'
}

const notPublic4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' own
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and where clouds keep their metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4', // with 255.255.255.255
])
const global6 = listOf('ipv6', ['2000::/3'])
const notPublic6 = listOf('ipv6', [
  '2001::/23', // Teredo and other protocols' own
  '2001:db8::/32',
  '2002::/16', // 6to4: any IPv4 address, wrapped
  '3fff::/20',
])

/** Whether an address, however it is spelled, belongs to the public Internet. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4')
  if (isIP(address) !== 6 || address.includes('%')) return false
  const wrapped = wrappedIPv4(address)
  if (wrapped) return isPublic(wrapped)
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** The IPv4 address that an IPv4-mapped or NAT64 one leads to. */
function wrappedIPv4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const wrapped = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!wrapped) return undefined
  const [a, b] = [Number.parseInt(wrapped[1]!, 16), Number.parseInt(wrapped[2]!, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

function listOf(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address, prefix] = subnet.split('/')
    list.addSubnet(address!, Number(prefix), family)
  }
  return list
}
