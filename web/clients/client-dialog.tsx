import { useTranslations } from 'use-intl'
import type { Client } from '../../contract/clients.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useClientForm } from './client-form.tsx'

/** Creates a client, or changes the one given. */
export function ClientDialog({
  client,
  onClose,
  onCreated,
}: {
  client?: Client
  onClose(): void
  onCreated?(client: Client): void
}) {
  const t = useTranslations('access.manage')
  const common = useTranslations('access')
  const words = useTranslations('app')
  const { fields, submit, problem, busy, isChanged } = useClientForm(client, (saved) => {
    onClose()
    if (!client) onCreated?.(saved)
  })
  return (
    <FormDialog
      title={client ? t('editTitle') : t('createTitle')}
      problem={problem}
      act={client ? words('save') : common('create')}
      busy={busy}
      holdsWords={isChanged}
      onSubmit={submit}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
