import { useTranslations } from 'use-intl'
import { dialogTitle } from '../ui/dialog-title.ts'
import { Modal } from '../ui/modal.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'

/** For the day that a second factor is lost. Shown once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTranslations('account.factors')
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeOnBack={false}
      title={t('codesTitle')}
      styles={dialogTitle}
    >
      <ShownOnce text={t('codesText')} secret={codes.join('\n')} onDone={onClose} />
    </Modal>
  )
}
