import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { useFits } from '../assets/assets.ts'
import { useTargetName } from '../assets/fit-words.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useCreatePullGrant } from './pull-grants.ts'

const lifetimes = [1, 6, 24]

/** Makes an address for one of the systems that take the asset, and shows it once. */
export function PullGrantDialog({ asset, onClose }: { asset: Asset; onClose(): void }) {
  const t = useTranslations('pullGrants')
  const format = useFormatter()
  const nameOf = useTargetName()
  const problemText = useProblemText()
  const create = useCreatePullGrant()
  const taking = useFits(asset.assetId)?.filter(({ verdict }) => verdict !== 'refused') ?? []
  const [wanted, setWanted] = useState<string>()
  const [hours, setHours] = useState(lifetimes[0]!)
  const chosen = taking.find(({ target }) => target === wanted) ?? taking[0]
  const made = create.data
  const name = made && nameOf({ target: made.target, name: made.targetName })

  function submit() {
    if (!chosen) return
    const { surface, target } = chosen
    create.mutate({ assetRef: asset.assetId, surface, target, ttlSeconds: hours * 3600 })
  }

  const until = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <FormDialog
      title={name ? t('madeTitle', { name }) : t('createTitle', { title: asset.title })}
      secret={
        made && {
          text: t('madeText', { name: name!, when: until(made.expiresAt) }),
          secret: made.url,
        }
      }
      problem={create.error ? problemText(create.error) : null}
      act={t('make')}
      busy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <NativeSelect
        label={t('target')}
        data={taking.map((fit) => ({ value: fit.target, label: nameOf(fit) }))}
        value={chosen?.target ?? ''}
        disabled={taking.length === 0}
        error={taking.length === 0 ? t('refused') : undefined}
        onChange={(event) => setWanted(event.currentTarget.value)}
        data-autofocus
      />
      <NativeSelect
        label={t('lasts')}
        data={lifetimes.map((each) => ({ value: String(each), label: t('hours', { hours: each }) }))}
        value={String(hours)}
        onChange={(event) => setHours(Number(event.currentTarget.value))}
      />
    </FormDialog>
  )
}
