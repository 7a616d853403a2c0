import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Modal } from '../ui/modal.tsx'
import type { Holders } from './holders.ts'
import { UseList } from './use-list.tsx'
import '../ui/dialogs.css'

/** Why something cannot be deleted: what is planned with it. */
export function HoldersDialog({ holders, onClose }: { holders: Holders; onClose(): void }) {
  const t = useTranslations('holders')
  const app = useTranslations('app')
  const { uses, anyway } = holders
  return (
    <Modal opened onClose={onClose} title={t('title')} size={480}>
      <p className="dialog-text">{t('text', { count: uses.length })}</p>
      <UseList uses={uses} />
      <p className="dialog-hint">{anyway ? t('anywayHint') : t('hint')}</p>
      <div className="dialog-acts">
        {anyway && (
          <Button
            variant="subtle"
            color="red"
            className="dialog-start"
            onClick={() => {
              onClose()
              anyway()
            }}
          >
            {t('anyway')}
          </Button>
        )}
        <Button data-autofocus onClick={onClose}>
          {anyway ? t('keep') : app('close')}
        </Button>
      </div>
    </Modal>
  )
}
