import { Problem } from '../problems.ts'

/** Nobody answers now, or we are asked to wait: the same may work later. */
export const aiUnavailable = (why: string, seconds: number, cause?: unknown) =>
  new Problem('ai-unavailable', `The AI endpoint cannot be used now (${why}). Try again later.`, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
    cause,
  })

/** It answered, and not with what was asked for: the same would come again. What it said is for the log. */
export const aiFailed = (why: string, cause?: unknown) =>
  new Problem('ai-failed', `The AI endpoint ${why}. Try again, or ask your administrator.`, { cause })

export const isAiProblem = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'ai-unavailable' || error.code === 'ai-failed')
