import { useTranslations } from 'use-intl'
import { isProblem, Problem } from '../api.ts'
import { copy } from '../ui/copy.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'

interface Refused {
  /** What was edited. */
  about: string
  title: string
  typed: unknown
  error: unknown
}

/** Says that an edit was refused, and why. What was typed can be copied: there may be no field left to put it into. */
export function useNotSaved() {
  const failed = useTranslations('failed')
  const app = useTranslations('app')
  const problemText = useProblemText()

  const copying = (text: string) => ({
    label: failed('copyTyped'),
    run: async () =>
      (await copy(text))
        ? toast({ text: app('copied') })
        : toast({ text: app('copyFailed', { text }), bad: true }),
  })

  return ({ about, title, typed, error }: Refused) =>
    toast({
      about,
      bad: true,
      text: isProblem(error, 'not-found')
        ? failed('deletedMeanwhile', { title })
        : `${failed('rolledBack', { title })} ${problemText(error)}`,
      action: typeof typed === 'string' && typed ? copying(typed) : undefined,
    })
}

interface Undone {
  about: string
  /** What was to be done. */
  what: string
  error: unknown
  /** The same, with all that was chosen and typed for it. */
  again(): void
}

/** Says what was not done, and why. What may work another time is tried again by a click, without being typed anew. */
export function useNotDone() {
  const app = useTranslations('app')
  const problemText = useProblemText()
  return ({ about, what, error, again }: Undone) =>
    toast({
      about,
      bad: true,
      text: `${what} ${problemText(error)}`,
      action: mayWorkLater(error) ? { label: app('retry'), run: again } : undefined,
    })
}

/** What was asked for is in order, but could not be done now. */
export const mayWorkLater = (error: unknown) =>
  error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500)
