import { ActionIcon, Button } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { FolderPlus, PanelLeft, WifiOff, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { isProblem } from '../api.ts'
import { AssetGrid, type GridHandle } from '../assets/asset-grid.tsx'
import { useAssetList, useReadAhead } from '../assets/assets.ts'
import { useConflict } from '../assets/conflicts.ts'
import { Details } from '../assets/details.tsx'
import { FolderTree } from '../folders/folder-tree.tsx'
import { useFolderTree } from '../folders/folders.ts'
import { AppBar } from '../ui/app-bar.tsx'
import { DropZone, UploadButton, UploadTray, useUploads } from '../uploads/uploads.tsx'
import { announce } from './announce.tsx'
import { BatchBar } from './batch-bar.tsx'
import { useDragToMove } from './drag-to-move.ts'
import { FilterChips } from './filter-chips.tsx'
import { tellHolders, useHolders } from './holders.ts'
import { useKeys } from './keys.ts'
import { useLibrary } from './library.tsx'
import { linkTo } from './link.ts'
import { EmptyList, ListError, ListSkeleton } from './list-state.tsx'
import { useLiveChanges } from './live.ts'
import { type Dialog, OpenDialog } from './open-dialog.tsx'
import { inTrash, looksEverywhere } from './place.ts'
import { SearchBox } from './search-box.tsx'
import { isFolderId, useSelectedIds, useSelection } from './selection.ts'
import { Toolbar } from './toolbar.tsx'
import { TrashHint } from './trash-hint.tsx'
import { useUndo } from './undo.ts'
import { useActions } from './use-actions.ts'
import { useAddress } from './use-address.ts'
import { useOnline } from './use-online.ts'
import { usePlace } from './use-place.ts'
import './library.css'

const ItemMenu = lazy(() => import('./item-menu.tsx').then((room) => ({ default: room.ItemMenu })))
const drawers = () => import('./drawers.tsx')
const TreeDrawer = lazy(() => drawers().then((room) => ({ default: room.TreeDrawer })))
const DetailsDrawer = lazy(() => drawers().then((room) => ({ default: room.DetailsDrawer })))
const ConflictDialog = lazy(() => import('./dialogs.tsx').then((room) => ({ default: room.ConflictDialog })))
const HoldersDialog = lazy(() =>
  import('./holders-dialog.tsx').then((room) => ({ default: room.HoldersDialog })),
)

interface OpenMenu {
  ids: string[]
  spot: { x: number; y: number }
  /** Opened in the tree, where a rename happens too. */
  inTree: boolean
}

const unfiltered = { q: undefined, type: undefined, surface: undefined, alt: undefined }

/** The library page. Admin and portal are two frames of it: the title differs, and nothing else here. */
export function AssetLibrary({ title, beside }: { title: string; beside?: ReactNode }) {
  const t = useTranslations('library')
  const app = useTranslations('app')
  const done = useTranslations('done')
  const batch = useTranslations('batch')
  const library = useLibrary()
  const { place, go } = usePlace()
  const tree = useFolderTree()
  const list = useAssetList(place)
  const selection = useSelection()
  const selected = useSelectedIds()
  const actions = useActions()
  const undo = useUndo()
  const uploads = useUploads()
  const conflict = useConflict()
  const holders = useHolders()
  const grid = useRef<GridHandle>(null)
  const search = useRef<HTMLInputElement>(null)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [treeShown, setTreeShown] = useState(false)
  const [nearEnd, setNearEnd] = useState(false)
  const [detailsKept, setDetailsKept] = useLocalStorage({ key: 'asset-library:details', defaultValue: false })
  const [viewKept, setViewKept] = useLocalStorage<'grid' | 'list'>({
    key: 'asset-library:view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  })
  const hasRoomForDetails = useMediaQuery('(width >= 992px)', true, { getInitialValueInEffect: false })
  const hasRoomForTree = useMediaQuery('(width >= 768px)', true, { getInitialValueInEffect: false })
  const [detailsDrawer, setDetailsDrawer] = useState(false)
  const online = useOnline()

  useLiveChanges()
  const { error: listError, retry: retryList } = list
  useEffect(() => {
    if (online && isProblem(listError, 'unreachable')) retryList()
  }, [online, listError, retryList])
  useReadAhead(nearEnd, list)

  const view = place.view ?? viewKept
  const trash = inTrash(place)
  const folderId = place.folder && !trash ? place.folder : null
  const here = trash ? t('trash') : (tree.byId.get(folderId ?? '')?.name ?? t('root'))
  const { assets, folders } = list
  const order = useMemo(
    () => [...folders.map((folder) => folder.folderId), ...assets.map((asset) => asset.assetId)],
    [folders, assets],
  )
  const count = order.length
  const ids = [...selected]
  const onlyId = ids.length === 1 ? ids[0]! : null
  const shownAsset = onlyId && !isFolderId(onlyId) ? onlyId : null
  const mayWrite = library.can('assets:write')
  const mayShape = library.can('folders:write')
  const mayDelete = library.can('assets:delete') && !trash
  const detailsShown = hasRoomForDetails ? detailsKept : detailsDrawer

  useEffect(() => {
    document.title = `${here} · ${title}`
  }, [here, title])

  const spot = JSON.stringify({ ...place, asset: undefined, view: undefined, sort: undefined })
  const address = useAddress({ place, go, spot, order, shownAsset, grid, onArrive: () => showDetails(true) })

  useEffect(() => {
    if (selected.size !== 1) announce(done('selected', { count: selected.size }))
  }, [selected, done])
  const settled = !list.isLoading && !list.isStale
  // biome-ignore lint/correctness/useExhaustiveDependencies: said when another place has been read, not when it grows
  useEffect(() => {
    if (settled && !list.error) announce(`${here}: ${done('shown', { count })}`)
  }, [settled, spot])

  const openFolder = useCallback(
    (folder: string | undefined) => {
      setTreeShown(false)
      go({ folder, ...unfiltered, asset: undefined })
    },
    [go],
  )

  const open = (id: string) => {
    if (isFolderId(id)) {
      if (!trash) openFolder(id)
    } else look(id)
  }
  const look = (assetId: string) => setDialog({ kind: 'look', assetId })

  function showAsset(asset: Pick<Asset, 'assetId' | 'folderId'>) {
    setDialog(null)
    selection.only(asset.assetId)
    if (order.includes(asset.assetId)) grid.current?.show(asset.assetId)
    else goTo(asset)
  }

  function goTo({ assetId, folderId }: Pick<Asset, 'assetId' | 'folderId'>) {
    address.expect(assetId)
    go({ folder: folderId ?? undefined, ...unfiltered, asset: assetId })
  }

  function showDetails(shown: boolean) {
    if (hasRoomForDetails) setDetailsKept(shown)
    else setDetailsDrawer(shown)
  }

  /** On a phone one selected item is the selection mode: it ends with what it was chosen for. */
  function closeDetails() {
    setDetailsDrawer(false)
    if (!hasRoomForTree && selection.ids.size === 1) selection.clear()
  }

  function setView(next: 'grid' | 'list') {
    setViewKept(next)
    go({ view: next }, { replace: true })
  }

  async function newFolder() {
    if (looksEverywhere(place)) await go({ ...unfiltered })
    const folder = await actions.newFolder(folderId)
    if (!folder) return
    announce(done('folderMade', { name: folder.name }))
    selection.only(folder.folderId)
    // The list has it from the cache by the next frame.
    requestAnimationFrame(() => {
      grid.current?.show(folder.folderId)
      selection.edit(folder.folderId, 'name')
    })
  }

  function rename(id: string, inTree: boolean) {
    const locked = tree.byId.get(id)?.protected
    if (trash || locked || !(isFolderId(id) ? mayShape : mayWrite)) return
    selection.edit(id, isFolderId(id) ? (inTree ? 'tree' : 'name') : 'title')
  }

  function afterDialog() {
    setDialog(null)
    requestAnimationFrame(() => grid.current?.focus())
  }

  async function trashItems(some: string[]) {
    const next = order[Math.min(order.findLastIndex((id) => some.includes(id)) + 1, order.length - 1)]
    selection.clear()
    if (next && !some.includes(next)) selection.focusOn(next)
    await actions.trash(some)
  }

  function copy(what: 'ref' | 'link', id: string) {
    if (what === 'ref') return actions.copy(id, done('refCopied'))
    const link = linkTo(
      library.clientId,
      isFolderId(id) ? { folder: id } : { folder: folderOf(id) ?? undefined, asset: id },
    )
    return actions.copy(link, done('linkCopied'))
  }
  const assetOf = (id: string) => assets.find((asset) => asset.assetId === id) ?? null
  const folderOf = (id: string) => assetOf(id)?.folderId ?? null

  useDragToMove(selection, {
    move: actions.move,
    trash: (some) => trashItems([...some]),
    label: (dragged) => batch('selected', { count: dragged }),
  })

  const focused = () => selection.focus ?? onlyId
  const targets = () => (ids.length ? ids : selection.focus ? [selection.focus] : [])
  useKeys({
    move(event) {
      const moved = grid.current?.move(event.key, event.shiftKey)
      // Only what has the focus is read aloud.
      if (moved) grid.current?.focus()
      return moved
    },
    'Ctrl+a'() {
      grid.current?.focus()
      selection.these(order)
      return true
    },
    Escape() {
      if (selected.size === 0) return false
      selection.clear()
      return true
    },
    Enter() {
      const id = focused()
      if (id) open(id)
      return !!id
    },
    ' '() {
      const id = focused()
      if (id && !isFolderId(id)) look(id)
      return true
    },
    F2() {
      const id = focused()
      if (id) rename(id, false)
      return true
    },
    Delete() {
      const some = targets()
      if (!some.length || trash || !library.can('assets:delete')) return false
      void trashItems(some)
      return true
    },
    m() {
      const some = targets()
      if (!some.length || trash || !mayWrite) return false
      setDialog({ kind: 'move', ids: some })
      return true
    },
    u() {
      if (!mayWrite || trash) return false
      uploads.choose(folderId)
      return true
    },
    n() {
      if (!mayShape || trash) return false
      void newFolder()
      return true
    },
    '/'() {
      search.current?.focus()
      return true
    },
    i() {
      showDetails(!detailsShown)
      return true
    },
    v() {
      setView(view === 'grid' ? 'list' : 'grid')
      return true
    },
    'Ctrl+z'() {
      void undo.undoLatest()
      return true
    },
    'Shift+F10': openMenuByKey,
    ContextMenu: openMenuByKey,
    'Alt+ArrowUp'() {
      if (trash || folderId) openFolder(tree.path(folderId).at(-2)?.folderId)
      return true
    },
    '?'() {
      setDialog({ kind: 'help' })
      return true
    },
  })

  function openMenuByKey() {
    const id = focused()
    if (!id || !grid.current) return false
    if (!selection.ids.has(id)) selection.only(id)
    setMenu({ ids: [...selection.ids], spot: grid.current.spotOf(id), inTree: false })
    return true
  }

  const treePanel = (
    <FolderTree
      tree={tree}
      place={place}
      onOpen={openFolder}
      onMenu={(id, spot) => setMenu({ ids: [id], spot, inTree: true })}
      onTrash={(id) => void actions.trash([id])}
    />
  )
  const detailsPanel = (
    <Details
      assetId={shownAsset}
      selectedCount={selected.size}
      tree={tree}
      onQuickLook={look}
      onShow={showAsset}
    />
  )
  const isEmpty = settled && !list.error && count === 0
  // What is not loaded yet was counted with the first page; what is here counts for itself.
  const unloaded = list.hasMore ? Math.max(0, (list.total ?? 0) - assets.length) : 0
  const countWords = t('assetCount', { count: assets.length + unloaded })

  return (
    <div className="library">
      <AppBar
        title={title}
        beside={beside}
        start={
          !hasRoomForTree && (
            <ActionIcon size={36} onClick={() => setTreeShown(true)} aria-label={t('openFolders')}>
              <PanelLeft size={20} />
            </ActionIcon>
          )
        }
      >
        <SearchBox
          ref={search}
          q={place.q}
          onSearch={(q) => go({ q, asset: undefined }, { replace: !!place.q })}
          onLeave={() => grid.current?.focus()}
        />
        {mayShape && !trash && (
          <Button
            variant="default"
            className="new-folder"
            leftSection={<FolderPlus size={16} />}
            onClick={newFolder}
          >
            {t('newFolder')}
          </Button>
        )}
        {!trash && <UploadButton folderId={folderId} />}
      </AppBar>
      {!online && (
        <p className="offline" role="status">
          <WifiOff size={16} aria-hidden /> {app('offline')}
        </p>
      )}
      <div className="library-columns">
        {hasRoomForTree && <aside className="tree-column">{treePanel}</aside>}
        <DropZone folderId={folderId} disabled={trash}>
          <main className={`main-column ${selected.size > 1 ? 'has-selection' : ''}`}>
            <Toolbar
              place={place}
              tree={tree}
              count={settled && !list.error && count > 0 ? countWords : ''}
              view={view}
              detailsShown={detailsShown}
              onNewFolder={mayShape && !trash ? newFolder : undefined}
              onSort={(sort) => go({ sort })}
              onView={setView}
              onHelp={hasRoomForTree ? () => setDialog({ kind: 'help' }) : undefined}
              onDetails={showDetails}
            />
            {!trash && <FilterChips place={place} onGo={(change) => go({ ...change, asset: undefined })} />}
            {trash && !isEmpty && <TrashHint />}
            {place.q && (
              <p className="results">
                {t('results', { q: place.q })} {!trash && t('everywhere')}
              </p>
            )}
            {list.error ? (
              <ListError error={list.error} place={place} onGo={go} onRetry={() => list.retry()} />
            ) : list.isLoading ? (
              <ListSkeleton view={view} />
            ) : isEmpty ? (
              <EmptyList place={place} onGo={go} onUpload={() => uploads.choose(folderId)} />
            ) : (
              <AssetGrid
                key={spot}
                ref={grid}
                label={t('gridLabel', { place: here })}
                view={view}
                folders={folders}
                assets={assets}
                order={order}
                tree={tree}
                hasMore={list.hasMore}
                unloaded={unloaded}
                isStale={list.isStale}
                onNearEnd={setNearEnd}
                onOpen={open}
                onQuickLook={look}
                onMenu={(id, spot) =>
                  setMenu({ ids: selection.ids.has(id) ? [...selection.ids] : [id], spot, inTree: false })
                }
              >
                {list.moreFailed && (
                  <div className="more-failed">
                    <Button variant="default" onClick={() => list.fetchMore()}>
                      {app('retry')}
                    </Button>
                  </div>
                )}
              </AssetGrid>
            )}
            {selected.size > 1 || (selected.size === 1 && (trash || !hasRoomForTree)) ? (
              <BatchBar
                count={selected.size}
                hasAssets={ids.some((id) => !isFolderId(id))}
                inTrash={trash}
                onMove={() => setDialog({ kind: 'move', ids })}
                onTag={() => setDialog({ kind: 'tag', ids })}
                onSurfaces={() => setDialog({ kind: 'surfaces', ids })}
                onDelete={() => void trashItems(ids)}
                onRestore={() => {
                  selection.clear()
                  void actions.restore(ids)
                }}
                onClear={() => selection.clear()}
              />
            ) : null}
          </main>
        </DropZone>
        {hasRoomForDetails && detailsShown && (
          <aside className="details-column" aria-label={t('details')}>
            <div className="details-head">
              <h2>{t('details')}</h2>
              <ActionIcon onClick={() => showDetails(false)} aria-label={app('close')}>
                <X size={18} />
              </ActionIcon>
            </div>
            {detailsPanel}
          </aside>
        )}
      </div>

      <Suspense>
        {!hasRoomForTree && (
          <TreeDrawer opened={treeShown} onClose={() => setTreeShown(false)}>
            {treePanel}
          </TreeDrawer>
        )}
        {!hasRoomForDetails && (
          <DetailsDrawer opened={detailsDrawer} onClose={closeDetails}>
            {detailsPanel}
          </DetailsDrawer>
        )}
      </Suspense>
      <UploadTray onShow={showAsset} />

      <Suspense>
        {menu && (
          <ItemMenu
            spot={menu.spot}
            ids={menu.ids}
            asset={menu.ids.map(assetOf).find((asset) => asset) ?? null}
            folder={folderInMenu(menu)}
            inTrash={trash && !menu.inTree}
            onClose={() => {
              setMenu(null)
              if (!menu.inTree && !selection.editing) grid.current?.focus()
            }}
            onOpen={() => open(menu.ids[0]!)}
            onQuickLook={() => look(menu.ids[0]!)}
            onRename={() => {
              const id = menu.ids[0]!
              // The closing menu gives the focus back first.
              setTimeout(() => rename(id, menu.inTree), 50)
            }}
            onMove={() => setDialog({ kind: 'move', ids: menu.ids })}
            onTag={() => setDialog({ kind: 'tag', ids: menu.ids })}
            onTrash={() => void trashItems(menu.ids)}
            onRestore={() => {
              selection.clear()
              void actions.restore(menu.ids)
            }}
            onDetails={() => {
              if (!selection.ids.has(menu.ids[0]!)) selection.only(menu.ids[0]!)
              showDetails(true)
            }}
            onShowInFolder={
              looksEverywhere(place) && assetOf(menu.ids[0]!) ? () => goTo(assetOf(menu.ids[0]!)!) : undefined
            }
            onReplace={() => uploads.replace(assetOf(menu.ids[0]!)!)}
            onCopy={(what) => copy(what, menu.ids[0]!)}
          />
        )}
        {dialog && (
          <OpenDialog
            dialog={dialog}
            tree={tree}
            assets={assets}
            from={looksEverywhere(place) ? undefined : commonPlace('ids' in dialog ? dialog.ids : [])}
            actions={actions}
            mayShape={mayShape}
            onLook={(assetId) => {
              look(assetId)
              selection.only(assetId)
              grid.current?.show(assetId)
            }}
            onDetails={(assetId) => {
              selection.only(assetId)
              showDetails(true)
              setDialog(null)
            }}
            onTrash={mayDelete ? (assetId) => void actions.trash([assetId]) : undefined}
            onClose={afterDialog}
          />
        )}
        {conflict && <ConflictDialog conflict={conflict} />}
        {holders && <HoldersDialog holders={holders} onClose={() => tellHolders(null)} />}
      </Suspense>
    </div>
  )

  function folderInMenu({ ids }: OpenMenu) {
    const folderId = ids.find(isFolderId)
    if (!folderId) return null
    return tree.byId.get(folderId) ?? folders.find((folder) => folder.folderId === folderId) ?? null
  }

  /** Where all of these are, if that is one place. */
  function commonPlace(some: string[]): string | null | undefined {
    const places = new Set(
      some.map((id) => (isFolderId(id) ? (tree.byId.get(id)?.parentId ?? null) : folderOf(id))),
    )
    return places.size === 1 ? [...places][0] : undefined
  }
}
