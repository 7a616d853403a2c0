import { useTranslations } from 'use-intl'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useLibrary } from './library.tsx'

/** Something done in a library, and how it is taken back. */
interface Step {
  root: string
  text: string
  /** Answers false where not all of it was. */
  takeBack(): Promise<unknown>
}

/** What is done several times in a row, and offered to be taken back together. */
interface Row {
  kind: string
  count: number
  text(count: number): string
}

interface Offered {
  steps: Step[]
  row: Pick<Row, 'kind' | 'count'> | undefined
  hide(): void
  isShown(): boolean
}

const steps: Step[] = []
const mostSteps = 30
const underWay = new Set<Promise<unknown>>()
let offered: Offered | undefined
let takenBack = 0

/** How often something was taken back: what was removed before the last time may be there again. */
export const timesUndone = () => takenBack

/** Until it has ended, Ctrl+Z waits: what shows as done may still be on its way. */
export async function undoAwaits<Result>(work: Promise<Result>): Promise<Result> {
  underWay.add(work)
  try {
    return await work
  } finally {
    underWay.delete(work)
  }
}

/** Ctrl+Z takes back the latest thing done in this library, whatever it was and on which page, and says which. */
export function useUndo() {
  const { root } = useLibrary()
  const app = useTranslations('app')
  const done = useTranslations('done')
  const problemText = useProblemText()

  async function reverse(wanted: Step[], what: string) {
    const left = steps.filter((step) => wanted.includes(step)).reverse()
    if (left.length === 0) return // taken back already
    for (const step of left) steps.splice(steps.indexOf(step), 1)
    takenBack++
    if (offered?.steps.some((step) => left.includes(step))) offered.hide()
    try {
      const isWhole = await undoAwaits(eachTakenBack(left))
      toast({ about: 'undo', text: done(isWhole ? 'undone' : 'undonePartly', { what }) })
    } catch (error) {
      toast({
        about: 'undo',
        text: `${done('notUndone', { what })} ${problemText(error)}`,
        bad: true,
      })
    }
  }

  function remember(text: string, takeBack: Step['takeBack']): Step {
    const step = { root, text, takeBack }
    steps.push(step)
    if (steps.length > mostSteps) steps.shift()
    return step
  }

  return {
    /** What shows by itself and needs no word. */
    remember,
    /**
     * Says what was done and offers to take it back, in the place of what was offered before: together with that, if
     * it was the same and is still said.
     */
    offer(text: string, takeBack: Step['takeBack'], row?: Row) {
      const step = remember(text, takeBack)
      const before =
        row && offered?.isShown() && offered.row?.kind === row.kind && offered.steps[0]!.root === root
          ? offered
          : undefined
      const together = [...(before?.steps ?? []), step]
      const count = (before?.row?.count ?? 0) + (row?.count ?? 0)
      const said = before ? row!.text(count) : text
      offered?.hide()
      const shown = toast({
        text: said,
        action: { label: app('undo'), run: () => void reverse(together, said) },
      })
      offered = { ...shown, steps: together, row: row && { kind: row.kind, count } }
    },
    async undoLatest() {
      await Promise.allSettled(underWay)
      const latest = steps.findLast((step) => step.root === root)
      if (latest) await reverse([latest], latest.text)
      else toast({ about: 'undo', text: done('nothingToUndo') })
    },
  }
}

async function eachTakenBack(latestFirst: Step[]) {
  let isWhole = true
  for (const step of latestFirst) if ((await step.takeBack()) === false) isWhole = false
  return isWhole
}
