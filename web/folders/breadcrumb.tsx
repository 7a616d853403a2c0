import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Place } from '../library/place.ts'
import type { Tree } from './folders.ts'

/** The way from the top of the library to where the person is. */
export function Breadcrumb({ place, tree }: { place: Place; tree: Tree }) {
  const t = useTranslations('library')
  const steps = [
    { folder: undefined as string | undefined, name: t('root') },
    ...tree.path(place.folder).map(({ folderId, name }) => ({ folder: folderId as string, name })),
  ]
  if (place.folder === 'trash') steps.splice(0, 1, { folder: 'trash', name: t('trash') })
  return (
    <nav aria-label={t('path')} className="breadcrumb-nav">
      <ol className="breadcrumb">
        {steps.map(({ folder, name }, index) => {
          const last = index === steps.length - 1
          return (
            <li key={folder ?? 'top'}>
              {index > 0 && <ChevronRight size={16} aria-hidden />}
              {last ? (
                <span aria-current="page" title={name}>
                  {name}
                </span>
              ) : (
                <Link
                  to="."
                  search={((now: Place) => ({ view: now.view, sort: now.sort, folder })) as never}
                  data-drop-folder={folder ?? 'top'}
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
