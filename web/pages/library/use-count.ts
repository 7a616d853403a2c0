import { useTranslations } from 'use-intl'
import { pageSize } from '../../library/patch.ts'
import type { PageState } from './use-page-state.ts'

/** How many assets are shown, in words, once that is known. */
export function useCount({ isLoading, error, order, assets, isCounted, isAtLeast }: PageState['list']) {
  const t = useTranslations('library')
  if (isLoading || error || order.length === 0 || !isCounted) return null
  const count = assets.length
  return isAtLeast
    ? t('assetCountAtLeast', { count: count - (count % pageSize) })
    : t('assetCount', { count })
}
