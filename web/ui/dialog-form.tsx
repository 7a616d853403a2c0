import { Alert, Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'

/** A form in a dialog: what went wrong on top, the way back and the way on below. */
export function DialogForm(props: {
  problem: string | null
  act: string
  busy: boolean
  onSubmit(): void
  onClose(): void
  children: ReactNode
}) {
  const words = useTranslations('app')
  return (
    <form
      noValidate
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
          <Button variant="default" onClick={props.onClose}>
            {words('cancel')}
          </Button>
          <Button type="submit" loading={props.busy}>
            {props.act}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
