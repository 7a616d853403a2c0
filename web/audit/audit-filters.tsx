import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useApiKeys, useUsers } from '../access/access.ts'
import { useEveryClient } from '../clients/clients.ts'
import { DayField } from '../ui/day-field.tsx'
import { areReversed } from '../ui/days.ts'
import { kinds } from './audit.ts'
import type { AuditFilter, Kind } from './filter.ts'

export function AuditFilters({
  filter,
  onFilter,
}: {
  filter: AuditFilter
  onFilter(filter: AuditFilter): void
}) {
  const t = useTranslations('audit')
  const finding = useTranslations('finding')
  const clients = useEveryClient().data ?? []
  const set = (part: AuditFilter) =>
    onFilter(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value)))
  return (
    <search className="audit-filters" aria-label={t('filters')}>
      <NativeSelect
        label={t('client')}
        data={[
          { value: '', label: t('anyClient') },
          ...clients.map(({ clientId, name }) => ({ value: clientId, label: name })),
        ]}
        value={filter.client ?? ''}
        onChange={(event) => set({ client: event.currentTarget.value })}
      />
      <WhoSelect who={filter.who} onWho={(who) => set({ who })} />
      <NativeSelect
        label={t('what')}
        data={[
          { value: '', label: t('anything') },
          ...kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        ]}
        value={filter.kind ?? ''}
        onChange={(event) => set({ kind: event.currentTarget.value as Kind })}
      />
      <DayField
        label={t('from')}
        value={filter.from ?? ''}
        max={filter.to}
        error={areReversed(filter) && finding('reversed')}
        onDay={(from) => set({ from })}
      />
      <DayField
        label={t('to')}
        value={filter.to ?? ''}
        min={filter.from}
        error={areReversed(filter)}
        onDay={(to) => set({ to })}
      />
      <ThingInput thing={filter.thing} onThing={(thing) => set({ thing })} />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" onClick={() => onFilter({})}>
          {t('clear')}
        </Button>
      )}
    </search>
  )
}

/** People, then keys. One who is gone can still be looked for: by the address, or from a row of theirs. */
function WhoSelect({ who, onWho }: { who: string | undefined; onWho(who: string): void }) {
  const t = useTranslations('audit')
  const users = useUsers().data ?? []
  const keys = useApiKeys().data ?? []
  const people = users.map(({ userId, name }) => ({ value: userId, label: name }))
  const agents = keys.map(({ keyId, name }) => ({ value: keyId, label: name }))
  const known = [...people, ...agents, { value: 'system', label: t('principals.system') }]
  return (
    <NativeSelect
      label={t('who')}
      data={[
        { value: '', label: t('anybody') },
        ...known,
        ...(who && !known.some(({ value }) => value === who) ? [{ value: who, label: who }] : []),
      ]}
      value={who ?? ''}
      onChange={(event) => onWho(event.currentTarget.value)}
    />
  )
}

/** Taken on Enter or on leaving the field: a half-typed id fits nothing. */
function ThingInput({ thing = '', onThing }: { thing: string | undefined; onThing(thing: string): void }) {
  const t = useTranslations('audit')
  const [typed, setTyped] = useState(thing)
  useEffect(() => setTyped(thing), [thing])
  return (
    <TextInput
      className="audit-thing"
      label={t('thing')}
      placeholder={t('thingHint')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => typed.trim() !== thing && onThing(typed.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onThing(typed.trim())}
    />
  )
}
