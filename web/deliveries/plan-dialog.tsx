import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Crop } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Ratio, ratios } from '../../contract/ratios.ts'
import type { Plan } from '../../contract/references.ts'
import { api } from '../api.ts'
import { useAsset } from '../assets/assets.ts'
import { CropDialog } from '../assets/crop-dialog.tsx'
import { Cropped } from '../assets/cropped.tsx'
import { useFitWords, useTargetName } from '../assets/fit-words.ts'
import { isVideo } from '../assets/picture.tsx'
import { useActions } from '../assets/use-actions.ts'
import { useLibrary } from '../library/library.tsx'
import { Modal } from '../ui/modal.tsx'
import { useProblemText } from '../words/problem-text.ts'
import './plan-dialog.css'

const targets = ['instagram', 'facebook-page', 'linkedin', 'x', 'tiktok'] as const
const names: Record<string, string> = {
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  x: 'X',
  tiktok: 'TikTok',
}

/** Several pictures as one post: in one ratio, as they will be seen, and which of them does not fit. */
export function PlanDialog({ assetIds, onClose }: { assetIds: string[]; onClose(): void }) {
  const t = useTranslations('plan')
  const app = useTranslations('app')
  const done = useTranslations('done')
  const problemText = useProblemText()
  const nameOf = useTargetName()
  const { copy } = useActions()
  const [order, setOrder] = useState(assetIds)
  const [target, setTarget] = useState<string>('instagram')
  const [ratio, setRatio] = useState<Ratio | ''>('')
  const { data: plan, error, refetch } = usePlan(order, target, ratio)

  function swap(place: number, other: number) {
    const next = [...order]
    ;[next[place], next[other]] = [next[other]!, next[place]!]
    setOrder(next)
  }

  return (
    <Modal opened onClose={onClose} title={t('title', { count: order.length })} size={880}>
      <div className="plan-wishes">
        <NativeSelect
          data-autofocus
          label={t('target')}
          data={targets.map((value) => ({
            value,
            label: nameOf({ target: value, name: names[value] ?? value }),
          }))}
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('ratio')}
          data={[{ value: '', label: t('best') }, ...ratios]}
          value={ratio}
          onChange={(event) => setRatio(event.currentTarget.value as Ratio | '')}
        />
      </div>
      <Outcome plan={plan} problem={error && problemText(error)} />
      <ol className="plan-pictures" aria-label={t('pictures')}>
        {order.map((assetId, place) => (
          <PlannedPicture
            key={assetId}
            assetId={assetId}
            plan={plan}
            picture={plan?.pictures.find(({ assetRef }) => assetRef === assetId)}
            onEarlier={place > 0 ? () => swap(place, place - 1) : undefined}
            onLater={place < order.length - 1 ? () => swap(place, place + 1) : undefined}
            onCropped={() => void refetch()}
          />
        ))}
      </ol>
      <div className="dialog-acts">
        <Button
          variant="default"
          onClick={() => copy(order.join('\n'), done('refsCopied', { count: order.length }))}
        >
          {t('copy')}
        </Button>
        <Button onClick={onClose}>{app('close')}</Button>
      </div>
    </Modal>
  )
}

function usePlan(assetRefs: string[], target: string, ratio: Ratio | '') {
  const library = useLibrary()
  const body = { assetRefs, surface: 'social', target, ...(ratio && { ratio }) }
  return useQuery({
    queryKey: [library.base, 'plan', body],
    queryFn: ({ signal }) =>
      api.post<Plan>(`/admin/clients/${library.clientId}/asset-refs/plan`, body, { signal }),
    placeholderData: (before) => before,
    staleTime: 0,
  })
}

function Outcome({ plan, problem }: { plan: Plan | undefined; problem: string | null }) {
  const t = useTranslations('plan')
  const inWords = useFitWords()
  if (problem) return <p className="plan-outcome plan-bad">{problem}</p>
  if (!plan) return <p className="plan-outcome">{t('making')}</p>
  const { pictures, why, ratio, target } = plan
  const unfit = pictures.filter(({ ok }) => !ok).length
  return (
    <p role="status" className={`plan-outcome ${plan.ok ? 'plan-good' : 'plan-bad'}`}>
      {unfit > 0
        ? t('notAll', { count: unfit })
        : why.length === 0 && t('fits', { count: pictures.length, ratio: ratio ?? t('own') })}{' '}
      {inWords({ target, name: names[target] ?? target, why })}
    </p>
  )
}

function PlannedPicture({
  assetId,
  plan,
  picture,
  onEarlier,
  onLater,
  onCropped,
}: {
  assetId: string
  plan: Plan | undefined
  picture: Plan['pictures'][number] | undefined
  onEarlier: (() => void) | undefined
  onLater: (() => void) | undefined
  onCropped(): void
}) {
  const t = useTranslations('plan')
  const refusals = useTranslations('problems.refusals')
  const inWords = useFitWords()
  const library = useLibrary()
  const { asset } = useAsset(assetId)
  const [cropping, setCropping] = useState(false)
  if (!asset) return null
  const { title } = asset
  const whole = { x: 0, y: 0, width: 1, height: 1 }
  const name = names[plan?.target ?? ''] ?? ''
  return (
    <li data-unfit={picture?.ok === false}>
      <Cropped
        asset={asset}
        area={picture?.ok ? picture.crop : whole}
        size="card"
        alt={asset.altText || title}
      />
      <strong>{title}</strong>
      <small>
        {picture?.ok
          ? t(`by.${picture.cropBy}`)
          : picture &&
            (picture.why.length > 0
              ? inWords({ target: plan!.target, name, why: picture.why })
              : refusals(picture.code))}
      </small>
      <span className="plan-acts">
        <ActionIcon disabled={!onEarlier} onClick={onEarlier} aria-label={t('earlier', { title })}>
          <ChevronLeft size={16} />
        </ActionIcon>
        {library.can('assets:write') && !isVideo(asset) && (
          <ActionIcon onClick={() => setCropping(true)} aria-label={t('adjust', { title })}>
            <Crop size={16} />
          </ActionIcon>
        )}
        <ActionIcon disabled={!onLater} onClick={onLater} aria-label={t('later', { title })}>
          <ChevronRight size={16} />
        </ActionIcon>
      </span>
      {cropping && (
        <CropDialog
          asset={asset}
          at={plan?.ratio ?? null}
          onClose={() => {
            setCropping(false)
            onCropped()
          }}
        />
      )}
    </li>
  )
}
