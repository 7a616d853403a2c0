import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from './confirm.tsx'
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts'
import { useHeldNavigation } from './use-held-navigation.ts'

/** Nobody leaves a form without being asked about what they changed and did not save. What is just being saved is waited for. */
export function AskUnsaved({ isUnsaved, isSaving }: { isUnsaved: boolean; isSaving: boolean }) {
  const t = useTranslations('unsaved')
  const held = useHeldNavigation(() => isUnsaved)
  useAskBeforeLeaving(isUnsaved)

  const isFree = held !== null && !isUnsaved
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes once
  useEffect(() => {
    if (isFree) held!.go()
  }, [isFree])

  if (!held || isFree || isSaving) return null
  return (
    <Confirm
      title={t('title')}
      text={t('text')}
      button={t('leave')}
      cancel={t('stay')}
      error={null}
      isPending={false}
      onConfirm={held.go}
      onClose={held.stay}
    />
  )
}
