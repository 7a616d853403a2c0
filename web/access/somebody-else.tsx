import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useSomebodyElse } from '../other-tabs.ts'
import { Modal } from '../ui/modal.tsx'
import './login.css'

/** Stands over the page while another person is signed in in this browser: nothing more is done here in their name unseen. */
export function SomebodyElse() {
  const t = useTranslations('access')
  const { name } = useSomebodyElse()!
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={500}
      size={400}
      title={t('elseTitle')}
      styles={{ title: { fontSize: 18, fontWeight: 620 } }}
    >
      <p className="login-again">{t('elseText', { name })}</p>
      <Button fullWidth onClick={() => location.assign('/app/')} data-autofocus>
        {t('goOnAs', { name })}
      </Button>
    </Modal>
  )
}
