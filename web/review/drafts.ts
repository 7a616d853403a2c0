import { useState } from 'react'
import type { Person } from '../../contract/review.ts'

interface Draft {
  text: string
  mentioned: Person[]
}

export const noDraft: Draft = { text: '', mentioned: [] }
const drafts = new Map<string, Draft>()

// The page is all that keeps them.
addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(isSaid)) event.preventDefault()
})

/** Half-written words wait while somebody looks at something else: a comment, or an answer to one. */
export function useDraft(assetId: string, of = ''): [Draft, (draft: Draft) => void] {
  const about = `${assetId} ${of}`
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

/** The same of what somebody wants to be changed. */
export const useWantedChanges = (assetId: string) => useDraft(assetId, 'changes')

/** Somebody has begun to say something of it, and not sent it. */
export const isHalfSaid = (assetId: string) =>
  [...drafts].some(([about, draft]) => about.startsWith(`${assetId} `) && isSaid(draft))

const isSaid = ({ text }: Draft) => text.trim() !== ''
