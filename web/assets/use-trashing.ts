import { isFolderId, useSelection } from '../library/selection.ts'
import type { Actions } from './use-actions.ts'

/** Above so many, going to the trash is asked about once. */
const many = 50

export function useTrashing({
  order,
  countIn,
  actions,
  onAsk,
}: {
  order: (string | undefined)[]
  countIn(folderId: string): number | undefined
  actions: Actions
  /** `count` is how many would go, with what is in the folders. */
  onAsk(ids: string[], count: number): void
}) {
  const selection = useSelection()

  /** The keyboard goes on behind what goes. */
  function trash(ids: string[]) {
    const going = new Set(ids)
    const next = order[Math.min(order.findLastIndex((id) => id && going.has(id)) + 1, order.length - 1)]
    selection.clear()
    if (next && !going.has(next)) selection.focusOn(next)
    void actions.trash(ids)
  }

  function ask(ids: string[]) {
    if (actions.saysLocked(ids)) return
    const count = ids
      .filter((id) => !actions.isLocked(id))
      .reduce((sum, id) => sum + 1 + (isFolderId(id) ? (countIn(id) ?? 0) : 0), 0)
    if (count > many) onAsk(ids, count)
    else trash(ids)
  }

  return { ask, trash }
}
