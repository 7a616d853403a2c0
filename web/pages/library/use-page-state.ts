import { useRef, useState } from 'react'
import type { GridHandle } from '../../assets/asset-grid.tsx'
import { useAssetList } from '../../assets/asset-list.ts'
import { useChoosing } from '../../assets/use-choosing.ts'
import { useCollections } from '../../collections/collections.ts'
import { useFolderCounts } from '../../folders/counts.ts'
import { useFolderTree } from '../../folders/folders.ts'
import { useLibrary } from '../../library/library.tsx'
import { looksEverywhere, looksFurther } from '../../library/place.ts'
import {
  chosenCount,
  isEverything,
  isFolderId,
  useSelectedIds,
  useSelection,
} from '../../library/selection.ts'
import type { Dialog, OpenedMenu } from './overlays.ts'
import { useAddress } from './use-address.ts'
import { useHere } from './use-here.ts'
import { useLayout } from './use-layout.ts'
import { useQuickLook } from './use-quick-look.ts'

export type PageState = ReturnType<typeof usePageState>

/** What the library page shows: where the person is, what is there, what is chosen of it and what is open over it. */
export function usePageState() {
  const { can, frame } = useLibrary()
  const tree = useFolderTree()
  const { data: collections } = useCollections()
  const here = useHere(tree)
  const layout = useLayout(here.place, here.go)
  const list = useList(here)
  const choosing = useChoosing(list)
  const selection = useSelection()
  const selected = useSelectedIds()
  const selectedIds = [...selected]
  const selectedCount = chosenCount(selectedIds)
  const onlyId = selectedIds.length === 1 && !selectedIds.some(isEverything) ? selectedIds[0]! : null
  const shownAsset = onlyId && !isFolderId(onlyId) ? onlyId : null
  const grid = useRef<GridHandle>(null)
  const search = useRef<HTMLInputElement>(null)
  const focusGrid = () => void requestAnimationFrame(() => grid.current?.focus())
  function goOnFrom(assetId: string) {
    if (list.indexOf(selection.focus) < 0 && list.indexOf(assetId) >= 0) selection.focusOn(assetId)
    focusGrid()
  }
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [menu, setMenu] = useState<OpenedMenu | null>(null)
  const quickLook = useQuickLook(here.place, here.go, goOnFrom)
  const address = useAddress({
    ...here,
    order: list.order,
    isRead: list.isSettled,
    placeOf: choosing.placeOf,
    shownAsset,
    grid,
    onArrive: () => layout.showDetails(true),
  })
  return {
    tree,
    collections,
    here,
    layout,
    list,
    choosing,
    selection,
    selectedIds,
    selectedCount,
    onlyId,
    shownAsset,
    grid,
    search,
    focusGrid,
    dialog: quickLook.looking ? { kind: 'look' as const, assetId: quickLook.looking } : dialog,
    setDialog,
    menu,
    setMenu,
    quickLook,
    address,
    may: {
      write: can('assets:write') && !here.isTrash,
      shape: can('folders:write') && !here.isTrash && !here.place.collection,
      delete: can('assets:delete') && !here.isTrash,
      deliver: frame === 'admin' && can('deliveries:write'),
    },
  }
}

/** What is at this place, with how many assets its folders hold. */
function useList({ place, folderId, isTrash }: ReturnType<typeof useHere>) {
  const list = useAssetList(place)
  const isMixed = looksFurther(list.place) && !isTrash
  const parentId = isTrash ? (place.inside ?? null) : folderId
  const countIn = useFolderCounts(parentId, isTrash, !isMixed && list.folders.length > 0)
  const isSettled = !list.isLoading && !list.isStale
  return {
    ...list,
    countIn,
    /** It was found in the whole library, not in the folder one is in. */
    isEverywhere: folderId !== null && looksEverywhere(list.place),
    /** It may come from many folders. */
    isMixed,
    isSettled,
    isEmpty: !list.isLoading && !list.error && list.order.length === 0,
  }
}
