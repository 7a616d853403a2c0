import type { ProblemCode, RefRefusal, Use } from './contract.ts'

/** A refusal of the library. `code` is stable, `detail` says what can be done. */
export class LibraryProblem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  readonly errors: { path: string; message: string }[]
  /** With `refs-not-allowed`: which refs, and what to do about each. */
  readonly refusals: (RefRefusal & { path: string })[]
  /** With `in-use`: what holds the asset. */
  readonly uses: Use[]
  /** How long the library asks to be left alone; null when it does not say. */
  readonly retryAfterSeconds: number | null

  constructor(body: Partial<LibraryProblem>) {
    super(`${body.code}: ${body.detail}`)
    this.name = 'LibraryProblem'
    this.code = body.code ?? 'internal-error'
    this.status = body.status ?? 0
    this.detail = body.detail ?? ''
    this.errors = body.errors ?? []
    this.refusals = body.refusals ?? []
    this.uses = body.uses ?? []
    this.retryAfterSeconds = body.retryAfterSeconds ?? null
  }
}

export const isProblem = (error: unknown, ...codes: ProblemCode[]): error is LibraryProblem =>
  error instanceof LibraryProblem && codes.includes(error.code)
