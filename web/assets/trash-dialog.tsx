import { useTranslations } from 'use-intl'
import { Confirm } from '../ui/confirm.tsx'

/** Asks once before very much goes to the trash. */
export function TrashDialog({
  count,
  onTrash,
  onClose,
}: {
  count: number
  onTrash(): void
  onClose(): void
}) {
  const t = useTranslations('batch')
  const actions = useTranslations('actions')
  return (
    <Confirm
      title={t('trashTitle', { count })}
      text={t('trashText')}
      button={actions('trash')}
      error={null}
      isPending={false}
      onConfirm={onTrash}
      onClose={onClose}
    />
  )
}
