import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Copy, Table2, X } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../../contract/assets.ts'
import { CollectionList } from '../../collections/collection-list.tsx'
import { SavedSearchList } from '../../finding/saved-search-list.tsx'
import { useOpenSearches } from '../../finding/saved-searches.ts'
import { FolderTree } from '../../folders/folder-tree.tsx'
import { useLibrary } from '../../library/library.tsx'
import { partOf } from '../../ui/part.ts'
import type { LibraryPage } from './use-commands.ts'

const Details = partOf(() => import('../../assets/details.tsx'), 'Details')
const drawers = () => import('./drawers.tsx')
const TreeDrawer = partOf(drawers, 'TreeDrawer')
const DetailsDrawer = partOf(drawers, 'DetailsDrawer')
const AssetAgents = partOf(() => import('../../deliveries/asset-agents.tsx'), 'AssetAgents')

const InCollections = partOf(() => import('../../collections/in-collections.tsx'), 'InCollections')
const SuggestedTexts = partOf(() => import('../../suggestions/suggested-texts.tsx'), 'SuggestedTexts')
const AssetReview = partOf(() => import('../../review/asset-review.tsx'), 'AssetReview')

interface PanelProps {
  page: LibraryPage
}

/** The folders: a column, or a drawer where the page has no room for one. */
export function TreePanel({ page }: PanelProps) {
  const { tree, here, layout, list, commands } = page
  const t = useTranslations('library')
  const actions = useTranslations('actions')
  const { frame, clientId } = useLibrary()
  const isSearch = useOpenSearches(here.place).length > 0
  const panel = (
    <FolderTree
      tree={tree}
      place={list.isEverywhere ? { ...here.place, folder: undefined } : here.place}
      isElsewhere={!!here.collectionId || isSearch}
      onOpen={commands.openFolder}
      onMenu={commands.openTreeMenu}
      onMove={(id) => commands.move([id])}
      onTrash={(id) => commands.trash([id])}
    >
      <CollectionList
        here={here.place.collection}
        onOpen={commands.openCollection}
        onMenu={commands.openTreeMenu}
        onNew={() => commands.dialog({ kind: 'name-collection' })}
      />
      <SavedSearchList place={here.place} onGo={commands.openSearch} />
      <Link
        className="tree-place"
        to={frame === 'admin' ? '/clients/$clientId/duplicates' : '/portal/duplicates'}
        params={{ clientId }}
      >
        <Copy size={18} aria-hidden />
        {t('duplicates')}
      </Link>
      {!layout.hasRoomForTree && !here.isTrash && (
        <button type="button" className="tree-place" onClick={commands.openTexts}>
          <Table2 size={18} aria-hidden />
          {actions('texts')}
        </button>
      )}
    </FolderTree>
  )
  if (layout.hasRoomForTree) return <aside className="tree-column">{panel}</aside>
  return (
    <Suspense>
      <TreeDrawer opened={layout.treeShown} onClose={() => layout.setTreeShown(false)}>
        {panel}
      </TreeDrawer>
    </Suspense>
  )
}

/** The details of what is selected: a column, or a drawer where the page has no room for one. */
export function DetailsPanel({ page }: PanelProps) {
  const t = useTranslations('library')
  const app = useTranslations('app')
  const { layout, commands } = page
  const panel = <DetailsOf page={page} assetId={page.shownAsset} />
  if (!layout.hasRoomForDetails)
    return (
      <Suspense>
        <DetailsDrawer opened={layout.detailsShown} onClose={commands.closeDetails}>
          {panel}
        </DetailsDrawer>
      </Suspense>
    )
  if (!layout.detailsShown) return null
  return (
    <aside className="details-column" aria-label={t('details')}>
      <div className="details-head">
        <h2>{t('details')}</h2>
        <ActionIcon onClick={() => layout.showDetails(false)} aria-label={app('close')}>
          <X size={18} />
        </ActionIcon>
      </div>
      {panel}
    </aside>
  )
}

export function DetailsOf({
  page,
  assetId,
  isLarge = false,
  onDecided,
}: PanelProps & {
  assetId: string | null
  isLarge?: boolean
  onDecided?: ((asset: Asset) => void) | undefined
}) {
  const { tree, here, commands } = page
  return (
    <Suspense>
      <Details
        assetId={assetId}
        selectedCount={page.selectedCount}
        tree={tree}
        collections={(asset) => (
          <Suspense>
            <InCollections asset={asset} onOpen={commands.openCollection} />
          </Suspense>
        )}
        suggestions={(asset) => (
          <Suspense>
            <SuggestedTexts asset={asset} />
          </Suspense>
        )}
        review={(asset) => (
          <Suspense>
            <AssetReview
              asset={asset}
              isLarge={isLarge}
              isWanted={isLarge && here.place.panel === 'review'}
              onDecided={onDecided}
            />
          </Suspense>
        )}
        agents={(asset) => (
          <Suspense>
            <AssetAgents asset={asset} />
          </Suspense>
        )}
        onQuickLook={page.quickLook.look}
        onShow={commands.showAsset}
        onTag={commands.showTag}
      />
    </Suspense>
  )
}
