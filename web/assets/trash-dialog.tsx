import { useTranslations } from 'use-intl'
import { Confirm } from '../ui/confirm.tsx'

/** Asks once before very much goes to the trash. */
export function TrashDialog({
  count,
  inside,
  onTrash,
  onClose,
}: {
  count: number
  /** How many more their folders hold. */
  inside: number
  onTrash(): void
  onClose(): void
}) {
  const t = useTranslations('trashing')
  const actions = useTranslations('actions')
  return (
    <Confirm
      title={t('title', { count })}
      text={t('text', { inside })}
      button={actions('trash')}
      error={null}
      isPending={false}
      onConfirm={onTrash}
      onClose={onClose}
    />
  )
}
