import { useTranslations } from 'use-intl'
import type { Speaker } from '../../contract/assets.ts'
import { useMe } from '../session.ts'

/** How somebody is called who said something. */
export function useSpeaker() {
  const t = useTranslations('review')
  const me = useMe()
  return ({ kind, id, name }: Speaker): string => {
    if (id !== null && id === me?.id) return t('you')
    if (kind === 'guest') return t('guest', { name: name ?? '' })
    if (kind === 'key') return t('agent')
    return name ?? t('somebody')
  }
}
