import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import type { Uploaders } from '../../contract/assets.ts'
import { api } from '../api.ts'
import { keys } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import type { Place } from '../library/place.ts'
import { useMe } from '../session.ts'

/** Who uploaded something, oneself first. */
export function useUploaders() {
  const library = useLibrary()
  const me = useMe()
  const t = useTranslations('finding')
  const { data = [] } = useQuery({
    queryKey: keys.uploaders(library),
    queryFn: async ({ signal }) =>
      (await api.get<Uploaders>(`${library.base}/uploaders`, { signal })).uploaders,
  })
  const named = data.map(({ uploader, name }) => ({
    value: uploader,
    label: uploader === me?.id ? t('me') : (name ?? t('somebody')),
  }))
  return named.sort((a, b) => Number(b.value === me?.id) - Number(a.value === me?.id))
}

const megabyte = 1_000_000
/** What people mean by the size of a file. */
export const fileSizes: Record<string, Pick<Place, 'minBytes' | 'maxBytes'>> = {
  'under-1': { maxBytes: megabyte },
  'over-1': { minBytes: megabyte },
  'over-10': { minBytes: 10 * megabyte },
  'over-100': { minBytes: 100 * megabyte },
}
export const widths = [1080, 1920, 3840]

/** The filters of the panel that are on, each in words and with what takes it away. */
export function useActiveFilters(place: Place): { label: string; without: Partial<Place> }[] {
  const t = useTranslations('finding')
  const format = useFormatter()
  const uploaders = useUploaders()
  const day = (of: string) =>
    format.dateTime(new Date(`${of}T12:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' })
  const size = (bytes: number) => `${format.number(bytes / megabyte, { maximumFractionDigits: 1 })} MB`
  const uploader = uploaders.find(({ value }) => value === place.uploader)?.label ?? t('somebody')
  const filters: [label: string, ...names: (keyof Place)[]][] = []
  if (place.uploader) filters.push([t('byUploader', { name: uploader }), 'uploader'])
  if (place.from) filters.push([t('fromDay', { day: day(place.from) }), 'from'])
  if (place.to) filters.push([t('toDay', { day: day(place.to) }), 'to'])
  if (place.orientation) filters.push([t(`orientations.${place.orientation}`), 'orientation'])
  if (place.ratio) filters.push([place.ratio, 'ratio'])
  if (place.minBytes) filters.push([t('over', { size: size(place.minBytes) }), 'minBytes'])
  if (place.maxBytes) filters.push([t('under', { size: size(place.maxBytes) }), 'maxBytes'])
  if (place.minWidth) filters.push([t('wide', { width: place.minWidth }), 'minWidth'])
  if (place.used) filters.push([t(place.used === 'yes' ? 'used' : 'unused'), 'used'])
  return filters.map(([label, ...names]) => ({
    label,
    without: Object.fromEntries(names.map((name) => [name, undefined])),
  }))
}
