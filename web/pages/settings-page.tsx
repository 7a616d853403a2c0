import { Alert, Button, Stack } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { ClientRecord } from '../../contract/clients.ts'
import { ApprovedOnly } from '../clients/approved-only.tsx'
import { useClientForm } from '../clients/client-form.tsx'
import { OcrLanguages } from '../clients/ocr-languages.tsx'
import { SuggestionSettings } from '../suggestions/suggestion-settings.tsx'
import { AskUnsaved } from '../ui/ask-unsaved.tsx'
import { toast } from '../ui/toast.tsx'
import { ClientFrame, OfClient } from './client-frame.tsx'
import './settings-page.css'

/** What is set for one client. */
export const SettingsPage = () => <OfClient>{(client) => <Page client={client} />}</OfClient>

function Page({ client }: { client: ClientRecord }) {
  const t = useTranslations('settings')
  return (
    <ClientFrame client={client} title={t('title')} lead={t('lead')} needs="clients:write">
      <General client={client} />
      <ApprovedOnly client={client} />
      <OcrLanguages client={client} />
      <SuggestionSettings clientId={client.clientId} />
    </ClientFrame>
  )
}

function General({ client }: { client: ClientRecord }) {
  const t = useTranslations('settings')
  const words = useTranslations('app')
  const { fields, submit, problem, busy, isChanged } = useClientForm(client, () =>
    toast({ about: client.clientId, text: t('saved') }),
  )
  return (
    <form
      className="settings"
      noValidate
      autoComplete="off"
      aria-label={t('title')}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <AskUnsaved isUnsaved={isChanged} isSaving={busy} />
      <Stack gap={14}>
        {problem && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        {fields}
        <Button type="submit" loading={busy} className="settings-save">
          {words('save')}
        </Button>
      </Stack>
    </form>
  )
}
