import { Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import '../../ui/dialogs.css'

export function HelpDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('help')
  const keys: [keys: string, what: string][] = [
    [t('keys.arrows'), t('move')],
    [t('keys.shiftArrows'), t('range')],
    [t('keys.all'), t('all')],
    [t('keys.esc'), t('clear')],
    [t('keys.enter'), t('open')],
    [t('keys.space'), t('quickLook')],
    ['F2', t('rename')],
    [t('keys.del'), t('trash')],
    ['M', t('moveTo')],
    ['U', t('upload')],
    ['N', t('newFolder')],
    ['/', t('search')],
    ['I', t('details')],
    ['V', t('view')],
    [t('keys.undo'), t('undo')],
    [t('keys.menu'), t('menu')],
    ['Alt + ↑', t('parent')],
    ['?', t('help')],
  ]
  return (
    <Modal opened onClose={onClose} title={t('title')} size={640}>
      <dl className="help-keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
