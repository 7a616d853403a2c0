import { Button } from '@mantine/core'
import { CheckCheck, Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { NewSuggestionRun } from '../../contract/suggestions.ts'
import { useLibrary } from '../library/library.tsx'
import { withProgress } from '../library/progress.ts'
import { useStore } from '../store.ts'
import { followRun, problemOf, startRun } from '../suggestions/suggestions.ts'
import { useSuggestionWords } from '../suggestions/words.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import type { Sheet } from './sheet.ts'
import type { Suggested } from './suggested.ts'

/** Has all of the sheet suggested to, and takes what is shown. Where no model may be asked, there is nothing to be seen. */
export function SuggestionActs({
  sheet,
  suggested,
  wanted,
}: {
  sheet: Sheet
  suggested: Suggested
  wanted: NewSuggestionRun
}) {
  const t = useSuggestionWords()
  const library = useLibrary()
  const problemText = useProblemText()
  const { model, open } = useStore(suggested.store)
  const [isBusy, setBusy] = useState(false)

  async function busily(work: () => Promise<void>) {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toast({ about: 'suggested', text: problemText(error), bad: true })
    } finally {
      setBusy(false)
    }
  }

  const ask = () =>
    busily(async () => {
      const begun = await startRun(library, wanted)
      const run = await withProgress(t.asking, begun.total, (step, signal) =>
        followRun(library, begun, { step: ({ done }) => step(done), signal }),
      )
      await suggested.read(sheet.store.get().ids, { anew: true })
      const bad = run.problem !== null && (run.state === 'stopped' || run.failed > 0)
      toast({
        about: 'suggested',
        text: [t.askedAbout(run.done), ...(bad ? [problemText(problemOf(run.problem!))] : [])].join(' '),
        bad,
      })
    })

  const acceptAll = () =>
    busily(async () => {
      const all = [...open.values()]
      const { done, not } = await withProgress(t.accepting, all.length, (step, signal) =>
        suggested.decide('accept', all, { step, signal }),
      )
      const text = [t.acceptedMany(done), ...(not > 0 ? [t.notAccepted(not)] : [])].join(' ')
      toast({ about: 'suggested', text, bad: not > 0 })
    })

  return (
    <>
      {model !== null && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Sparkles size={14} />}
          disabled={isBusy}
          onClick={ask}
        >
          {t.ask}
        </Button>
      )}
      {open.size > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<CheckCheck size={14} />}
          disabled={isBusy}
          onClick={acceptAll}
        >
          {t.acceptAll(open.size)}
        </Button>
      )}
    </>
  )
}
