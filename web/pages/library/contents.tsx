import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { AssetGrid } from '../../assets/asset-grid.tsx'
import { isByHand } from '../../library/place.ts'
import { EmptyList, ListError, ListSkeleton } from './list-state.tsx'
import type { LibraryPage } from './use-commands.ts'

/** What is here: folders and assets, or why there are none to be seen. */
export function Contents({ page }: { page: LibraryPage }) {
  const t = useTranslations('library')
  const app = useTranslations('app')
  const { tree, here, layout, list, choosing, commands } = page
  const { place, go } = here
  const shownKey = useSettled(here.placeKey, !list.isStale)
  if (list.error) return <ListError error={list.error} place={place} onGo={go} onRetry={() => list.retry()} />
  if (list.isLoading) return <ListSkeleton view={layout.view} />
  if (list.isEmpty)
    return (
      <EmptyList
        place={place}
        isGone={page.collections !== undefined && !here.collection}
        onGo={go}
        onUpload={commands.upload}
      />
    )
  return (
    <AssetGrid
      key={shownKey}
      ref={page.grid}
      label={t('gridLabel', { place: here.name })}
      view={layout.view}
      tileWidth={layout.tileSize}
      placeKey={shownKey}
      sort={isByHand(place) ? undefined : (place.sort ?? 'newest')}
      folders={list.folders}
      countIn={list.countIn}
      assets={list.assets}
      order={list.order}
      byMeaning={list.byMeaning}
      indexOf={list.indexOf}
      assetOf={list.assetOf}
      tree={tree}
      isMixed={here.isMixed}
      isAtLeast={list.isAtLeast}
      isStale={list.isStale}
      onNeed={list.need}
      onChoose={choosing.these}
      onChooseTo={choosing.rangeTo}
      onSort={(sort) => go({ sort })}
      onOpen={commands.open}
      onQuickLook={page.quickLook.look}
      onTag={commands.showTag}
      onMenu={commands.openMenu}
    >
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

/** What it was when it had last settled: what is looked for stays on the screen until it is found. */
function useSettled<Value>(value: Value, isSettled: boolean): Value {
  const [settled, setSettled] = useState(value)
  if (isSettled && settled !== value) setSettled(value)
  return isSettled ? value : settled
}
