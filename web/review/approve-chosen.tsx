import { Button } from '@mantine/core'
import { Check } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type Decisions, mostAsked, type Review } from '../../contract/review.ts'
import { Problem } from '../api.ts'
import { useUndo } from '../library/undo.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useDecideEach } from './reviews.ts'

type LookedAt = Decisions['assets']

/** Says yes to those that are ticked, and offers to take it back. */
export function ApproveChosen({ chosen, onDone }: { chosen: Review[]; onDone(): void }) {
  const t = useTranslations('review')
  const undo = useUndo()
  const problemText = useProblemText()
  const { mutateAsync: decide, isPending } = useDecideEach()
  const titles = new Map(chosen.map(({ asset }) => [asset.assetId, asset.title]))

  /** Answers with those that it was said of. */
  async function say(decision: Decisions['decision'], lookedAt: LookedAt): Promise<LookedAt> {
    const said: LookedAt = []
    for (let at = 0; at < lookedAt.length; at += mostAsked) {
      const { results } = await decide({ decision, assets: lookedAt.slice(at, at + mostAsked) })
      const refused = results.filter(({ ok }) => !ok)
      const [first] = refused
      if (first)
        toast({
          about: 'review',
          text: t('partlyDecided', {
            failed: refused.length,
            count: results.length,
            title: titles.get(first.assetId) ?? '',
            detail: problemText(new Problem({ status: 409, ...first.problem } as Problem)),
          }),
          bad: true,
        })
      for (const { assetId, ok, asset } of results)
        if (ok)
          said.push({
            assetId,
            version: lookedAt.find((one) => one.assetId === assetId)!.version,
            seen: asset!.approval,
          })
    }
    return said
  }

  async function approve() {
    const lookedAt = chosen.map(({ asset: { assetId, version, approval } }) => ({
      assetId,
      version,
      seen: approval,
    }))
    try {
      const said = await say('approved', lookedAt)
      onDone()
      if (said.length === 0) return
      const text = t('approvedMany', { count: said.length, title: titles.get(said[0]!.assetId)! })
      undo.offer(text, async () => (await say('pending', said)).length === said.length)
    } catch (error) {
      toast({ about: 'review', text: problemText(error), bad: true })
    }
  }

  return (
    <Button
      size="compact-sm"
      leftSection={<Check size={14} />}
      disabled={chosen.length === 0}
      loading={isPending}
      onClick={() => void approve()}
    >
      {t('approveMany', { count: chosen.length })}
    </Button>
  )
}
