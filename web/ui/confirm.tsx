import { Alert, Button, Group, Modal } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useProblemText } from '../words/problem-text.ts'
import './confirm.css'

/** Asks once more before something goes that does not come back. */
export function Confirm({
  title,
  text,
  button,
  error,
  isPending,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  button: string
  error: unknown
  isPending: boolean
  onConfirm(): void
  onClose(): void
}) {
  const words = useTranslations('app')
  const problemText = useProblemText()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      styles={{ title: { fontSize: 17, fontWeight: 620, overflowWrap: 'anywhere' } }}
    >
      {error ? (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {problemText(error)}
        </Alert>
      ) : null}
      <p className="confirm-text">{text}</p>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words('cancel')}
        </Button>
        <Button className="confirm-button" loading={isPending} onClick={onConfirm}>
          {button}
        </Button>
      </Group>
    </Modal>
  )
}
