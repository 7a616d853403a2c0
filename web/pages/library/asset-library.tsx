import { ActionIcon, Button } from '@mantine/core'
import { FolderPlus, PanelLeft, WifiOff, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../../contract/assets.ts'
import { isProblem } from '../../api.ts'
import { AssetGrid, type GridHandle } from '../../assets/asset-grid.tsx'
import { useAssetList } from '../../assets/asset-list.ts'
import { useConflict } from '../../assets/conflicts.ts'
import { Details } from '../../assets/details.tsx'
import { showHolders, useHolders } from '../../assets/holders.ts'
import { useActions } from '../../assets/use-actions.ts'
import { useChoosing } from '../../assets/use-choosing.ts'
import { useCopying } from '../../assets/use-copying.ts'
import { useTrashing } from '../../assets/use-trashing.ts'
import { useOnline } from '../../connection.ts'
import { useFolderCounts } from '../../folders/counts.ts'
import { FolderTree } from '../../folders/folder-tree.tsx'
import { useFolderTree } from '../../folders/folders.ts'
import { useLivingFolder } from '../../folders/use-living-folder.ts'
import { useDragToMove } from '../../library/drag-to-move.ts'
import { useLibrary } from '../../library/library.tsx'
import { useLiveChanges } from '../../library/live.ts'
import { inTrash, looksFurther, unfiltered } from '../../library/place.ts'
import { ProgressNote } from '../../library/progress-note.tsx'
import { isFolderId, useIsBeingDrawn, useSelectedIds, useSelection } from '../../library/selection.ts'
import { useUndo } from '../../library/undo.ts'
import { usePlace } from '../../library/use-place.ts'
import { announce } from '../../ui/announce.tsx'
import { DropZone, UploadButton, UploadTray, useUploads } from '../../uploads/uploads.tsx'
import { AppBar } from '../app-bar.tsx'
import { BatchBar } from './batch-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { useKeys } from './keys.ts'
import { EmptyList, ListError, ListSkeleton } from './list-state.tsx'
import { type Dialog, OpenDialog } from './open-dialog.tsx'
import { type Menu, OpenMenu } from './open-menu.tsx'
import { SearchBox } from './search-box.tsx'
import { SearchScope } from './search-scope.tsx'
import { TileSize, useTileSize } from './tile-size.tsx'
import { Toolbar } from './toolbar.tsx'
import { TrashHint } from './trash-hint.tsx'
import { useAddress } from './use-address.ts'
import { useLayout } from './use-layout.ts'
import { useQuickLook } from './use-quick-look.ts'
import './library.css'

const drawers = () => import('./drawers.tsx')
const TreeDrawer = lazy(() => drawers().then((room) => ({ default: room.TreeDrawer })))
const DetailsDrawer = lazy(() => drawers().then((room) => ({ default: room.DetailsDrawer })))
const ConflictDialog = lazy(() =>
  import('../../assets/conflict-dialog.tsx').then((room) => ({ default: room.ConflictDialog })),
)
const AssetAgents = lazy(() =>
  import('../../deliveries/asset-agents.tsx').then((room) => ({ default: room.AssetAgents })),
)
const HoldersDialog = lazy(() =>
  import('../../assets/holders-dialog.tsx').then((room) => ({ default: room.HoldersDialog })),
)

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
  const [menu, setMenu] = useState<Menu | null>(null)
  const {
    hasRoomForDetails,
    hasRoomForTree,
    treeShown,
    setTreeShown,
    detailsShown,
    showDetails,
    view,
    setView,
  } = useLayout(place, go)
  const online = useOnline()

  useLiveChanges()
  const { error: listError, retry: retryList } = list
  useEffect(() => {
    if (online && isProblem(listError, 'unreachable')) retryList()
  }, [online, listError, retryList])

  const trash = inTrash(place)
  const folderId = place.folder && !trash ? place.folder : null
  const here = trash ? t('trash') : (tree.byId.get(folderId ?? '')?.name ?? t('root'))
  const { assets, folders, order } = list
  const count = order.length
  const choosing = useChoosing(list.query, folders, order)
  const isMixed = looksFurther(place)
  const countIn = useFolderCounts(folderId, !trash && !isMixed && folders.length > 0)
  const [tileSize, setTileSize] = useTileSize()
  const ids = [...selected]
  const onlyId = ids.length === 1 ? ids[0]! : null
  const shownAsset = onlyId && !isFolderId(onlyId) ? onlyId : null
  const mayWrite = library.can('assets:write')
  const mayShape = library.can('folders:write')
  const mayDelete = library.can('assets:delete') && !trash

  useEffect(() => {
    document.title = `${here} · ${title}`
  }, [here, title])

  const settled = !list.isLoading && !list.isStale
  const spot = JSON.stringify({
    ...place,
    asset: undefined,
    look: undefined,
    view: undefined,
    sort: undefined,
  })
  const address = useAddress({
    place,
    go,
    spot,
    order,
    isRead: settled,
    everyId: choosing.everyId,
    shownAsset,
    grid,
    onArrive: () => showDetails(true),
  })

  const isBeingDrawn = useIsBeingDrawn()
  const countBefore = useRef(0)
  useEffect(() => {
    if (isBeingDrawn) return
    const timer = setTimeout(() => {
      const isNews = selected.size > 1 || (selected.size === 0 && countBefore.current > 0)
      if (isNews) announce(done('selected', { count: selected.size }))
      countBefore.current = selected.size
    }, 300)
    return () => clearTimeout(timer)
  }, [selected, isBeingDrawn, done])
  // biome-ignore lint/correctness/useExhaustiveDependencies: said when another place has been read, not when it grows
  useEffect(() => {
    if (settled && !list.error) announce(`${here}: ${done('shown', { count })}`)
  }, [settled, spot])

  const openFolder = useCallback(
    (folder: string | undefined) => {
      setTreeShown(false)
      go({ folder, ...unfiltered, asset: undefined, look: undefined })
    },
    [go, setTreeShown],
  )
  useLivingFolder(folderId, tree, openFolder)

  const open = (id: string) => {
    if (isFolderId(id)) {
      if (!trash) openFolder(id)
    } else look(id)
  }
  const focusGrid = () => void requestAnimationFrame(() => grid.current?.focus())
  const { looking, look, closeLook } = useQuickLook(place, go, focusGrid)
  const shownDialog: Dialog | null = looking ? { kind: 'look', assetId: looking } : dialog

  function showAsset(asset: Pick<Asset, 'assetId' | 'folderId'>) {
    setDialog(null)
    selection.only(asset.assetId)
    if (!order.includes(asset.assetId)) return goTo(asset)
    closeLook()
    grid.current?.show(asset.assetId)
  }

  function goTo({ assetId, folderId }: Pick<Asset, 'assetId' | 'folderId'>) {
    address.expect(assetId)
    go({ folder: folderId ?? undefined, ...unfiltered, asset: assetId, look: undefined })
  }

  /** On a phone one selected item is the selection mode: it ends with what it was chosen for. */
  function closeDetails() {
    showDetails(false)
    if (!hasRoomForTree && selection.ids.size === 1) selection.clear()
  }

  async function newFolder() {
    if (looksFurther(place)) await go({ ...unfiltered })
    const id = await actions.nameNewFolder(folderId)
    selection.only(id)
    // The list has it from the cache by the next frame.
    requestAnimationFrame(() => {
      grid.current?.show(id)
      selection.edit(id, 'name')
    })
  }

  function rename(id: string, inTree: boolean) {
    const locked = tree.byId.get(id)?.protected
    if (trash || locked || !(isFolderId(id) ? mayShape : mayWrite)) return
    if (inTree && !hasRoomForTree) setTreeShown(true)
    selection.edit(id, isFolderId(id) ? (inTree ? 'tree' : 'name') : 'title')
  }

  function afterDialog() {
    setDialog(null)
    closeLook()
    focusGrid()
  }

  const assetOf = (id: string) => assets.find((asset) => asset?.assetId === id) ?? null
  const folderOf = (id: string) => assetOf(id)?.folderId ?? null
  const copy = useCopying(folderOf)
  const trashing = useTrashing({
    order,
    countIn,
    actions,
    onAsk: (some, count) => setDialog({ kind: 'trash', ids: some, count }),
  })

  useDragToMove(selection, {
    move: actions.move,
    trash: (some) => trashing.ask([...some]),
    label: (dragged) => batch('selected', { count: dragged }),
  })

  const focused = () => selection.focus ?? onlyId
  const targets = () => (selection.ids.size ? [...selection.ids] : selection.focus ? [selection.focus] : [])
  const withTargets = (act: (some: string[]) => void) =>
    void choosing.settled().then(() => targets().length && act(targets()))
  useKeys({
    move(event) {
      const moved = grid.current?.move(event.key, event.shiftKey)
      // Only what has the focus is read aloud.
      if (moved) grid.current?.focus()
      return moved
    },
    'Ctrl+a'() {
      grid.current?.focus()
      void choosing.all()
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
      if (!mayDelete) return false
      withTargets(trashing.ask)
      return true
    },
    m() {
      if (trash || !mayWrite) return false
      withTargets((some) => actions.saysLocked(some) || setDialog({ kind: 'move', ids: some }))
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
      onTrash={(id) => trashing.ask([id])}
    />
  )
  const detailsPanel = (
    <Details
      assetId={shownAsset}
      selectedCount={selected.size}
      tree={tree}
      agents={(asset) => (
        <Suspense>
          <AssetAgents asset={asset} />
        </Suspense>
      )}
      onQuickLook={look}
      onShow={showAsset}
      onTag={(tag) => go({ ...unfiltered, tag, asset: undefined })}
    />
  )
  const isEmpty = settled && !list.error && count === 0
  const mayDeliver = library.frame === 'admin' && library.can('deliveries:write')
  const upload = () => uploads.choose(folderId)

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
              count={settled && !list.error && count > 0 ? t('assetCount', { count: assets.length }) : ''}
              view={view}
              detailsShown={detailsShown}
              onNewFolder={mayShape && !trash ? newFolder : undefined}
              onSort={(sort) => go({ sort })}
              onView={setView}
              onHelp={hasRoomForTree ? () => setDialog({ kind: 'help' }) : undefined}
              onDetails={showDetails}
              onFolderMenu={
                folderId && tree.byId.has(folderId)
                  ? (spot) => setMenu({ ids: [folderId], spot, inTree: true })
                  : undefined
              }
              tileSize={
                view === 'grid' && hasRoomForTree && <TileSize size={tileSize} onSize={setTileSize} />
              }
            />
            {!trash && <FilterChips place={place} onGo={(change) => go({ ...change, asset: undefined })} />}
            {trash && !isEmpty && <TrashHint />}
            <SearchScope place={place} here={here} onGo={(change) => go({ ...change, asset: undefined })} />
            {list.error ? (
              <ListError error={list.error} place={place} onGo={go} onRetry={() => list.retry()} />
            ) : list.isLoading ? (
              <ListSkeleton view={view} />
            ) : isEmpty ? (
              <EmptyList place={place} onGo={go} onUpload={upload} />
            ) : (
              <AssetGrid
                key={spot}
                ref={grid}
                label={t('gridLabel', { place: here })}
                view={view}
                tileWidth={tileSize}
                spot={spot}
                sort={place.sort ?? 'newest'}
                folders={folders}
                countIn={countIn}
                assets={assets}
                order={order}
                tree={tree}
                isMixed={isMixed}
                isStale={list.isStale}
                onNeed={list.need}
                onChoose={choosing.these}
                onChooseTo={choosing.rangeTo}
                onSort={(sort) => go({ sort })}
                onOpen={open}
                onQuickLook={look}
                onMenu={(id, spot) => {
                  const some = id && !selection.ids.has(id) ? [id] : [...selection.ids]
                  setMenu({ ids: id ? some : [], spot, inTree: false })
                }}
              >
                {list.pagesFailed && (
                  <div className="more-failed">
                    <Button variant="default" onClick={list.retryPages}>
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
                onDeliver={() => setDialog({ kind: 'deliver', ids })}
                onCopyRefs={() => copy('refs', ids)}
                onDelete={() => trashing.ask(ids)}
                onRestore={() => {
                  selection.clear()
                  void actions.restore(ids)
                }}
                onClear={() => selection.clear()}
              />
            ) : null}
            <ProgressNote />
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
          <DetailsDrawer opened={detailsShown} onClose={closeDetails}>
            {detailsPanel}
          </DetailsDrawer>
        )}
      </Suspense>
      <UploadTray onShow={showAsset} />

      <Suspense>
        {menu && (
          <OpenMenu
            menu={menu}
            view={view}
            isTrash={trash}
            hereId={folderId}
            assetOf={assetOf}
            folderOf={(id) => tree.byId.get(id) ?? folders.find(({ folderId }) => folderId === id) ?? null}
            onClose={() => {
              setMenu(null)
              if (!menu.inTree && !selection.editing) grid.current?.focus()
            }}
            onOpen={open}
            onQuickLook={look}
            onRename={rename}
            onDialog={(kind, some) => setDialog({ kind, ids: some })}
            mayDeliver={mayDeliver}
            onTrash={trashing.ask}
            onRestore={(some) => {
              selection.clear()
              void actions.restore(some)
            }}
            onDetails={(id) => {
              if (!selection.ids.has(id)) selection.only(id)
              showDetails(true)
            }}
            onShowInFolder={looksFurther(place) ? goTo : undefined}
            onReplace={uploads.replace}
            onCopy={copy}
            onNewFolder={mayShape && !trash ? newFolder : undefined}
            onUpload={mayWrite && !trash ? upload : undefined}
            onSelectAll={count > 0 ? choosing.all : undefined}
            onView={setView}
          />
        )}
        {shownDialog && (
          <OpenDialog
            dialog={shownDialog}
            tree={tree}
            assets={assets}
            from={looksFurther(place) ? undefined : commonPlace('ids' in shownDialog ? shownDialog.ids : [])}
            actions={actions}
            mayShape={mayShape}
            mayDelete={mayDelete}
            onTrash={trashing.trash}
            onLook={(assetId) => {
              look(assetId)
              selection.only(assetId)
              grid.current?.show(assetId)
            }}
            onDetails={(assetId) => {
              selection.only(assetId)
              showDetails(true)
              closeLook()
            }}
            onClose={afterDialog}
          />
        )}
        {conflict && <ConflictDialog conflict={conflict} />}
        {holders && <HoldersDialog holders={holders} onClose={() => showHolders(null)} />}
      </Suspense>
    </div>
  )

  /** Where all of these are, if that is one place. */
  function commonPlace(some: string[]): string | null | undefined {
    const places = new Set(
      some.map((id) => (isFolderId(id) ? (tree.byId.get(id)?.parentId ?? null) : folderOf(id))),
    )
    return places.size === 1 ? [...places][0] : undefined
  }
}
