import { Alert, Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useProblemText } from '../words/problem-text.ts'
import { dialogTitle } from './dialog-title.ts'
import { Modal } from './modal.tsx'
import { toast } from './toast.tsx'
import './confirm.css'

/** Asks before something is removed for good. */
export function Confirm({
  title,
  text,
  button,
  cancel,
  error,
  isPending,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  button: string
  /** The way back, where it is to be called something else. */
  cancel?: string
  error: unknown
  isPending: boolean
  onConfirm(): void
  onClose(): void
}) {
  const words = useTranslations('app')
  const problemText = useProblemText()
  return (
    <Modal opened onClose={onClose} title={title} styles={dialogTitle}>
      {error ? (
        <Alert color="red" variant="light" role="alert" mb={12}>
          {problemText(error)}
        </Alert>
      ) : null}
      <p className="confirm-text">{text}</p>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? words('cancel')}
        </Button>
        <Button className="confirm-button" loading={isPending} onClick={onConfirm}>
          {button}
        </Button>
      </Group>
    </Modal>
  )
}

/** The same for what is removed at the server: says so when it is gone, and stays open when it cannot be. */
export function ConfirmRemoval<What>({
  remove,
  what,
  removed,
  onClose,
  ...words
}: {
  title: string
  text: string
  button: string
  remove: {
    error: unknown
    isPending: boolean
    mutate(what: What, options: { onSuccess(): void }): void
  }
  what: What
  /** What is said when it is gone. */
  removed: string
  onClose(): void
}) {
  function confirm() {
    remove.mutate(what, {
      onSuccess() {
        toast({ text: removed })
        onClose()
      },
    })
  }
  return (
    <Confirm
      {...words}
      error={remove.error}
      isPending={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
