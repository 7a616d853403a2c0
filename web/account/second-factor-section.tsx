import { ActionIcon, Button, Group } from '@mantine/core'
import { KeyRound, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { canUsePasskeys } from '../access/passkeys.ts'
import { LoadState } from '../ui/list-notes.tsx'
import { toast } from '../ui/toast.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import {
  useAddPasskey,
  useNewRecoveryCodes,
  useRemovePasskey,
  useRemoveTotp,
  useSecondFactors,
} from './second-factors.ts'
import { Section } from './section.tsx'
import { TotpDialog } from './totp-dialog.tsx'

type Open =
  | { what: 'totp' | 'passkey' | 'codes' | 'remove-totp' }
  | { what: 'remove-passkey'; passkeyId: string; name: string }

/** What is asked for after the password, and what helps when it is lost. */
export function SecondFactorSection({ lead }: { lead?: string }) {
  const t = useTranslations('account.factors')
  const format = useFormatter()
  const factors = useSecondFactors()
  const [open, setOpen] = useState<Open | null>(null)
  const [codes, setCodes] = useState<string[]>([])
  const close = () => setOpen(null)
  const day = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium' })
  const has = factors.data && (factors.data.totpSince !== null || factors.data.passkeys.length > 0)

  function shown(recoveryCodes: string[]) {
    close()
    setCodes(recoveryCodes)
  }

  return (
    <Section title={t('title')} lead={lead ?? t('lead')}>
      <LoadState query={factors} />
      {factors.data && (
        <>
          {has && (
            <ul className="account-list">
              {factors.data.totpSince && (
                <li>
                  <Smartphone size={18} aria-hidden />
                  <div>
                    <strong>{t('app')}</strong>
                    <span className="account-sub">{t('since', { day: day(factors.data.totpSince) })}</span>
                  </div>
                  <ActionIcon aria-label={t('removeApp')} onClick={() => setOpen({ what: 'remove-totp' })}>
                    <Trash2 size={16} />
                  </ActionIcon>
                </li>
              )}
              {factors.data.passkeys.map(({ passkeyId, name, createdAt, lastUsedAt }) => (
                <li key={passkeyId}>
                  <KeyRound size={18} aria-hidden />
                  <div>
                    <strong>{name}</strong>
                    <span className="account-sub">
                      {lastUsedAt
                        ? t('passkeyUsed', { day: day(lastUsedAt) })
                        : t('passkeySince', { day: day(createdAt) })}
                    </span>
                  </div>
                  <ActionIcon
                    aria-label={t('removePasskey', { name })}
                    onClick={() => setOpen({ what: 'remove-passkey', passkeyId, name })}
                  >
                    <Trash2 size={16} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          <Group gap={8}>
            {!factors.data.totpSince && (
              <Button variant="default" onClick={() => setOpen({ what: 'totp' })}>
                {t('addApp')}
              </Button>
            )}
            {canUsePasskeys() ? (
              <Button variant="default" onClick={() => setOpen({ what: 'passkey' })}>
                {t('addPasskey')}
              </Button>
            ) : (
              <p>{t('noPasskeys')}</p>
            )}
          </Group>
          {has && (
            <Group gap={8}>
              <p>{t('codesLeft', { count: factors.data.recoveryCodesLeft })}</p>
              <Button variant="default" size="xs" onClick={() => setOpen({ what: 'codes' })}>
                {t('newCodes')}
              </Button>
            </Group>
          )}
        </>
      )}
      {open?.what === 'totp' && <TotpDialog onDone={shown} onClose={close} />}
      {open?.what === 'passkey' && <AddPasskey onDone={shown} onClose={close} />}
      {open?.what === 'codes' && <NewCodes onDone={shown} onClose={close} />}
      {open?.what === 'remove-totp' && <RemoveApp onClose={close} />}
      {open?.what === 'remove-passkey' && (
        <RemovePasskey passkeyId={open.passkeyId} name={open.name} onClose={close} />
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Section>
  )
}

interface Adding {
  onDone(recoveryCodes: string[]): void
  onClose(): void
}

function AddPasskey({ onDone, onClose }: Adding) {
  const t = useTranslations('account.factors')
  const add = useAddPasskey()
  return (
    <ProofDialog
      title={t('addPasskey')}
      text={t('passkeyText')}
      act={t('addPasskey')}
      nameLabel={t('passkeyName')}
      error={add.error}
      busy={add.isPending}
      onSubmit={(password, name) =>
        add.mutate({ password, name }, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })
      }
      onClose={onClose}
    />
  )
}

function NewCodes({ onDone, onClose }: Adding) {
  const t = useTranslations('account.factors')
  const make = useNewRecoveryCodes()
  return (
    <ProofDialog
      title={t('newCodes')}
      text={t('newCodesText')}
      act={t('newCodes')}
      error={make.error}
      busy={make.isPending}
      onSubmit={(password) =>
        make.mutate({ password }, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })
      }
      onClose={onClose}
    />
  )
}

function RemoveApp({ onClose }: { onClose(): void }) {
  const t = useTranslations('account.factors')
  const remove = useRemoveTotp()
  return (
    <ProofDialog
      title={t('removeApp')}
      text={t('removeText')}
      act={t('remove')}
      error={remove.error}
      busy={remove.isPending}
      onSubmit={(password) =>
        remove.mutate(
          { password },
          {
            onSuccess: () => {
              toast({ about: 'factors', text: t('removed') })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}

function RemovePasskey({ passkeyId, name, onClose }: { passkeyId: string; name: string; onClose(): void }) {
  const t = useTranslations('account.factors')
  const remove = useRemovePasskey()
  return (
    <ProofDialog
      title={t('removePasskey', { name })}
      text={t('removeText')}
      act={t('remove')}
      error={remove.error}
      busy={remove.isPending}
      onSubmit={(password) =>
        remove.mutate(
          { passkeyId, password },
          {
            onSuccess: () => {
              toast({ about: 'factors', text: t('removed') })
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
