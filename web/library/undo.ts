import { useTranslations } from 'use-intl'
import { useSaid } from '../ui/said.ts'
import { toast } from '../ui/toast.tsx'

type Reversal = () => Promise<unknown>

const reversals: Reversal[] = []
const mostReversals = 30
const underWay = new Set<Promise<unknown>>()

/** Until it has ended, Ctrl+Z waits: what shows as done may still be on its way. */
export async function undoAwaits<Result>(work: Promise<Result>): Promise<Result> {
  underWay.add(work)
  try {
    return await work
  } finally {
    underWay.delete(work)
  }
}

/** Says what was done and offers to take it back; Ctrl+Z takes back the latest. */
export function useUndo() {
  const app = useTranslations('app')
  const done = useTranslations('done')
  const said = useSaid()

  async function reverse(reversal: Reversal | undefined) {
    if (!reversal) return toast({ text: done('nothingToUndo') })
    const at = reversals.indexOf(reversal)
    if (at >= 0) reversals.splice(at, 1)
    try {
      await reversal()
      toast({ text: done('undone') })
    } catch (error) {
      toast({ text: said(error), bad: true })
    }
  }

  return {
    offer(text: string, reversal: Reversal) {
      reversals.push(reversal)
      if (reversals.length > mostReversals) reversals.shift()
      toast({ text, action: { label: app('undo'), run: () => void reverse(reversal) } })
    },
    async undoLatest() {
      await Promise.allSettled(underWay)
      await reverse(reversals.at(-1))
    },
  }
}

/** Another library, another past. */
export const forgetUndo = () => {
  reversals.length = 0
}
