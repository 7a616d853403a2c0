import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../../contract/assets.ts'
import { useActions } from '../../assets/use-actions.ts'
import { useCopying } from '../../assets/use-copying.ts'
import { useDownload } from '../../assets/use-download.ts'
import { goOnBehind, useTrashing } from '../../assets/use-trashing.ts'
import { useCollecting } from '../../collections/collections.ts'
import { unnamedId } from '../../folders/new-folder.ts'
import { useDragToMove } from '../../library/drag-to-move.ts'
import { useLibrary } from '../../library/library.tsx'
import { isByHand, type Place, tagsOf, unfiltered, whereItLooked, withTags } from '../../library/place.ts'
import { isEverything, isFolderId, meantBy } from '../../library/selection.ts'
import { useUndo } from '../../library/undo.ts'
import type { Chosen } from '../../library/visits.ts'
import { toast } from '../../ui/toast.tsx'
import { useUploads } from '../../uploads/uploads.tsx'
import type { ActOnMany, TagsRefused } from './overlays.ts'
import type { PageState } from './use-page-state.ts'

export type Commands = ReturnType<typeof useCommands>
export type LibraryPage = PageState & { commands: Commands }

/** Another place, without what was looked for at this one. */
const elsewhere = {
  folder: undefined,
  collection: undefined,
  inside: undefined,
  ...unfiltered,
  asset: undefined,
  look: undefined,
}

const byJob = new Set<ActOnMany>(['move', 'tag', 'surfaces', 'rights'])

type AssetAt = Pick<Asset, 'assetId' | 'folderId'>

/** All a person can do on the library page, whether by key, menu, button or drag. */
export function useCommands(page: PageState) {
  const { tree, here, layout, list, choosing, selection, grid, quickLook, may, setDialog, setMenu } = page
  const batch = useTranslations('batch')
  const shown = useRef(page.dialog)
  shown.current = page.dialog
  const actions = useActions()
  const library = useLibrary()
  const navigate = useNavigate()
  const undo = useUndo()
  const uploads = useUploads()
  const folderOf = (assetId: string) => list.assetOf(assetId)?.folderId ?? null
  const copy = useCopying(folderOf)
  const collecting = useCollecting()
  const download = useDownload()
  const trashing = useTrashing({
    order: list.order,
    actions,
    onAsk: (ids, count, inside) => setDialog({ kind: 'trash', ids, count, inside }),
  })
  useDragToMove(selection, {
    move: moveNow,
    trash: (ids) => trashing.ask([...ids]),
    label: (count) => batch('selected', { count }),
    collect: (ids, collectionId) => {
      const collection = page.collections?.find((each) => each.collectionId === collectionId)
      if (collection) void withNames([...ids], (each) => collecting.collect(collection, each))
    },
    place: (ids, id, side) => {
      const rest = list.order.filter((each) => !each || !ids.includes(each))
      placeBefore(ids, side === 'before' ? id : rest[rest.indexOf(id) + 1])
    },
  })

  /** With the ids of all of them, where what is done is done to each. */
  async function withNames(ids: string[], act: (ids: string[]) => unknown) {
    const named = await choosing.named(ids)
    if (named) await act(named)
  }

  /** What the server does to all of a search needs no names. */
  async function openFor(kind: ActOnMany, ids: string[]) {
    if (byJob.has(kind)) setDialog({ kind, ids })
    else await withNames(ids, (each) => setDialog({ kind, ids: each }))
  }

  /** In the order in which they stand. */
  function placeBefore(ids: string[], before: string | undefined) {
    const { collection } = here.place
    if (!collection || !isByHand(here.place) || !may.write) return
    const moved = list.order.filter((id) => id !== undefined).filter((id) => ids.includes(id))
    void collecting.move(collection, moved, before, list.order)
  }

  const firstOf = (ids: string[]) => list.order.findIndex((id) => id && ids.includes(id))

  /** What has not been read yet cannot be stepped over. */
  function placeAt(ids: string[], place: number) {
    const rest = list.order.filter((id) => !id || !ids.includes(id))
    const at = Math.max(0, Math.min(place, rest.length))
    const isRead = at === rest.length || rest[at] !== undefined
    if (isRead && at !== firstOf(ids)) placeBefore(ids, rest[at])
  }

  /** One step towards the start or the end. */
  function step(ids: string[], by: -1 | 1) {
    if (firstOf(ids) >= 0) placeAt(ids, firstOf(ids) + by)
  }

  /** To where the key would take the focus from the first of them. */
  function placeByKey(ids: string[], key: string) {
    const first = list.order[firstOf(ids)]
    const place = first === undefined ? undefined : grid.current?.placeFrom(first, key)
    if (first === undefined || place === undefined) return
    placeAt(ids, place)
    // The list has them there by the next frame.
    requestAnimationFrame(() => grid.current?.show(first))
  }

  function openCollection(collection: string | undefined) {
    layout.setTreeShown(false)
    here.go({ ...elsewhere, collection, sort: undefined })
  }

  function moveNow(ids: Iterable<string>, to: string | null) {
    const moved = actions.move(ids, to)
    selection.without(new Set(ids))
    return moved
  }

  function openFolder(folder: string | undefined) {
    layout.setTreeShown(false)
    here.go({ ...elsewhere, folder })
  }

  function open(id: string) {
    // One that is being made is nowhere yet.
    if (id === unnamedId) return
    if (!isFolderId(id)) quickLook.look(id)
    else if (here.isTrash) here.go({ inside: id, ...unfiltered, asset: undefined })
    else openFolder(id)
  }

  /** What is written of all that is here or of what is selected, on a page of its own: that guesses nothing. */
  function openTexts() {
    const { view: _v, asset: _a, look: _l, panel: _p, ...place } = list.place
    const search = { ...place, q: list.search.q, byFolder: list.search.byFolder || undefined }
    const to = library.frame === 'admin' ? '/clients/$clientId/texts' : '/portal/texts'
    const state = { chosen: chosenAssets() } as never
    void navigate({ to, params: { clientId: library.clientId }, search, state })
  }

  /** In the order in which they are shown. */
  function chosenAssets(): Chosen {
    const assets = new Set(page.selectedIds.filter((id) => !isFolderId(id)))
    const meant = meantBy(assets)
    if (meant) return { except: meant.except }
    const shown = list.order.filter((id) => id !== undefined && assets.has(id)) as string[]
    return assets.size > 0 ? { ids: [...new Set([...shown, ...assets])] } : {}
  }

  function openParent() {
    const above = list.path.at(-2)?.folderId
    if (here.isTrash && here.place.inside) here.go({ inside: above, asset: undefined })
    else if (here.isTrash || here.folderId) openFolder(tree.path(here.folderId).at(-2)?.folderId)
  }

  function goTo({ assetId, folderId }: AssetAt) {
    page.address.expect(assetId)
    here.go({ ...elsewhere, folder: folderId ?? undefined, asset: assetId })
  }

  function showAsset(asset: AssetAt) {
    setDialog(null)
    selection.only(asset.assetId)
    if (!list.order.includes(asset.assetId)) return goTo(asset)
    quickLook.closeLook()
    grid.current?.show(asset.assetId)
  }

  function showDetails(id: string) {
    if (!selection.has(id)) selection.only(id)
    layout.showDetails(true)
  }

  /** On a phone one selected item is the selection mode: it ends with what it was chosen for. */
  function closeDetails() {
    layout.showDetails(false)
    if (!layout.hasRoomForTree && selection.count === 1) selection.clear()
  }

  async function newFolder() {
    if (here.isMixed) await here.go({ ...unfiltered })
    const id = await actions.nameNewFolder(here.folderId)
    selection.only(id)
    // The list has it from the cache by the next frame.
    requestAnimationFrame(() => {
      grid.current?.show(id)
      selection.edit(id, 'name')
    })
  }

  function rename(id: string, inTree = false) {
    if (tree.byId.get(id)?.protected || !(isFolderId(id) ? may.shape : may.write)) return
    if (inTree && !layout.hasRoomForTree) layout.setTreeShown(true)
    selection.edit(id, isFolderId(id) ? (inTree ? 'tree' : 'name') : 'title')
  }

  /** What went with a folder comes back with it; its assets alone, too. */
  const mayRestore = (ids: string[]) => !here.place.inside || !ids.some(isFolderId)

  function restore(ids: string[]) {
    selection.clear()
    void actions.restore(ids)
  }

  /** Where another dialog was opened meanwhile, that one stays, and a toast leads to this. */
  function askTagsAgain(dialog: TagsRefused) {
    if (shown.current)
      toast({
        text: dialog.refused.why,
        bad: true,
        action: { label: batch('changeTags'), run: () => setDialog(dialog) },
      })
    else setDialog(dialog)
  }

  function closeDialog() {
    setDialog(null)
    quickLook.closeLook()
    page.focusGrid()
  }

  function closeMenu() {
    setMenu(null)
    if (!page.menu?.inTree && !selection.editing) grid.current?.focus()
  }

  function openMenu(id: string | null, spot: { x: number; y: number }) {
    const ids = id && !selection.has(id) ? [id] : [...selection.ids]
    setMenu({ ids: id ? ids : [], spot, inTree: false })
  }

  function openMenuAtFocus(): boolean {
    const id = focused()
    if (!id || !grid.current) return false
    if (!selection.has(id)) selection.only(id)
    setMenu({ ids: [...selection.ids], spot: grid.current.spotOf(id), inTree: false })
    return true
  }

  /** Only what has the focus is read aloud. */
  function moveFocus(key: string, extend: boolean): boolean {
    const moved = grid.current?.move(key, extend) ?? false
    if (moved) grid.current?.focus()
    return moved
  }

  const focused = () => selection.focus ?? page.onlyId
  const targets = () => (selection.ids.size ? [...selection.ids] : selection.focus ? [selection.focus] : [])

  /** With what is chosen, or else what has the focus, once the choice is complete. */
  const withTargets = (act: (ids: string[]) => void) =>
    void choosing.settled().then(() => targets().length && act(targets()))

  /** Where all of these are, if that is one place. */
  function commonPlace(ids: string[]): string | null | undefined {
    const places = new Set(
      ids.map((id) => {
        if (isFolderId(id)) return tree.byId.get(id)?.parentId ?? null
        return isEverything(id) ? here.folderId : folderOf(id)
      }),
    )
    return places.size === 1 ? [...places][0] : undefined
  }

  return {
    actions,
    openFolder,
    openParent,
    open,
    goTo,
    showAsset,
    showDetails,
    closeDetails,
    toggleDetails: () => layout.showDetails(!layout.detailsShown),
    toggleView: () => layout.setView(layout.view === 'grid' ? 'list' : 'grid'),
    search: () => page.search.current?.focus(),
    /** Beside what is looked for already. */
    showTag: (tag: string) =>
      here.go({
        inside: undefined,
        ...withTags([...tagsOf(here.place), tag]),
        ...whereItLooked(here.place),
        asset: undefined,
      }),
    openSearch: (place: Place) => {
      layout.setTreeShown(false)
      here.go({ ...elsewhere, ...place })
    },
    openCollection,
    step,
    placeByKey,
    takeOut: (ids: string[]) => {
      goOnBehind(ids, list.order, selection)
      void withNames(ids, (each) => collecting.takeOut(here.place.collection!, each, list.order))
    },
    upload: () => uploads.choose(here),
    replace: uploads.replace,
    newFolder,
    rename,
    move: (ids: string[]) => actions.saysLocked(ids) || setDialog({ kind: 'move', ids }),
    moveNow,
    copy: (what: 'ref' | 'refs' | 'link', ids: string[]) => withNames(ids, (each) => copy(what, each)),
    openFor,
    openTexts,
    download: download.these,
    downloadAll: () => void download.start({ search: list.search }),
    trash: trashing.ask,
    trashNow: trashing.trash,
    mayRestore,
    restore,
    undo: () => void undo.undoLatest(),
    help: () => setDialog({ kind: 'help' }),
    dialog: setDialog,
    askTagsAgain,
    closeDialog,
    openMenu,
    openTreeMenu: (id: string, spot: { x: number; y: number }) => setMenu({ ids: [id], spot, inTree: true }),
    openMenuAtFocus,
    closeMenu,
    moveFocus,
    selectAll() {
      grid.current?.focus()
      choosing.all()
    },
    focused,
    withTargets,
    commonPlace,
  }
}
