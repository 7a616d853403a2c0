import { Alert, Button, Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { LoginFrame } from '../access/login-frame.tsx'
import { useAllowPicker } from '../access/picker.ts'
import { ChooseClient } from '../clients/choose-clients.tsx'
import { useEveryClient } from '../clients/clients.ts'
import { tokenMessage } from '../picker/messages.ts'
import { useMe } from '../session.ts'
import { pickerWords } from '../words/picker.ts'
import { useProblemText } from '../words/problem-text.ts'
import { useLanguage } from '../words/words.tsx'
import '../access/consent.css'

const route = getRouteApi('/inside/picker')

/** The window that a picker on another site opens for a person to sign in. It hands over a token and closes. */
export function AllowPickerPage() {
  const words = pickerWords(useLanguage())
  const problemText = useProblemText()
  const me = useMe()
  const { embedder = '', client } = route.useSearch()
  const [chosen, setChosen] = useState<string | null>(client ?? null)
  const [tried, setTried] = useState(false)
  const allow = useAllowPicker()
  const host = URL.canParse(embedder) ? new URL(embedder).host : embedder
  const clientId = me?.clientId ?? chosen

  function onAllow() {
    setTried(true)
    if (!clientId) return
    allow.mutate(
      { embedder, clientId },
      {
        onSuccess(token) {
          // To a frame of this very origin and to nobody else, whoever opened this window.
          window.opener?.postMessage({ type: tokenMessage, token }, location.origin)
          window.close()
        },
      },
    )
  }

  if (!me) return null
  // Some who let people in keep a window from knowing what opened it.
  if (!window.opener)
    return (
      <LoginFrame title={words.signedIn} lead={words.signedInText}>
        {null}
      </LoginFrame>
    )
  return (
    <LoginFrame title={words.allowTitle(host)} lead={words.allowText(me.name)}>
      <div className="consent">
        {allow.error ? (
          <Alert color="red" variant="light" icon={<CircleAlert size={18} />} role="alert">
            {problemText(allow.error)}
          </Alert>
        ) : null}
        {!me.clientId &&
          (client ? (
            <NamedClient label={words.client} clientId={client} />
          ) : (
            <ChooseClient
              label={words.client}
              value={chosen}
              onChange={setChosen}
              error={tried && !chosen && words.clientNeeded}
            />
          ))}
        <p className="consent-bounds">{words.allowBounds}</p>
        <Group grow gap={8}>
          <Button variant="default" disabled={allow.isPending} onClick={() => window.close()}>
            {words.cancel}
          </Button>
          <Button loading={allow.isPending} onClick={onAllow}>
            {words.goOn}
          </Button>
        </Group>
      </div>
    </LoginFrame>
  )
}

function NamedClient({ label, clientId }: { label: string; clientId: string }) {
  const { data = [] } = useEveryClient()
  return (
    <div className="consent-client">
      <span>{label}</span>
      <strong>{data.find((one) => one.clientId === clientId)?.name ?? '…'}</strong>
    </div>
  )
}
