import { ActionIcon, Tooltip } from '@mantine/core'
import { Ellipsis, GalleryVerticalEnd, Plus } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { useCollections } from './collections.ts'
import './collections.css'

/** The collections of the library, under its folders. */
export function CollectionList({
  here,
  onOpen,
  onMenu,
  onNew,
}: {
  /** The one that is open. */
  here: string | undefined
  onOpen(collectionId: string): void
  onMenu(collectionId: string, spot: { x: number; y: number }): void
  onNew(): void
}) {
  const t = useTranslations('collections')
  const actions = useTranslations('tile')
  const format = useFormatter()
  const { can } = useLibrary()
  const { data: collections = [] } = useCollections()
  const mayWrite = can('assets:write')
  if (collections.length === 0 && !mayWrite) return null

  function menuOf(event: MouseEvent, collectionId: string) {
    event.preventDefault()
    event.stopPropagation()
    const { right, bottom } = event.currentTarget.getBoundingClientRect()
    const isClick = event.type === 'click'
    onMenu(collectionId, isClick ? { x: right, y: bottom } : { x: event.clientX, y: event.clientY })
  }

  return (
    <section className="collection-list" aria-labelledby="collections-title">
      <div className="collection-head">
        <h2 id="collections-title">{t('title')}</h2>
        {mayWrite && (
          <Tooltip label={t('new')}>
            <ActionIcon onClick={onNew} aria-label={t('new')}>
              <Plus size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <ul>
        {collections.map(({ collectionId, name, assetCount }) => (
          <li key={collectionId}>
            <button
              type="button"
              className="tree-place"
              aria-current={here === collectionId ? 'page' : undefined}
              data-drop-collection={mayWrite ? collectionId : undefined}
              onClick={() => onOpen(collectionId)}
              onContextMenu={(event) => menuOf(event, collectionId)}
            >
              <GalleryVerticalEnd size={16} aria-hidden />
              <span className="collection-name" title={name}>
                {name}
              </span>
              <span className="collection-count" title={t('count', { count: assetCount })}>
                {format.number(assetCount)}
              </span>
            </button>
            <ActionIcon
              className="collection-more"
              aria-label={actions('actions', { title: name })}
              onClick={(event) => menuOf(event, collectionId)}
            >
              <Ellipsis size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  )
}
