import { LibraryProblem } from './problem.ts'

export interface Access {
  /** Where the library is, e.g. `https://assets.example.com`. */
  baseUrl: string
  apiKey: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CallOptions {
  body?: unknown
  query?: object
  accept?: string
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

const attempts = 5
/** Whoever is asked to wait for longer is told so instead. */
const longestPauseSeconds = 60

/** One request to the library, repeated while it or the way to it is down: whatever an agent asks can be asked twice. */
export async function call(access: Access, method: Method, path: string, options: CallOptions = {}) {
  const { body, query, signal, accept = 'application/json' } = options
  const url = new URL(path + queryOf(query), access.baseUrl)
  // One key for all attempts: what was made by one whose answer was lost is not made again.
  const idempotencyKey = crypto.randomUUID()
  return withoutTimeout(signal, async () => {
    const response = await fetch(url, {
      method,
      headers: {
        ...options.headers,
        accept,
        authorization: `Bearer ${access.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? null,
    })
    if (!response.ok) throw await problemOf(response)
    return response
  })
}

/** Repeats what failed for a reason that passes, after the time that the library asks for. */
export async function withoutTimeout<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      const asked = error instanceof LibraryProblem ? (error.retryAfterSeconds ?? 0) : 0
      if (attempt >= attempts || !passes(error) || asked > longestPauseSeconds) throw error
      const usual = Math.min(8000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)
      await pause(Math.max(usual, asked * 1000))
    }
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

// `fetch` throws a TypeError when there was no answer at all.
const passes = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof LibraryProblem &&
    ([408, 429, 502, 503, 504].includes(error.status) || error.code === 'finalize-in-progress'))

async function problemOf(response: Response): Promise<LibraryProblem> {
  const text = await response.text()
  const { status } = response
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || null
  try {
    return new LibraryProblem({ ...JSON.parse(text), status, retryAfterSeconds })
  } catch {
    return new LibraryProblem({ status, detail: text.slice(0, 500), retryAfterSeconds })
  }
}

function queryOf(query: object = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  )
  return set.length > 0 ? `?${new URLSearchParams(set)}` : ''
}
