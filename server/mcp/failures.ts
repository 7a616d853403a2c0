import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ProblemCode } from '../../contract/problems.ts'
import type { Problem } from '../problems.ts'
import { quotedReview } from './brief.ts'

/** What an agent can do about a refusal, where its detail does not say so already. */
const fixes: Partial<Record<ProblemCode, string>> = {
  'invalid-request': 'Correct the arguments named in errors and call again.',
  forbidden: 'Do without it, or ask an administrator for a key whose role allows it.',
  'not-found': 'Look ids up with search_assets or list_library, and use one of theirs.',
  'refs-not-allowed': 'Follow the fix of each refusal and call again. Nothing was stored.',
  'target-refuses': 'Choose another asset or another connection; resolve_asset_refs tells which fit.',
  'quota-exceeded': 'Ask an administrator for a larger quota.',
  'too-large': 'Do what detail says: ask for less at once, or call again in a batch of fewer calls.',
  'source-failed': 'Check the address, or fetch the file yourself and use begin and finish.',
  'target-failed': 'Try it again with deliver_asset, action retry: it looks first whether it arrived.',
  'in-use': 'Cancel the uses listed, or point them to another asset.',
}

/** A refusal that an agent can read and recover from. */
export const failure = ({ code, message, status, extra }: Problem): CallToolResult => ({
  isError: true,
  _meta: { code },
  content: [
    {
      type: 'text',
      text: JSON.stringify({
        code,
        detail: message,
        fix:
          fixes[code] ??
          (status >= 500 ? 'Wait a few seconds and call again.' : 'Do what detail says and call again.'),
        ...extra,
        ...(Array.isArray(extra.refusals) && { refusals: extra.refusals.map(marked) }),
      }),
    },
  ],
})

const marked = ({ reviewNote, ...refusal }: { reviewNote?: string }) => ({
  ...refusal,
  ...(reviewNote && { reviewNote: quotedReview(reviewNote) }),
})
