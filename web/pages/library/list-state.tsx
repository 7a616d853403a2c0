import { Button } from '@mantine/core'
import { CloudOff, FolderX, GalleryVerticalEnd, SearchX, Trash2, Upload } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { isProblem } from '../../api.ts'
import { useFoundInTrash } from '../../assets/asset-list.ts'
import { useTrashedFolder } from '../../folders/folders.ts'
import { useLibrary } from '../../library/library.tsx'
import {
  countFilters,
  inTrash,
  intoTrash,
  isFiltered,
  type Place,
  queryOf,
  withoutFilters,
  withoutWords,
} from '../../library/place.ts'
import { useTrashDays } from '../../library/use-trash-days.ts'
import { areReversed } from '../../ui/days.ts'
import { Nothing } from '../../ui/list-notes.tsx'
import { useProblemText } from '../../words/problem-text.ts'

export function EmptyList({
  place,
  collection,
  isGone,
  onGo,
  onUpload,
}: {
  place: Place
  /** The name of the collection that is looked at. */
  collection: string | undefined
  /** The collection that the address names. */
  isGone: boolean
  onGo(to: Partial<Place>): void
  onUpload(): void
}) {
  const t = useTranslations('library')
  const uploads = useTranslations('uploads')
  const collections = useTranslations('collections')
  const finding = useTranslations('finding')
  const { can } = useLibrary()
  const days = useTrashDays()
  const trashed = useFoundInTrash(place)
  if (isFiltered(place)) {
    const isPart = queryOf(place).folderId !== undefined || !!place.collection
    const hasFilters = countFilters(place) > 0
    const whyNothing = () => {
      if (areReversed(place)) return finding('reversed')
      if (collection) return t('noMatchInCollection', { collection })
      if (queryOf(place).folderId) return t('noMatchHere')
      if (!hasFilters) return t('noWordsMatch')
      return t(place.q ? 'noMatchText' : 'noFiltersMatch')
    }
    return (
      <Nothing fills icon={<SearchX size={32} />} title={t('noMatchTitle')} text={whyNothing()}>
        {trashed > 0 && (
          <Button leftSection={<Trash2 size={16} />} onClick={() => onGo(intoTrash)}>
            {t('foundInTrash', { count: trashed })}
          </Button>
        )}
        {isPart && (
          <Button
            variant="default"
            onClick={() => onGo({ folder: undefined, collection: undefined, scope: undefined })}
          >
            {t('lookEverywhere')}
          </Button>
        )}
        {hasFilters && (
          <Button variant="default" onClick={() => onGo(withoutFilters(place))}>
            {t('clearFilters')}
          </Button>
        )}
        {place.q && (
          <Button variant="default" onClick={() => onGo(withoutWords)}>
            {t('clearSearch')}
          </Button>
        )}
      </Nothing>
    )
  }
  if (place.collection)
    return (
      <Nothing
        fills
        icon={<GalleryVerticalEnd size={32} />}
        title={collections(isGone ? 'goneTitle' : 'emptyTitle')}
        text={isGone ? undefined : collections('emptyText')}
      >
        {isGone && <Button onClick={() => onGo({ collection: undefined })}>{t('toLibrary')}</Button>}
      </Nothing>
    )
  if (inTrash(place) && !place.inside)
    return (
      <Nothing
        fills
        icon={<Trash2 size={32} />}
        title={t('emptyTrashTitle')}
        text={days === null ? undefined : t('emptyTrashText', { days })}
      />
    )
  if (!can('assets:write') || inTrash(place))
    return (
      <Nothing fills icon={<Upload size={32} />} title={t('emptyReadOnlyTitle')} text={t('emptyReadOnly')} />
    )
  return (
    <Nothing
      fills
      icon={<Upload size={32} />}
      title={place.folder ? t('emptyTitle') : t('welcomeTitle')}
      text={place.folder ? t('emptyText') : t('welcomeText')}
    >
      <Button onClick={onUpload}>{uploads('upload')}</Button>
    </Nothing>
  )
}

/** Words found folders alone: what is in them is a click away. */
export function OnlyFolders({ count, onGo }: { count: number; onGo(to: Partial<Place>): void }) {
  const t = useTranslations('finding')
  return (
    <div className="only-folders">
      <p>{t('onlyFolders')}</p>
      <Button onClick={() => onGo({ byFolder: true })}>{t('inFolders', { count })}</Button>
    </div>
  )
}

export function ListError({
  error,
  place,
  onGo,
  onRetry,
}: {
  error: unknown
  place: Place
  onGo(to: Partial<Place>): void
  onRetry(): void
}) {
  const t = useTranslations('library')
  const app = useTranslations('app')
  const problemText = useProblemText()
  if (isProblem(error, 'not-found') && !place.folder)
    return <Nothing fills icon={<FolderX size={32} />} title={t('foreignTitle')} text={t('foreignText')} />
  if (isProblem(error, 'not-found')) return <FolderGone place={place} onGo={onGo} />
  return (
    <Nothing fills icon={<CloudOff size={32} />} title={t('errorTitle')} text={problemText(error)}>
      <Button onClick={onRetry}>{app('retry')}</Button>
    </Nothing>
  )
}

/** A folder that is not there may lie in the trash. */
function FolderGone({ place: { folder, inside }, onGo }: { place: Place; onGo(to: Partial<Place>): void }) {
  const t = useTranslations('library')
  const { trashed, isAsked } = useTrashedFolder(inside ?? folder!)
  const toLibrary = (
    <Button
      variant={trashed ? 'default' : undefined}
      onClick={() => onGo({ folder: undefined, inside: undefined })}
    >
      {t('toLibrary')}
    </Button>
  )
  if (isAsked) return null
  if (!trashed)
    return (
      <Nothing fills icon={<FolderX size={32} />} title={t('folderGoneTitle')} text={t('folderGoneText')}>
        {toLibrary}
      </Nothing>
    )
  return (
    <Nothing fills icon={<Trash2 size={32} />} title={t('trashedFolder', { name: trashed.name })}>
      <Button onClick={() => onGo({ folder: 'trash', inside: trashed.folderId })}>{t('lookThere')}</Button>
      {toLibrary}
    </Nothing>
  )
}

const spots = Array.from({ length: 12 }, (_, spot) => spot)

export const ListSkeleton = ({ view }: { view: 'grid' | 'list' }) => (
  <div className={view === 'list' ? 'skeletons skeletons-list' : 'skeletons'} aria-hidden>
    {spots.map((spot) => (
      <span key={spot} />
    ))}
  </div>
)
