import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { mostAsked } from '../../contract/review.ts'
import { withProgress } from '../library/progress.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useRequestReview } from './reviews.ts'

/** Asks people what they say of many assets, with a word to them. */
export function AskDialog({ assetIds, onClose }: { assetIds: string[]; onClose(): void }) {
  const t = useTranslations('review')
  const progress = useTranslations('progress')
  const problemText = useProblemText()
  const { mutateAsync: ask, isPending } = useRequestReview()
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  async function submit() {
    setProblem(null)
    try {
      const asked = await withProgress(progress('review'), assetIds.length, async (step, signal) => {
        let count = 0
        for (let at = 0; at < assetIds.length && !signal.aborted; at += mostAsked) {
          const some = assetIds.slice(at, at + mostAsked)
          count += (await ask({ assetIds: some, note: note.trim() })).assetIds.length
          step(at + some.length)
        }
        return count
      })
      toast({ about: 'review', text: t('askedMany', { count: asked, others: assetIds.length - asked }) })
      onClose()
    } catch (error) {
      setProblem(problemText(error))
    }
  }

  return (
    <FormDialog
      title={t('askTitle', { count: assetIds.length })}
      problem={problem}
      act={t('ask')}
      busy={isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="dialog-text">{t('askText')}</p>
      <Textarea
        label={t('askNote')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => event.key !== 'Tab' && event.key !== 'Escape' && event.stopPropagation()}
        data-autofocus
      />
    </FormDialog>
  )
}
