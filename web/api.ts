import type { ProblemCode } from '../contract/problems.ts'
import type { RefRefusal, Use } from '../contract/references.ts'
import { reportReached } from './connection.ts'
import { reportRead } from './positions.ts'
import { sessionExpiry } from './session-expiry.ts'

const members = [
  'status',
  'code',
  'detail',
  'errors',
  'params',
  'refusals',
  'uses',
  'retryAfterSeconds',
] as const

/** A refusal of the API, or `unreachable` when no answer came at all. */
export class Problem extends Error {
  readonly status: number
  readonly code: ProblemCode | 'unreachable'
  readonly detail: string
  readonly errors: { path: string; message: string; rule?: string; limit?: number }[]
  /** What a sentence about it may mention. */
  readonly params: Record<string, string | number>
  /** With `refs-not-allowed`: why each ref is refused. */
  readonly refusals: Pick<RefRefusal, 'code'>[]
  /** With `in-use`: what holds it. */
  readonly uses: Use[]
  /** How long the server asks to be left alone. */
  readonly retryAfterSeconds: number | null

  constructor(body: Partial<Pick<Problem, (typeof members)[number]>>) {
    super(body.detail ?? body.code ?? 'unreachable')
    this.status = body.status ?? 0
    this.code = body.code ?? 'unreachable'
    this.detail = body.detail ?? ''
    this.errors = body.errors ?? []
    this.params = body.params ?? {}
    this.refusals = body.refusals ?? []
    this.uses = body.uses ?? []
    this.retryAfterSeconds = body.retryAfterSeconds ?? null
  }
}

export const isProblem = (error: unknown, code: Problem['code']): error is Problem =>
  error instanceof Problem && error.code === code

interface Options {
  body?: unknown
  /** The ETag the change is based on; somebody else's change in between is then refused. */
  ifMatch?: string
  idempotencyKey?: string
  signal?: AbortSignal
  /** False where it is about signing in itself: without a session it fails instead of waiting for a new one. */
  waitForSignIn?: boolean
}

export interface Answer<T> {
  body: T
  etag: string | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function send<T>(method: Method, path: string, options: Options = {}): Promise<Answer<T>> {
  const response = await answer(method, path, options)
  if (response.status === 401 && options.waitForSignIn !== false) {
    await sessionExpiry.untilSignedIn()
    return send(method, path, options)
  }
  if (!response.ok) throw await problemOf(response)
  const body = (response.status === 204 ? undefined : await response.json()) as T
  if (method === 'GET') reportRead(path, response.headers.get('last-event-id'))
  return {
    body,
    etag: response.headers.get('etag') ?? undefined,
  }
}

const body = async <T>(answer: Promise<Answer<T>>) => (await answer).body

export const api = {
  get: <T>(path: string, options?: Options) => body(send<T>('GET', path, options)),
  post: <T>(path: string, content?: unknown, options?: Options) =>
    body(send<T>('POST', path, { ...options, body: content })),
  patch: <T>(path: string, content: unknown, options?: Options) =>
    body(send<T>('PATCH', path, { ...options, body: content })),
  delete: <T>(path: string, content?: unknown, options?: Options) =>
    body(send<T>('DELETE', path, { ...options, body: content })),
}

/** `?a=1&b=2` of what is set, or nothing. */
export function query(parameters: Record<string, string | string[] | number | boolean | undefined>): string {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  )
  return set.length ? `?${new URLSearchParams(set)}` : ''
}

async function answer(method: Method, path: string, options: Options): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  if (options.ifMatch) headers['if-match'] = options.ifMatch
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  const content = options.body === undefined ? undefined : JSON.stringify(options.body)
  const keepalive = method !== 'GET' && outlive(content)
  try {
    const response = await fetch(path, { method, headers, body: content, signal: options.signal, keepalive })
    reportReached(true)
    return response
  } catch (error) {
    if (options.signal?.aborted) throw error
    reportReached(false)
    throw new Problem({})
  } finally {
    if (keepalive) outliving -= sizeOf(content)
  }
}

/** What somebody did is told although they leave the page at once. Browsers refuse more than 64 kB of that at a time. */
let outliving = 0
const mostOutliving = 60_000

function outlive(content: string | undefined): boolean {
  const fits = outliving + sizeOf(content) <= mostOutliving
  if (fits) outliving += sizeOf(content)
  return fits
}

/** No letter takes more bytes. */
const sizeOf = (content = '') => 3 * content.length

async function problemOf(response: Response): Promise<Problem> {
  const problem = await response.json().catch(() => ({}))
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'))
  return new Problem({ code: 'internal-error', ...problem, status: response.status, retryAfterSeconds })
}

/** Seconds, or a date: a proxy in between may say either. */
export function secondsOf(retryAfter: string | null): number | null {
  if (!retryAfter) return null
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
