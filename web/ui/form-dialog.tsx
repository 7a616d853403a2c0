import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { dialogTitle } from './dialog-title.ts'
import { Modal } from './modal.tsx'
import { ShownOnce } from './shown-once.tsx'

/**
 * A form in a dialog: what went wrong on top, the way back and the way on below. A secret that was made by it is shown
 * in its place, once.
 */
export function FormDialog(props: {
  title: string
  size?: number
  /** There is much to fill in: a click beside the dialog does not throw it away. */
  isLong?: boolean
  /** Something was typed into it: only its buttons close it. */
  holdsWords?: boolean
  problem: string | null
  act: string
  busy: boolean
  secret?: { text: string; secret: string } | null | undefined
  onSubmit(): void
  onClose(): void
  children: ReactNode
}) {
  const words = useTranslations('app')
  const { secret, busy, onClose } = props
  // Nobody can look a secret up again: only the button below it closes what is shown once, and nothing what is under way.
  const stays = busy || !!secret
  return (
    <Modal
      opened
      onClose={onClose}
      holdsWords={props.holdsWords ?? false}
      closeOnClickOutside={!stays && !props.isLong && !props.holdsWords}
      closeOnEscape={!stays}
      withCloseButton={!stays}
      closeOnBack={!stays}
      size={props.size}
      title={props.title}
      styles={dialogTitle}
    >
      {secret ? (
        <ShownOnce {...secret} onDone={onClose} />
      ) : (
        <form
          noValidate
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault()
            props.onSubmit()
          }}
        >
          <Stack gap={14}>
            {props.problem && (
              <Alert color="red" variant="light" role="alert">
                {props.problem}
              </Alert>
            )}
            {props.children}
            <Group justify="flex-end" gap={8} mt={6}>
              <Button variant="default" disabled={busy} onClick={onClose}>
                {words('cancel')}
              </Button>
              <Button type="submit" loading={busy}>
                {props.act}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
