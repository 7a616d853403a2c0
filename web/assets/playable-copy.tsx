import { Button } from '@mantine/core'
import { Clapperboard } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useMakeProxy, useProxyPercent } from './proxy.ts'

/** How it stands with the copy of a film that this browser does not play. */
export function useCopyWords(asset: Asset): string {
  const t = useTranslations('quickLook')
  const percent = useProxyPercent(asset)
  const state = asset.media.proxy?.state
  if (state === 'waiting')
    return percent === null ? t('copyWaits') : t('copyIsMade', { share: percent / 100 })
  if (state === 'failed') return t('copyFailed')
  if (state === 'no-encoder') return t('noEncoder')
  return t('cannotPlay')
}

/** Has the copy made, where there is none and none is under way. */
export function MakeCopy({ asset }: { asset: Asset }) {
  const t = useTranslations('quickLook')
  const library = useLibrary()
  const problemText = useProblemText()
  const make = useMakeProxy()
  const state = asset.media.proxy?.state
  if (state === 'waiting' || state === 'ready' || !library.can('assets:write')) return null
  return (
    <Button
      variant="default"
      leftSection={<Clapperboard size={16} />}
      loading={make.isPending}
      onClick={() =>
        make.mutate(asset, { onError: (error) => toast({ text: problemText(error), bad: true }) })
      }
    >
      {t('makeCopy')}
    </Button>
  )
}
