import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import {
  ArrowDownUp,
  FolderPlus,
  Info,
  Keyboard,
  LayoutGrid,
  List,
  PanelLeft,
  WifiOff,
  X,
} from 'lucide-react'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslations } from 'use-intl'
import type { Asset, Sort } from '../../contract/assets.ts'
import { isProblem } from '../api.ts'
import { AssetGrid, type GridHandle } from '../assets/asset-grid.tsx'
import { useAssetList, useReadAhead } from '../assets/assets.ts'
import { useConflict } from '../assets/conflicts.ts'
import { Details } from '../assets/details.tsx'
import { Breadcrumb } from '../folders/breadcrumb.tsx'
import { FolderTree } from '../folders/folder-tree.tsx'
import { useFolderTree } from '../folders/folders.ts'
import { AppBar } from '../ui/app-bar.tsx'
import { DropZone, UploadButton, UploadTray, useUploads } from '../uploads/uploads.tsx'
import { announce, LiveRegion } from './announce.tsx'
import { BatchBar } from './batch-bar.tsx'
import { useDragToMove } from './drag-to-move.ts'
import { FilterChips } from './filter-chips.tsx'
import { tellHolders, useHolders } from './holders.ts'
import { useKeys } from './keys.ts'
import { useLibrary } from './library.tsx'
import { EmptyList, ListError, ListSkeleton } from './list-state.tsx'
import { useLiveChanges } from './live.ts'
import { inTrash, looksEverywhere } from './place.ts'
import { SearchBox } from './search-box.tsx'
import { isFolderId, useSelectedIds, useSelection } from './selection.ts'
import { useUndo } from './undo.ts'
import { useActions } from './use-actions.ts'
import { usePlace } from './use-place.ts'
import './library.css'

const ItemMenu = lazy(() => import('./item-menu.tsx').then((room) => ({ default: room.ItemMenu })))
const QuickLook = lazy(() => import('../assets/quick-look.tsx').then((room) => ({ default: room.QuickLook })))
const drawers = () => import('./drawers.tsx')
const TreeDrawer = lazy(() => drawers().then((room) => ({ default: room.TreeDrawer })))
const DetailsDrawer = lazy(() => drawers().then((room) => ({ default: room.DetailsDrawer })))
const dialogs = () => import('./dialogs.tsx')
const MoveDialog = lazy(() => dialogs().then((room) => ({ default: room.MoveDialog })))
const TagDialog = lazy(() => dialogs().then((room) => ({ default: room.TagDialog })))
const SurfacesDialog = lazy(() => dialogs().then((room) => ({ default: room.SurfacesDialog })))
const HelpDialog = lazy(() => dialogs().then((room) => ({ default: room.HelpDialog })))
const ConflictDialog = lazy(() => dialogs().then((room) => ({ default: room.ConflictDialog })))

const HoldersDialog = lazy(() =>
  import('./holders-dialog.tsx').then((room) => ({ default: room.HoldersDialog })),
)

type Dialog =
  | { kind: 'move' | 'tag' | 'surfaces'; ids: string[] }
  | { kind: 'help' }
  | { kind: 'look'; assetId: string }

interface OpenMenu {
  ids: string[]
  spot: { x: number; y: number }
  /** Opened in the tree, where a rename happens too. */
  inTree: boolean
}

const sorts = ['newest', 'oldest', 'title', 'size'] as const satisfies Sort[]
const unfiltered = { q: undefined, type: undefined, surface: undefined, alt: undefined }

/** The library page. Admin and portal are two frames of it: the title differs, and nothing else here. */
export function AssetLibrary({ title, isForeign }: { title: string; isForeign: boolean }) {
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
  const mayWrite = library.can('assets:write') && !isForeign
  const mayShape = library.can('folders:write') && !isForeign
  const detailsShown = hasRoomForDetails ? detailsKept : detailsDrawer

  useEffect(() => {
    document.title = `${here} · ${title}`
  }, [here, title])

  // Another place: what was selected there is not selected here.
  const spot = JSON.stringify({ ...place, asset: undefined, view: undefined, sort: undefined })
  const wasAt = useRef(spot)
  const awaited = useRef<string | null>(place.asset ?? null)
  useEffect(() => {
    if (wasAt.current === spot) return
    wasAt.current = spot
    if (awaited.current) return
    selection.clear()
    selection.focusOn(null)
  }, [spot, selection])

  // A deep link: the asset it names is selected, shown, and scrolled to once it is there.
  const written = useRef<string | null>(null)
  useEffect(() => {
    if (!place.asset || place.asset === written.current) return
    written.current = place.asset
    awaited.current = place.asset
    selection.only(place.asset)
    if (hasRoomForDetails) setDetailsKept(true)
    else setDetailsDrawer(true)
  }, [place.asset, selection, hasRoomForDetails, setDetailsKept])
  useEffect(() => {
    if (!awaited.current || !order.includes(awaited.current)) return
    grid.current?.show(awaited.current)
    awaited.current = null
  }, [order])

  // The address names what is selected, a moment later: arrows held down do not flood the history.
  useEffect(() => {
    const timer = setTimeout(() => {
      if ((place.asset ?? null) === shownAsset || awaited.current) return
      written.current = shownAsset
      go({ asset: shownAsset ?? undefined }, { replace: true })
    }, 250)
    return () => clearTimeout(timer)
  }, [shownAsset, place.asset, go])

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
    awaited.current = asset.assetId
    written.current = asset.assetId
    selection.only(asset.assetId)
    const folder = asset.folderId ?? undefined
    if (order.includes(asset.assetId)) {
      grid.current?.show(asset.assetId)
      awaited.current = null
    } else go({ folder, ...unfiltered, asset: asset.assetId })
  }

  function showDetails(shown: boolean) {
    if (hasRoomForDetails) setDetailsKept(shown)
    else setDetailsDrawer(shown)
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
    const link = new URL(location.href)
    link.search = isFolderId(id)
      ? `?folder=${id}`
      : `?${new URLSearchParams({ ...(folderOf(id) ? { folder: folderOf(id)! } : {}), asset: id })}`
    return actions.copy(link.href, done('linkCopied'))
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
    move: (event) => grid.current?.move(event.key, event.shiftKey),
    'Ctrl+a'() {
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
        {!trash && !isForeign && <UploadButton folderId={folderId} />}
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
            <div className="toolbar">
              <Breadcrumb place={place} tree={tree} />
              <span className="toolbar-count">{settled && !list.error && count > 0 && countWords}</span>
              <div className="toolbar-acts">
                {mayShape && !trash && (
                  <ActionIcon className="new-folder-icon" onClick={newFolder} aria-label={t('newFolder')}>
                    <FolderPlus size={18} />
                  </ActionIcon>
                )}
                <SortMenu sort={place.sort ?? 'newest'} onSort={(sort) => go({ sort })} />
                <Tooltip label={view === 'grid' ? t('list') : t('grid')}>
                  <ActionIcon
                    onClick={() => setView(view === 'grid' ? 'list' : 'grid')}
                    aria-label={view === 'grid' ? t('list') : t('grid')}
                  >
                    {view === 'grid' ? <List size={18} /> : <LayoutGrid size={18} />}
                  </ActionIcon>
                </Tooltip>
                {hasRoomForTree && (
                  <Tooltip label={t('help')}>
                    <ActionIcon onClick={() => setDialog({ kind: 'help' })} aria-label={t('help')}>
                      <Keyboard size={18} />
                    </ActionIcon>
                  </Tooltip>
                )}
                <Tooltip label={t('details')}>
                  <ActionIcon
                    onClick={() => showDetails(!detailsShown)}
                    aria-label={t('details')}
                    aria-pressed={detailsShown}
                    className={detailsShown ? 'is-on' : ''}
                  >
                    <Info size={18} />
                  </ActionIcon>
                </Tooltip>
              </div>
            </div>
            {!trash && !isForeign && (
              <FilterChips place={place} onGo={(change) => go({ ...change, asset: undefined })} />
            )}
            {trash && !isEmpty && <p className="results">{t('trashHint')}</p>}
            {place.q && (
              <p className="results">
                {t('results', { q: place.q })} {!trash && t('everywhere')}
              </p>
            )}
            {list.error ? (
              <ListError
                error={list.error}
                place={place}
                isForeign={isForeign}
                onGo={go}
                onRetry={() => list.retry()}
              />
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
                onMenu={(_, spot) => setMenu({ ids: [...selection.ids], spot, inTree: false })}
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
          <DetailsDrawer opened={detailsDrawer} onClose={() => setDetailsDrawer(false)}>
            {detailsPanel}
          </DetailsDrawer>
        )}
      </Suspense>
      <UploadTray onShow={showAsset} />
      <LiveRegion />

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
            onDetails={() => showDetails(true)}
            onShowInFolder={
              looksEverywhere(place) && assetOf(menu.ids[0]!)
                ? () => {
                    const asset = assetOf(menu.ids[0]!)!
                    awaited.current = asset.assetId
                    go({ folder: asset.folderId ?? undefined, ...unfiltered, asset: asset.assetId })
                  }
                : undefined
            }
            onReplace={() => uploads.replace(assetOf(menu.ids[0]!)!)}
            onCopy={(what) => copy(what, menu.ids[0]!)}
          />
        )}
        {dialog?.kind === 'move' && (
          <MoveDialog
            tree={tree}
            ids={dialog.ids}
            from={looksEverywhere(place) ? undefined : commonPlace(dialog.ids)}
            onMove={(to) => {
              afterDialog()
              selection.clear()
              void actions.move(dialog.ids, to)
            }}
            onNewFolder={mayShape ? actions.newFolder : undefined}
            onClose={afterDialog}
          />
        )}
        {dialog?.kind === 'tag' && (
          <TagDialog
            count={dialog.ids.filter((id) => !isFolderId(id)).length}
            onTag={(tags) => {
              afterDialog()
              void actions.tag(dialog.ids, tags)
            }}
            onClose={afterDialog}
          />
        )}
        {dialog?.kind === 'surfaces' && (
          <SurfacesDialog
            count={dialog.ids.filter((id) => !isFolderId(id)).length}
            initial={assetOf(dialog.ids[0]!)?.allowedSurfaces ?? []}
            onSet={(surfaces) => {
              afterDialog()
              void actions.setSurfaces(dialog.ids, surfaces)
            }}
            onClose={afterDialog}
          />
        )}
        {dialog?.kind === 'help' && <HelpDialog onClose={afterDialog} />}
        {dialog?.kind === 'look' && (
          <QuickLook
            assetId={dialog.assetId}
            order={assets.map(({ assetId }) => assetId)}
            onGo={(assetId) => {
              setDialog({ kind: 'look', assetId })
              selection.only(assetId)
              grid.current?.show(assetId)
            }}
            onDetails={() => {
              selection.only(dialog.assetId)
              showDetails(true)
              setDialog(null)
            }}
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

function SortMenu({ sort, onSort }: { sort: Sort; onSort(sort: Sort): void }) {
  const t = useTranslations('library')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className="sort-button" aria-label={`${t('sort')}: ${t(`sorts.${sort}`)}`}>
          <ArrowDownUp size={16} aria-hidden />
          <span>{t(`sorts.${sort}`)}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorts.map((each) => (
          <Menu.Item key={each} onClick={() => onSort(each)} fw={each === sort ? 600 : undefined}>
            {t(`sorts.${each}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const useOnline = () =>
  useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener)
      addEventListener('offline', listener)
      return () => {
        removeEventListener('online', listener)
        removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
