import { useState } from 'react'
import type { Person } from '../../contract/review.ts'

interface Draft {
  text: string
  mentioned: Person[]
}

export const noDraft: Draft = { text: '', mentioned: [] }
const drafts = new Map<string, Draft>()

/** Half-written words wait while somebody looks at something else. */
export function useDraft(assetId: string, threadId = ''): [Draft, (draft: Draft) => void] {
  const about = `${assetId} ${threadId}`
  const [, show] = useState<Draft>()
  return [
    drafts.get(about) ?? noDraft,
    (draft) => {
      if (draft === noDraft) drafts.delete(about)
      else drafts.set(about, draft)
      show(draft)
    },
  ]
}

/** Somebody has begun to say something of it, and not sent it. */
export const isHalfSaid = (assetId: string) =>
  [...drafts].some(([about, { text }]) => about.startsWith(`${assetId} `) && !!text.trim())
