import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import type { TagList, Uploaders } from '../../contract/assets.ts'
import { endingsOf } from '../../contract/media-types.ts'
import { api, query } from '../api.ts'
import { keys } from '../library/cache.ts'
import { type Library, useLibrary } from '../library/library.tsx'
import { type Place, tagsOf } from '../library/place.ts'
import { useMe } from '../session.ts'
import { useRatioText } from '../words/ratio.ts'
import { activeFilters } from './active.ts'
import { quickFilters } from './quick-filters.ts'
import { useQuickWords } from './quick-words.ts'

const noUploaders: Uploaders['uploaders'] = []

function useReadUploaders(enabled = true) {
  const library = useLibrary()
  const { data = noUploaders } = useQuery({
    queryKey: keys.uploaders(library),
    queryFn: async ({ signal }) =>
      (await api.get<Uploaders>(`${library.base}/uploaders`, { signal })).uploaders,
    enabled,
  })
  return data
}

/** Who uploaded something, oneself first. */
export function useUploaders() {
  const me = useMe()
  const t = useTranslations('finding')
  const named = useReadUploaders().map(({ uploader, name }) => ({
    value: uploader,
    label: uploader === me?.id ? t('me') : (name ?? t(unnamed(uploader))),
  }))
  return named.sort((a, b) => Number(b.value === me?.id) - Number(a.value === me?.id))
}

/** Who has no name here: the library made it, a guest sent it, or the account is gone. */
const unnamed = (uploader: string) =>
  madeByLibrary.includes(uploader) ? 'library' : uploader.startsWith('request_') ? 'guest' : 'formerUser'
const madeByLibrary = ['system', 'command-line']

/** The tags that begin like this, the most frequent first. */
export function useTags(begin: string) {
  const { data = [] } = useQuery({ ...tagsQuery(useLibrary(), begin), placeholderData: (before) => before })
  return data
}

/** The same for whoever is too quick to have seen them. */
export function useReadTags() {
  const library = useLibrary()
  const client = useQueryClient()
  return (begin: string) => client.fetchQuery(tagsQuery(library, begin))
}

const tagsQuery = ({ base }: Library, begin: string) =>
  queryOptions({
    queryKey: [base, 'tags', begin],
    queryFn: async ({ signal }) =>
      (await api.get<TagList>(`${base}/tags${query({ q: begin || undefined })}`, { signal })).tags,
    staleTime: 10_000,
  })

export const typeName = (mimeType: string) => (endingsOf(mimeType)[0] ?? mimeType).toUpperCase()

const megabyte = 1_000_000
/** What people mean by the size of a file. */
export const fileSizes: Record<string, Pick<Place, 'minBytes' | 'maxBytes'>> = {
  'under-1': { maxBytes: megabyte },
  'over-1': { minBytes: megabyte },
  'over-10': { minBytes: 10 * megabyte },
  'over-100': { minBytes: 100 * megabyte },
}
export const widths = [1080, 1920, 3840]
export const heights = [1080, 1350, 1920]

/** The filters that are on beside the quick ones, each in words and with what takes it away. */
export function useActiveFilters(place: Place): { label: string; without: Partial<Place> }[] {
  const t = useTranslations('finding')
  const review = useTranslations('review.states')
  const format = useFormatter()
  const me = useMe()
  const ratio = useRatioText()
  const uploaders = useReadUploaders(!!place.uploader)
  const size = (bytes: number) => `${format.number(bytes / megabyte, { maximumFractionDigits: 1 })} MB`
  const filters = activeFilters(place, {
    byFolder: () => t('byFolder'),
    uploader: (id) => {
      const name = uploaders.find(({ uploader }) => uploader === id)?.name
      const who = id === me?.id ? 'me' : name ? 'named' : unnamed(id)
      return t('byUploader', { who, name: name ?? '' })
    },
    day: (day) => format.dateTime(new Date(`${day}T12:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' }),
    from: (day) => t('fromDay', { day }),
    to: (day) => t('toDay', { day }),
    orientation: (is) => t(`orientations.${is}`),
    ratio,
    approval: (is) => review(is),
    type: typeName,
    over: (bytes) => t('over', { size: size(bytes) }),
    under: (bytes) => t('under', { size: size(bytes) }),
    wide: (width) => t('wide', { width }),
    high: (height) => t('high', { height }),
    used: (is) => t(is ? 'used' : 'unused'),
    duplicates: (is) => t(is ? 'twice' : 'once'),
  })
  return filters.map(({ label, name }) => ({ label, without: { [name]: undefined } }))
}

/** All that narrows a list down beside words, each in words. */
export function useFilterWords(place: Place): string[] {
  const quickWords = useQuickWords()
  const active = useActiveFilters(place)
  const quick = quickFilters.flatMap((is) => {
    const [[name, value]] = Object.entries(is) as [[keyof Place, string]]
    return place[name] === value ? quickWords[value]! : []
  })
  return [...tagsOf(place), ...quick, ...active.map(({ label }) => label)]
}
