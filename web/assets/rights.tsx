import { ActionIcon } from '@mantine/core'
import { TriangleAlert, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Asset, Provenance } from '../../contract/assets.ts'
import { useTypedDay } from '../ui/typed-day.ts'
import { useChoice } from '../ui/use-choice.ts'
import { type Edit, useBeginEdit, useSaveEdit } from './assets.ts'
import { EvidenceFacts, saysSomething } from './evidence.tsx'
import { dayOf, daysLeft, endOfDay, lastDayOf } from './rights-end.ts'
import { Section } from './section.tsx'
import './rights.css'

export const origins = ['camera', 'stock', 'generated', 'unknown'] as const satisfies Provenance[]

/** Until when the asset may be used, and how it came about. */
export function Rights({ asset, mayEdit }: { asset: Asset; mayEdit: boolean }) {
  const t = useTranslations('rights')
  const format = useFormatter()
  const begin = useBeginEdit()
  const save = useSaveEdit()
  const ids = { until: useId(), origin: useId() }
  const { rightsExpireAt } = asset
  const [provenance, choose] = useChoice(asset.provenance, {
    save: (origin) => save(begin(asset), 'provenance', origin),
  })
  const day = rightsExpireAt && format.dateTime(lastDayOf(rightsExpireAt), { dateStyle: 'medium' })
  const days = daysLeft(rightsExpireAt)
  const isFake = provenance === 'stock' || provenance === 'generated' || asset.evidence?.says === 'generated'
  if (!mayEdit && !rightsExpireAt && provenance === 'unknown' && !saysSomething(asset)) return null

  return (
    <Section title={t('label')} hint={isFake ? t('originHint') : undefined}>
      <dl className="facts rights">
        <div>
          <dt>{mayEdit ? <label htmlFor={ids.until}>{t('until')}</label> : t('until')}</dt>
          <dd>
            {mayEdit && <EditDay asset={asset} id={ids.until} />}
            {/* The browser writes it in its own language. */}
            {mayEdit ? day && <small className="rights-said">{day}</small> : (day ?? t('untilOpen'))}
          </dd>
        </div>
        <div>
          <dt>{mayEdit ? <label htmlFor={ids.origin}>{t('origin')}</label> : t('origin')}</dt>
          <dd>
            {mayEdit ? (
              <select
                id={ids.origin}
                className="rights-field"
                value={provenance}
                onChange={(event) => choose(event.currentTarget.value as Provenance)}
              >
                {origins.map((origin) => (
                  <option key={origin} value={origin}>
                    {t(`origins.${origin}`)}
                  </option>
                ))}
              </select>
            ) : (
              t(`origins.${provenance}`)
            )}
          </dd>
        </div>
      </dl>
      {saysSomething(asset) && <EvidenceFacts asset={asset} />}
      {days !== null && (
        <p className={`details-nudge ${days < 0 ? 'details-bad' : ''}`}>
          <TriangleAlert size={16} aria-hidden />{' '}
          {days < 0 ? t('ended', { day: day! }) : t('endsSoon', { days })}
        </p>
      )}
    </Section>
  )
}

function EditDay({ asset, id }: { asset: Asset; id: string }) {
  const t = useTranslations('rights')
  const begin = useBeginEdit()
  const save = useSaveEdit()
  const kept = asset.rightsExpireAt ? dayOf(lastDayOf(asset.rightsExpireAt)) : ''
  const edit = useRef<Edit>(undefined)
  const { onChange, onKeyDown, ...typed } = useTypedDay(kept, (day) => {
    const begun = edit.current ?? begin(asset)
    edit.current = undefined
    void save(begun, 'rightsExpireAt', day ? endOfDay(day) : null)
  })

  return (
    <span className="rights-day">
      <input
        {...typed}
        id={id}
        type="date"
        className="rights-field"
        max="9998-12-31"
        onFocus={() => {
          edit.current = begin(asset)
        }}
        onChange={(event) => {
          edit.current ??= begin(asset)
          onChange(event)
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          onKeyDown(event)
        }}
      />
      {kept && (
        <ActionIcon
          size={28}
          aria-label={t('clear')}
          onClick={() => void save(begin(asset), 'rightsExpireAt', null)}
        >
          <X size={14} />
        </ActionIcon>
      )}
    </span>
  )
}
