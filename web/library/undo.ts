import { useTranslations } from 'use-intl'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useLibrary } from './library.tsx'

/** Something done in a library, and how it is taken back. */
interface Step {
  root: string
  text: string
  takeBack(): Promise<unknown>
}

const steps: Step[] = []
const mostSteps = 30
const underWay = new Set<Promise<unknown>>()
let offered: { step: Step; hide(): void } | undefined
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

  async function reverse(step: Step | undefined) {
    if (!step) return toast({ about: 'undo', text: done('nothingToUndo') })
    const at = steps.indexOf(step)
    if (at < 0) return // taken back already
    steps.splice(at, 1)
    takenBack++
    if (offered?.step === step) offered.hide()
    try {
      await undoAwaits(step.takeBack())
      toast({ about: 'undo', text: done('undone', { what: step.text }) })
    } catch (error) {
      toast({
        about: 'undo',
        text: `${done('notUndone', { what: step.text })} ${problemText(error)}`,
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
    /** Says what was done and offers to take it back, in the place of what was offered before. */
    offer(text: string, takeBack: Step['takeBack']) {
      const step = remember(text, takeBack)
      offered?.hide()
      const { hide } = toast({ text, action: { label: app('undo'), run: () => void reverse(step) } })
      offered = { step, hide }
    },
    async undoLatest() {
      await Promise.allSettled(underWay)
      await reverse(steps.findLast((step) => step.root === root))
    },
  }
}
