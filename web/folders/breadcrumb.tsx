import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { FolderStep } from '../../contract/folders.ts'
import type { Place } from '../library/place.ts'
import type { Tree } from './folders.ts'

type Step = Pick<Place, 'folder' | 'inside'> & { name: string }

/** The way from the top of the library, or of the trash, to where the person is. */
export function Breadcrumb({
  place,
  tree,
  trashed,
  collection,
  isEverywhere,
}: {
  place: Place
  tree: Tree
  /** The folders of the trash that are looked into. */
  trashed: FolderStep[]
  /** The name of the collection that is looked at. */
  collection: string | undefined
  /** What is shown was found in the whole library. */
  isEverywhere: boolean
}) {
  const t = useTranslations('library')
  const steps: Step[] = isEverywhere
    ? [{ name: t('resultsEverywhere') }]
    : place.folder === 'trash'
      ? [
          { folder: 'trash', name: t('trash') },
          ...trashed.map(({ folderId, name }) => ({ folder: 'trash', inside: folderId, name })),
        ]
      : [
          { name: t('root') },
          ...(place.collection
            ? [{ folder: place.collection, name: collection ?? '…' }]
            : tree.path(place.folder).map(({ folderId, name }) => ({ folder: folderId, name }))),
        ]
  return (
    <nav aria-label={t('path')} className="breadcrumb-nav">
      <ol className="breadcrumb">
        {steps.map(({ folder, inside, name }, index) => {
          const last = index === steps.length - 1
          return (
            <li key={inside ?? folder ?? 'top'}>
              {index > 0 && <ChevronRight size={16} aria-hidden />}
              {last ? (
                <span aria-current="page" title={name}>
                  {name}
                </span>
              ) : (
                <Link
                  to="."
                  search={((now: Place) => ({ view: now.view, sort: now.sort, folder, inside })) as never}
                  data-drop-folder={folder === 'trash' ? undefined : (folder ?? 'top')}
                >
                  <ChevronLeft className="breadcrumb-back" size={20} aria-hidden />
                  <span>{name}</span>
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
