import type { Asset } from '../../contract/assets.ts'
import type { Person } from '../../contract/review.ts'
import { createStore, useStore } from '../store.ts'

export interface Draft {
  text: string
  mentioned: Person[]
  /** Of a decision: how the asset stood when it was begun. */
  begunOn?: Pick<Asset, 'version' | 'approval'>
}

export const noDraft: Draft = { text: '', mentioned: [] }
const drafts = createStore<ReadonlyMap<string, Draft>>(new Map())

// The page is all that keeps them.
addEventListener('beforeunload', (event) => {
  if ([...drafts.get().values()].some(isSaid)) event.preventDefault()
})

/** Half-written words wait while somebody looks at something else: a comment, an answer to one, or another wording of one. */
export function useDraft(assetId: string, of = ''): [Draft, (draft: Draft) => void] {
  const about = `${assetId} ${of}`
  return [useStore(drafts, (all) => all.get(about) ?? noDraft), (draft) => put(about, draft)]
}

function put(about: string, draft: Draft): void {
  const all = new Map(drafts.get())
  if (draft === noDraft) all.delete(about)
  else all.set(about, draft)
  drafts.set(all)
}

/** Of a comment that is there no more its answers and other wordings become a comment of their own. Whether there were any. */
export function keepDraftsOfGone(assetId: string, commentIds: ReadonlySet<string>): boolean {
  const gone = [...drafts.get()].filter(([about]) => {
    const [its, of] = about.split(' ')
    return its === assetId && of?.startsWith('comment_') && !commentIds.has(of)
  })
  for (const [about, draft] of gone) {
    put(about, noDraft)
    const { text, mentioned } = drafts.get().get(`${assetId} `) ?? noDraft
    if (isSaid(draft))
      put(`${assetId} `, {
        text: [text, draft.text].filter(Boolean).join('\n'),
        mentioned: [...mentioned, ...draft.mentioned],
      })
  }
  return gone.some(([, draft]) => isSaid(draft))
}

/** The same of what somebody wants to be changed. */
export const useWantedChanges = (assetId: string) => useDraft(assetId, 'changes')

/** Somebody has begun to say something of it, or in answer to one comment, and not sent it. */
export const isHalfSaid = (assetId: string, commentId = '') =>
  [...drafts.get()].some(([about, draft]) => about.startsWith(`${assetId} ${commentId}`) && isSaid(draft))

const isSaid = ({ text }: Draft) => text.trim() !== ''
