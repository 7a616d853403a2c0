import { useTranslations } from 'use-intl'
import type { Connection } from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'
import { Problem } from '../api.ts'
import { withProgress } from '../library/progress.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useDeliver } from './deliveries.ts'

/** Delivers many, one by one; those that are refused are said, the others go. */
export function useDeliverEach() {
  const t = useTranslations('deliveries')
  const progress = useTranslations('progress')
  const problemText = useProblemText()
  const { mutateAsync: deliver } = useDeliver()

  return async (assetIds: string[], { connectionId, name }: Connection, surface: Surface) => {
    const refusals: unknown[] = []
    let count = 0
    await withProgress(progress('deliver'), assetIds.length, async (step, signal) => {
      for (const [at, assetRef] of assetIds.entries()) {
        if (signal.aborted) return
        try {
          await deliver({ assetRef, connectionId, surface })
          count++
        } catch (error) {
          refusals.push(error)
          if (!(error instanceof Problem) || error.status === 0) return // the line is down, or the page left
        }
        step(at + 1)
      }
    })
    if (count) toast({ text: t('startedMany', { count, name }) })
    if (refusals.length)
      toast({
        text: `${t('refusedMany', { count: refusals.length })} ${problemText(refusals[0])}`,
        bad: true,
      })
  }
}
