import { Button } from '@mantine/core'
import { useFormatter, useTranslations } from 'use-intl'
import type { Provenance } from '../../contract/assets.ts'
import type { Crops, FocalPoint } from '../../contract/crops.ts'
import type { Surface } from '../../contract/words.ts'
import { Modal } from '../ui/modal.tsx'
import type { Conflict } from './conflicts.ts'
import { lastDayOf } from './rights-end.ts'
import '../ui/dialogs.css'

export function ConflictDialog({
  conflict,
}: {
  conflict: Conflict & { answer(choice: 'yours' | 'theirs'): void }
}) {
  const t = useTranslations('conflict')
  const fields = useTranslations('fields')
  const surfaces = useTranslations('surfaces')
  const rights = useTranslations('rights')
  const format = useFormatter()
  const lastDay = (end: string) => format.dateTime(lastDayOf(end), { dateStyle: 'medium' })
  const inPercent = ({ x, y }: FocalPoint) =>
    [x, y].map((share) => format.number(share, { style: 'percent' })).join(' · ')
  const { title, field, yours, theirs, answer } = conflict
  const fieldName = field === 'allowedSurfaces' ? surfaces('label') : fields(field)
  const shown = (value: Conflict['yours']) => {
    if (field === 'provenance') return rights(`origins.${value as Provenance}`)
    if (field === 'rightsExpireAt') return value ? lastDay(value as string) : t('empty')
    if (field === 'focalPoint') return value ? inPercent(value as FocalPoint) : t('empty')
    if (field === 'crops') return Object.keys(value as Crops).join(', ') || t('empty')
    return typeof value === 'string'
      ? value || t('empty')
      : ((value ?? []) as Surface[]).map((surface) => surfaces(surface)).join(', ') || surfaces('all')
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('title')}
      size={560}
      zIndex={300}
    >
      <p className="dialog-text">{t('text', { title, field: fieldName })}</p>
      <div className="versus">
        <figure>
          <figcaption>{t('yours')}</figcaption>
          <blockquote>{shown(yours)}</blockquote>
        </figure>
        <figure>
          <figcaption>{t('theirs')}</figcaption>
          <blockquote>{shown(theirs)}</blockquote>
        </figure>
      </div>
      <div className="dialog-acts">
        <Button variant="default" onClick={() => answer('theirs')}>
          {t('keepTheirs')}
        </Button>
        <Button data-autofocus onClick={() => answer('yours')}>
          {t('keepYours')}
        </Button>
      </div>
    </Modal>
  )
}
