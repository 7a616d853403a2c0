import { Alert, Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useProblemText } from '../words/problem-text.ts'
import { dialogTitle } from './dialog-title.ts'
import { Modal } from './modal.tsx'
import './confirm.css'

/** Asks for a word before something is removed that nobody can bring back. */
export function TypedConfirm({
  title,
  children,
  word,
  label,
  button,
  error,
  isPending,
  onConfirm,
  onClose,
}: {
  title: string
  children: ReactNode
  /** What is to be typed; `label` says so. */
  word: string
  label: string
  button: string
  error: unknown
  isPending: boolean
  onConfirm(): void
  onClose(): void
}) {
  const words = useTranslations('app')
  const problemText = useProblemText()
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim().toLocaleLowerCase() === word.trim().toLocaleLowerCase()
  return (
    <Modal opened onClose={onClose} title={title} styles={dialogTitle}>
      <form
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (isTyped && !isPending) onConfirm()
        }}
      >
        {error ? (
          <Alert color="red" variant="light" role="alert" mb={12}>
            {problemText(error)}
          </Alert>
        ) : null}
        <div className="confirm-text">{children}</div>
        <TextInput
          mt={16}
          label={label}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
          data-autofocus
        />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {words('cancel')}
          </Button>
          <Button type="submit" className="confirm-button" disabled={!isTyped} loading={isPending}>
            {button}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
