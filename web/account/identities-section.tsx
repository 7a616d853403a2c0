import { Alert, Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { KeySquare } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { SignOnReturn } from '../access/sign-on-return.ts'
import { Problem } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { type Identity, useIdentities, useLinkIdentity, useUnlinkIdentity } from './identities.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { Section } from './section.tsx'

/** The providers that let a person in besides, or could. Where there are none, nothing is said of them. */
export function IdentitiesSection() {
  const t = useTranslations('account.identities')
  const format = useFormatter()
  const problemText = useProblemText()
  const { refused, provider, linked } = useSearch({ strict: false }) as SignOnReturn & { linked?: string }
  const { data = [] } = useIdentities()
  const [chosen, setChosen] = useState<Identity | null>(null)
  const day = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium' })
  const nameOf = (id?: string) => data.find((one) => one.provider === id)?.name ?? ''
  if (data.length === 0) return null
  return (
    <Section title={t('title')} lead={t('lead')}>
      {refused && (
        <Alert color="red" variant="light" role="alert">
          {problemText(new Problem({ code: refused, status: 403, params: { provider: nameOf(provider) } }))}
        </Alert>
      )}
      {linked && nameOf(linked) && (
        <Alert color="green" variant="light" role="status">
          {t('linkedNow', { name: nameOf(linked) })}
        </Alert>
      )}
      <ul className="account-list">
        {data.map((identity) => (
          <li key={identity.provider}>
            <KeySquare size={18} aria-hidden />
            <div>
              <strong>{identity.name}</strong>
              <span className="account-sub">
                {identity.linkedAt ? t('since', { day: day(identity.linkedAt) }) : t('notLinked')}
              </span>
            </div>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t(identity.linkedAt ? 'unlinkOf' : 'linkOf', { name: identity.name })}
              onClick={() => setChosen(identity)}
            >
              {t(identity.linkedAt ? 'unlink' : 'link')}
            </Button>
          </li>
        ))}
      </ul>
      {chosen &&
        (chosen.linkedAt ? (
          <Unlink identity={chosen} onClose={() => setChosen(null)} />
        ) : (
          <Link identity={chosen} onClose={() => setChosen(null)} />
        ))}
    </Section>
  )
}

interface Chosen {
  identity: Identity
  onClose(): void
}

function Link({ identity: { provider, name }, onClose }: Chosen) {
  const t = useTranslations('account.identities')
  const link = useLinkIdentity()
  return (
    <ProofDialog
      title={t('linkOf', { name })}
      text={t('linkText', { name })}
      act={t('goOn')}
      error={link.error}
      busy={link.isPending || link.isSuccess}
      onSubmit={(password) =>
        link.mutate({ provider, password }, { onSuccess: ({ url }) => window.location.assign(url) })
      }
      onClose={onClose}
    />
  )
}

function Unlink({ identity: { provider, name }, onClose }: Chosen) {
  const t = useTranslations('account.identities')
  const unlink = useUnlinkIdentity()
  return (
    <ProofDialog
      title={t('unlinkOf', { name })}
      text={t('unlinkText')}
      act={t('unlink')}
      error={unlink.error}
      busy={unlink.isPending}
      onSubmit={(password) =>
        unlink.mutate(
          { provider, password },
          {
            onSuccess: () => {
              toast({ about: 'identities', text: t('unlinked', { name }) })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
