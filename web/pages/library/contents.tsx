import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { AssetGrid } from '../../assets/asset-grid.tsx'
import { inTrash, isByHand, mayLookByFolder, placeKeyOf, unaskedSort } from '../../library/place.ts'
import { EmptyList, ListError, ListSkeleton, OnlyFolders } from './list-state.tsx'
import type { LibraryPage } from './use-commands.ts'

/** What is here: folders and assets, or why there are none to be seen. */
export function Contents({ page }: { page: LibraryPage }) {
  const t = useTranslations('library')
  const app = useTranslations('app')
  const { tree, here, layout, list, choosing, commands } = page
  const { go } = here
  const { place } = list
  const shownKey = placeKeyOf(place)
  const isTrash = inTrash(place)
  if (list.error) return <ListError error={list.error} place={place} onGo={go} onRetry={() => list.retry()} />
  if (list.isLoading) return <ListSkeleton view={layout.view} />
  if (list.isEmpty)
    return (
      <EmptyList
        place={place}
        collection={here.collection?.name}
        isGone={page.collections !== undefined && !here.collection}
        onGo={go}
        onUpload={commands.upload}
      />
    )
  return (
    <AssetGrid
      key={shownKey}
      ref={page.grid}
      label={list.isEverywhere ? t('resultsEverywhere') : t('gridLabel', { place: here.name })}
      view={layout.view}
      tileWidth={layout.tileSize}
      placeKey={shownKey}
      sort={isByHand(place) ? undefined : (place.sort ?? unaskedSort(place, list.isUnranked))}
      folders={list.folders}
      countIn={list.countIn}
      assets={list.assets}
      order={list.order}
      q={list.search.q}
      byFolder={list.byFolder}
      byMeaning={list.byMeaning}
      mergedInto={list.mergedInto}
      indexOf={list.indexOf}
      assetOf={list.assetOf}
      tree={tree}
      isMixed={list.isMixed || (isTrash && (!place.inside || !!place.q))}
      isTrash={isTrash}
      isAtLeast={list.isAtLeast}
      onNeed={list.need}
      onChoose={choosing.these}
      onChooseTo={choosing.rangeTo}
      onSort={(sort) => go({ sort })}
      onOpen={commands.open}
      onQuickLook={page.quickLook.look}
      onTag={commands.showTag}
      onMenu={commands.openMenu}
    >
      {list.assets.length === 0 && mayLookByFolder(place) && !list.byFolder && (
        <OnlyFolders count={list.folders.length} onGo={go} />
      )}
      {list.pagesFailed && (
        <div className="more-failed">
          <Button variant="default" onClick={list.retryPages}>
            {app('retry')}
          </Button>
        </div>
      )}
    </AssetGrid>
  )
}
