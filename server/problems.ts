import { type ProblemCode, problems } from '../contract/problems.ts'

/** A refusal with a name; `http/answers.ts` turns it into an answer. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  /** Members of the answer beside the standard ones, e.g. `uses` of an `in-use` refusal. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    code: ProblemCode,
    detail: string,
    {
      extra = {},
      headers = {},
      cause,
    }: { extra?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause })
    this.name = 'Problem'
    this.code = code
    this.status = problems[code].status
    this.extra = extra
    this.headers = headers
  }
}

export const notFound = (what = 'Nothing') =>
  new Problem('not-found', `${what} was found here under that id.`)

export const storageUnavailable = (cause?: unknown) =>
  new Problem('storage-unavailable', 'The object store does not answer. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
    cause,
  })

/** It answers, and will not serve us: trying again changes nothing until somebody has corrected the settings. */
export const storageRefuses = (why: string, cause: unknown) =>
  new Problem('storage-unavailable', why, { headers: { 'retry-after': '5' }, cause })

export const storageFull = (cause: unknown) =>
  new Problem('storage-unavailable', 'The disk of the store is full. Make room on it, then try again.', {
    headers: { 'retry-after': '30' },
    cause,
  })

export const objectMissing = (cause?: unknown) =>
  new Problem('object-missing', 'The stored file is gone from the object store. Tell your administrator.', {
    cause,
  })
