import { useTranslations } from 'use-intl'
import { Modal } from '../../ui/modal.tsx'
import { keyBindings } from './keys.ts'
import '../../ui/dialogs.css'

export function HelpDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('help')
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640}>
      <dl className="help-keys">
        {keyBindings.map(({ called, help }) => (
          <div key={help}>
            <dt>
              <kbd>{typeof called === 'string' ? t(`keys.${called}`) : called.literally}</kbd>
            </dt>
            <dd>{t(help)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
