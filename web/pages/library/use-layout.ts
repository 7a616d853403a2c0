import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { Place } from '../../library/place.ts'
import type { usePlace } from '../../library/use-place.ts'
import { useTileSize } from './tile-size.tsx'

/** What of the page is shown and how: what there is room for, what the person chose, and what is remembered of it. */
export function useLayout(place: Place, go: ReturnType<typeof usePlace>['go']) {
  const [treeShown, setTreeShown] = useState(false)
  const [detailsRemembered, rememberDetails] = useLocalStorage({
    key: 'asset-library:details',
    defaultValue: false,
  })
  const [viewRemembered, rememberView] = useLocalStorage<'grid' | 'list'>({
    key: 'asset-library:view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  })
  const hasRoomForDetails = useMediaQuery('(width >= 992px)', true, { getInitialValueInEffect: false })
  const hasRoomForTree = useMediaQuery('(width >= 768px)', true, { getInitialValueInEffect: false })
  const [detailsDrawer, setDetailsDrawer] = useState(false)
  const [tileSize, setTileSize] = useTileSize()
  return {
    hasRoomForDetails,
    hasRoomForTree,
    /** In a drawer, where there is no room for it. */
    treeShown,
    setTreeShown,
    detailsShown: hasRoomForDetails ? detailsRemembered : detailsDrawer,
    showDetails: hasRoomForDetails ? rememberDetails : setDetailsDrawer,
    tileSize,
    setTileSize,
    view: place.view ?? viewRemembered,
    setView(view: 'grid' | 'list') {
      rememberView(view)
      go({ view }, { replace: true })
    },
  }
}
