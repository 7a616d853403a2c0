import type { OutboundReason } from '../../contract/outbound-reasons.ts'
import { Problem } from '../problems.ts'
import { OutboundFailure } from './outbound.ts'

/** What went wrong with a call to another system: an English sentence, and the same for any language. */
export interface OutboundError {
  text: string
  reason: OutboundReason
}

/** Undefined for what neither the line nor we ourselves have a word for. */
export function outboundError(error: unknown): OutboundError | undefined {
  if (error instanceof OutboundFailure) return { text: error.message, reason: error.reason }
  if (error instanceof Problem)
    return { text: error.message, reason: { code: 'problem', values: { problem: error.code } } }
  return undefined
}

const longest = 1000

/** As a row keeps it. */
export const lastError = (error: OutboundError | null) => ({
  last_error: error?.text.slice(0, longest) ?? null,
  last_error_reason: error && JSON.stringify(error.reason),
})
