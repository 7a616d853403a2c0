import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { AssetSummary } from '../../contract/assets.ts'
import { surfaces as order, type Surface } from '../../contract/words.ts'
import { chosenCount } from '../library/selection.ts'
import { type Mixed, MixedBox } from '../ui/mixed-box.tsx'
import { Modal } from '../ui/modal.tsx'
import { surfacesName, useSummary } from './batch.ts'
import type { SurfaceChange } from './use-actions.ts'
import '../ui/dialogs.css'
import './surface-choice.css'

/**
 * Where many assets may be used: everywhere, or only where ticked. A box that some have ticked is mixed, and stays as
 * it is until it is touched.
 */
export function SurfacesDialog({
  assetIds,
  onChange,
  onClose,
}: {
  assetIds: string[]
  onChange(change: SurfaceChange): void
  onClose(): void
}) {
  const t = useTranslations('batch')
  const words = useTranslations('surfaces')
  const app = useTranslations('app')
  const { data: summary } = useSummary(assetIds)
  const [touched, setTouched] = useState<Partial<Record<Surface, Mixed>>>({})
  const boxes = order.map((surface) => {
    const initial = summary ? stateOf(summary, surface) : 'mixed'
    return { surface, initial, value: touched[surface] ?? initial }
  })
  const changed = boxes.filter(({ value, initial }) => value !== initial)
  const change: SurfaceChange = {
    add: changed.filter(({ value }) => value === true).map(({ surface }) => surface),
    remove: changed.filter(({ value }) => value === false).map(({ surface }) => surface),
  }
  const outcomes = outcomesOf(summary, change)
  const everywhere = outcomes.filter(({ allowedSurfaces }) => allowedSurfaces.length === 0)
  const isEverywhere = everywhere.length > 0 && (everywhere.length === outcomes.length || 'mixed')
  return (
    <Modal opened onClose={onClose} title={t('surfacesTitle', { count: chosenCount(assetIds) })} size={440}>
      <div className="surface-choice">
        <MixedBox
          value={isEverywhere}
          initial={isEverywhere}
          onChange={() =>
            setTouched(Object.fromEntries(order.map((surface) => [surface, isEverywhere === true])))
          }
        >
          {words('all')}
        </MixedBox>
        {boxes.map(({ surface, initial, value }) => (
          <MixedBox
            key={surface}
            value={value}
            initial={initial}
            onChange={(next) => setTouched((before) => ({ ...before, [surface]: next }))}
          >
            {words(surface)}
          </MixedBox>
        ))}
      </div>
      <ul className="outcomes" aria-label={t('outcome')}>
        {outcomes.map(({ allowedSurfaces, assets }) => (
          <li key={surfacesName(allowedSurfaces)}>
            {allowedSurfaces.length
              ? t('onlyOn', {
                  count: assets,
                  surfaces: allowedSurfaces.map((surface) => words(surface)).join(', '),
                })
              : t('onEvery', { count: assets })}
          </li>
        ))}
      </ul>
      <div className="dialog-acts">
        <Button variant="default" onClick={onClose}>
          {app('cancel')}
        </Button>
        <Button disabled={changed.length === 0} onClick={() => onChange(change)}>
          {t('surfacesSave')}
        </Button>
      </div>
    </Modal>
  )
}

function stateOf({ surfaces, assets }: AssetSummary, surface: Surface): Mixed {
  const ticked = surfaces
    .filter(({ allowedSurfaces }) => allowedSurfaces.includes(surface))
    .reduce((sum, each) => sum + each.assets, 0)
  return ticked === 0 ? false : ticked < assets ? 'mixed' : true
}

/** Where how many of them could be used afterwards: nobody loses or gains a surface unseen. */
function outcomesOf(
  summary: AssetSummary | undefined,
  { add, remove }: SurfaceChange,
): AssetSummary['surfaces'] {
  const outcomes = new Map<string, AssetSummary['surfaces'][number]>()
  for (const { allowedSurfaces, assets } of summary?.surfaces ?? []) {
    const after = order.filter(
      (surface) => add.includes(surface) || (allowedSurfaces.includes(surface) && !remove.includes(surface)),
    )
    const name = surfacesName(after)
    outcomes.set(name, { allowedSurfaces: after, assets: assets + (outcomes.get(name)?.assets ?? 0) })
  }
  return [...outcomes.values()]
}
