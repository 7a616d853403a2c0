import { useTranslations } from 'use-intl'
import { useLibrary } from '../../library/library.tsx'
import { Modal } from '../../ui/modal.tsx'
import { type KeyBinding, keyBindings } from './keys.ts'
import '../../ui/dialogs.css'

export function HelpDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('help')
  const { can } = useLibrary()
  const isUsable = ({ needs }: KeyBinding) => !needs || can(needs)
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640}>
      <dl className="help-keys">
        {keyBindings.filter(isUsable).map(({ called, help }) => (
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
