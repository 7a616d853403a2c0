import { useTranslations } from 'use-intl'
import type { Activity } from '../../contract/activity.ts'
import { useMe } from '../session.ts'
import type { Words } from '../words/en.ts'

type Field = keyof Words['fields']

/** Who did it, as the person who reads may know them. */
export function useActor() {
  const t = useTranslations('activity')
  const me = useMe()
  return ({ by }: Activity): string => {
    if (by.id !== null && by.id === me?.id) return t('you')
    if (by.kind === 'user' || by.kind === 'key') return by.name ?? t('somebody')
    // The name they gave, or that of the link through which they came.
    if (by.kind === 'nobody' && by.name) return t('guest', { name: by.name })
    return t(`by.${by.kind}`)
  }
}

/** What was changed, by the names that the fields have here. */
export function useChanged() {
  const fields = useTranslations('fields')
  const surfaces = useTranslations('surfaces')
  const t = useTranslations('activity')
  return ({ changed }: Activity): string =>
    changed
      .map((name) => {
        if (name === 'allowedSurfaces') return surfaces('label')
        if (name === 'folderId') return t('place')
        return fields.has(name as Field) ? fields(name as Field) : undefined
      })
      .filter(Boolean)
      .join(', ')
}
