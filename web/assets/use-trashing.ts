import { useCountAssets } from '../folders/counts.ts'
import { chosenCount, isFolderId, type Selection, useSelection } from '../library/selection.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import type { Actions } from './use-actions.ts'

/** Above so many, going to the trash is asked about once. */
const many = 50

export function useTrashing({
  order,
  actions,
  onAsk,
}: {
  order: (string | undefined)[]
  actions: Actions
  /** `count` of them would go, and what is `inside` their folders. */
  onAsk(ids: string[], count: number, inside: number): void
}) {
  const selection = useSelection()
  const countAssets = useCountAssets()
  const problemText = useProblemText()

  function trash(ids: string[]) {
    void actions.trash(ids)
    goOnBehind(ids, order, selection)
  }

  async function ask(ids: string[]) {
    if (actions.saysLocked(ids)) return
    const going = ids.filter((id) => !actions.isLocked(id))
    try {
      const count = chosenCount(going)
      const inside = await countAssets(going.filter(isFolderId))
      if (count + inside > many) onAsk(ids, count, inside)
      else trash(ids)
    } catch (error) {
      toast({ text: problemText(error), bad: true })
    }
  }

  return { ask, trash }
}

/** The keyboard goes on behind what goes. */
export function goOnBehind(ids: string[], order: (string | undefined)[], selection: Selection) {
  const going = new Set(ids)
  const next = order[Math.min(order.findLastIndex((id) => id && going.has(id)) + 1, order.length - 1)]
  selection.clear()
  if (next && !going.has(next)) selection.focusOn(next)
}
