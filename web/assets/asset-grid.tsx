// biome-ignore-all lint/a11y/useSemanticElements: a grid of tiles is no table, and only some of its rows exist
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for its rows and cells
import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Asset, MergedInto } from '../../contract/assets.ts'
import type { Folder } from '../../contract/folders.ts'
import type { Sort } from '../../contract/search.ts'
import type { Tree } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { useFocus, useSelection } from '../library/selection.ts'
import { focusIfLost, useFocusGoesOn } from '../ui/focus.ts'
import { rowHeights } from '../ui/row-heights.ts'
import { useRows } from '../ui/use-rows.ts'
import { soughtBy } from './found-in.ts'
import { layoutOf, moved } from './layout.ts'
import { headHeight, ListHead, listColumns } from './list-head.tsx'
import { useMarquee } from './marquee.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { useShortWindow } from './short-window.ts'
import { AssetRow, Blank, cellId, FolderTile, Tile } from './tile.tsx'
import { useTileWords } from './tile-words.ts'
import { usePointing } from './use-pointing.ts'
import './assets.css'

export interface GridHandle {
  /** Takes a key press; true if the key moved the focus. */
  move(key: string, extend: boolean): boolean
  /** Where the key leads to in the order from there, if it moves the focus. */
  placeFrom(id: string, key: string): number | undefined
  show(id: string): void
  /** Scrolls to a place in the order, whether what stands there has been read or not. */
  showAt(index: number): void
  focus(): void
  /** Where the item stands on the screen, for a menu opened by key. */
  spotOf(id: string): { x: number; y: number }
}

interface AssetGridProps {
  ref: Ref<GridHandle>
  label: string
  view: 'grid' | 'list'
  /** How wide a tile is at least. */
  tileWidth: number
  /** What tells this place from others. */
  placeKey: string
  /** The order in which they stand; undefined where it was put in order by hand. */
  sort: Sort | undefined
  folders: Folder[]
  /** How many assets a folder holds, as far as is known. */
  countIn(folderId: string): number | undefined
  /** Those that nobody has read yet are holes; so they are in `order`, which has the folders first. */
  assets: (Asset | undefined)[]
  order: (string | undefined)[]
  /** What all of it was found by. */
  q: string | undefined
  /** Words in the names of folders count, too. */
  byFolder: boolean
  /** Those that words did not find. */
  byMeaning: ReadonlySet<string> | undefined
  /** What was merged as a duplicate, and into what. */
  mergedInto: ReadonlyMap<string, MergedInto> | undefined
  indexOf(id: string | null): number
  assetOf(id: string): Asset | null
  tree: Tree
  /** The assets come from many folders: each says from which. */
  isMixed: boolean
  /** Each says how long it stays. */
  isTrash: boolean
  /** There may be more than those. */
  isAtLeast: boolean
  /** Assets from this place in the list to that one are in sight. */
  onNeed(from: number, to: number): void
  /** Everything at these places in `order`, or from the anchor to this one. */
  /** `isFinal`: not only on the way to a larger choice. */
  onChoose(indexes: number[], isFinal: boolean): void
  onChooseTo(index: number): void
  onSort(sort: Sort): void
  onOpen(id: string): void
  onQuickLook(id: string): void
  /** Narrows down to what has it, too. */
  onTag(tag: string): void
  /** Without an id: of the empty ground. */
  onMenu(id: string | null, spot: { x: number; y: number }): void
  children?: ReactNode
}

const gap = 16
const narrow = 768

export function AssetGrid({
  ref,
  label,
  view,
  tileWidth,
  placeKey,
  sort,
  folders,
  countIn,
  assets,
  order,
  q,
  byFolder,
  byMeaning,
  mergedInto,
  indexOf,
  assetOf,
  tree,
  isMixed,
  isTrash,
  isAtLeast,
  onNeed,
  onChoose,
  onChooseTo,
  onSort,
  onOpen,
  onQuickLook,
  onTag,
  onMenu,
  children,
}: AssetGridProps) {
  const library = useLibrary()
  const selection = useSelection()
  const focus = useFocus()
  const words = useTileWords(tree)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  useShortWindow(scroller)
  useFocusGoesOn(scroller)
  const mayEdit = library.can('assets:write')
  const sought = useMemo(() => soughtBy(q, byFolder), [q, byFolder])

  const phone = width < narrow - 240
  const side = phone || innerWidth < narrow ? 12 : 24 // as the bar above it
  const inner = Math.max(0, width - 2 * side)
  const space = phone ? 12 : gap
  const columns =
    view === 'list' ? 1 : phone ? 2 : Math.max(1, Math.floor((inner + space) / (tileWidth + space)))
  const layout = useMemo(
    () => layoutOf(folders.length, assets.length, columns),
    [folders.length, assets.length, columns],
  )
  const folderHeight = view === 'list' ? 48 : 48 + space
  const pictureHeight = phone ? 122 : Math.round(tileWidth * 0.79)
  const linesMore = [isMixed, isTrash, sought].filter(Boolean).length
  const bodyHeight = (phone ? 62 : 68) + 18 * linesMore
  const assetHeight = view === 'list' ? 64 : pictureHeight + bodyHeight + space
  const { folderRows, rowCount } = layout
  const isLaidOut = width > 0
  const heights = useMemo(() => {
    const folderBand = { count: folderRows, height: folderHeight, above: 8 }
    const assetBand = { count: rowCount - folderRows, height: assetHeight, above: 8 }
    return rowHeights(isLaidOut ? [folderBand, assetBand] : [], 104)
  }, [isLaidOut, folderRows, rowCount, folderHeight, assetHeight])
  const rows = useRows(scroller, heights, 2, view === 'list' && !phone ? headHeight : 0)
  useScrollMemory(scroller, rows, placeKey, isLaidOut)

  const ahead = 4 * columns
  const firstSeen = layout.span(rows.inSight[0] ?? 0)[0] - folders.length - ahead
  const lastSeen = layout.span(rows.inSight.at(-1) ?? 0)[1] - folders.length + ahead
  useEffect(() => onNeed(Math.max(0, firstSeen), lastSeen), [firstSeen, lastSeen, onNeed])

  function show(id: string) {
    const index = indexOf(id)
    if (index >= 0) rows.show(layout.rowOf(index))
  }

  // The number of columns changed: what had the focus stays in sight. At first it is where it was left.
  const wasLaidOut = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of columns calls for it
  useEffect(() => {
    if (focus && wasLaidOut.current) show(focus)
    wasLaidOut.current = isLaidOut
  }, [columns, view, isLaidOut])

  // A key may lead to an asset that has to be read first.
  const awaited = useRef<{ index: number; extend: boolean } | null>(null)
  function arrive() {
    const id = awaited.current && order[awaited.current.index]
    if (!id) return
    const { index, extend } = awaited.current!
    awaited.current = null
    if (extend) onChooseTo(index)
    else selection.only(id)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever more has been read
  useEffect(arrive, [order])

  function placeFrom(id: string | null, key: string) {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / assetHeight))
    return moved(layout, indexOf(id), key, page)
  }

  useImperativeHandle(ref, () => ({
    move(key, extend) {
      const to = placeFrom(selection.focus, key)
      if (to === undefined) return false
      rows.show(layout.rowOf(to))
      awaited.current = { index: to, extend }
      arrive()
      return true
    },
    placeFrom,
    show,
    showAt: (index) => rows.show(layout.rowOf(index), 'center'),
    focus: () => scroller.current?.focus({ preventScroll: true }),
    spotOf(id) {
      const box = (document.getElementById(cellId(id)) ?? scroller.current)!.getBoundingClientRect()
      return { x: box.left + Math.min(box.width / 2, 120), y: box.top + Math.min(box.height / 2, 80) }
    },
  }))

  // An edit that ends leaves the keyboard in the grid, not nowhere.
  useEffect(() => {
    let wasEditing = false
    return selection.store.subscribe(() => {
      const ended = wasEditing && !selection.editing
      wasEditing = selection.editing !== null
      if (!ended) return
      focusIfLost(() => scroller.current)
    })
  }, [selection])

  const marquee = useMarquee(scroller, rows.offset, (box, isDrawn) => {
    const inside: number[] = []
    const step = (inner + space) / columns
    for (const row of rowsBetween(box.top, box.bottom)) {
      const [from, to] = layout.span(row)
      for (let index = from; index < to; index++) {
        const left = side + (index - from) * step
        if (left < box.right && left + step - space > box.left) inside.push(index)
      }
    }
    onChoose(inside, isDrawn)
  })
  const isDrawing = marquee.box !== null
  useEffect(() => selection.draw(isDrawing), [selection, isDrawing])

  function rowsBetween(top: number, bottom: number): number[] {
    const found: number[] = []
    for (let row = heights.rowAt(top); row < heights.count && heights.startOf(row) < bottom; row++)
      if (heights.endOf(row) - space > top) found.push(row)
    return found
  }

  const pointing = usePointing({
    marquee,
    assetOf,
    onBegin: () => {
      awaited.current = null
    },
    onChooseTo: (id) => onChooseTo(indexOf(id)),
    onOpen,
    onQuickLook,
    onTag,
    onMenu,
  })

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the library page takes the keys for the whole grid
    <div
      ref={scroller}
      className={`grid-scroller ${phone ? 'is-phone' : ''} ${view === 'list' ? 'is-list' : ''}`}
      role="grid"
      tabIndex={0}
      aria-label={label}
      data-by-hand={!sort && mayEdit ? '' : undefined}
      aria-multiselectable
      aria-rowcount={isAtLeast ? -1 : layout.rowCount + (view === 'list' ? 1 : 0)}
      aria-colcount={view === 'list' ? listColumns : columns}
      aria-activedescendant={focus && indexOf(focus) >= 0 ? cellId(focus) : undefined}
      {...pointing}
      onFocus={() => {
        if (indexOf(selection.focus) < 0 && !selection.followed && order[0]) selection.focusOn(order[0])
      }}
    >
      {view === 'list' && <ListHead sort={sort} isTrash={isTrash} onSort={onSort} />}
      <div role="presentation" className="grid-rows" style={{ height: rows.height }}>
        {rows.inSight.map((row) => {
          const [from, to] = layout.span(row)
          const rowIndex = row + 1 + (view === 'list' ? 1 : 0)
          // An asset in the list is itself the row, with a cell for each column.
          const isLine = view === 'list' && assets[from - folders.length] !== undefined
          return (
            <div
              key={row}
              {...(isLine ? { role: 'presentation' } : { role: 'row', 'aria-rowindex': rowIndex })}
              className="grid-row"
              style={{
                top: rows.topOf(row),
                height: row < layout.folderRows ? 48 : assetHeight - (view === 'list' ? 0 : space),
                left: side,
                width: inner,
                gap: space,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              }}
            >
              {Array.from({ length: to - from }, (_, column) => {
                const index = from + column
                const shared = { library, words, column, mayEdit, isMixed, width: inner / columns }
                const folder = folders[index]
                if (folder)
                  return (
                    <FolderTile
                      key={folder.folderId}
                      folder={folder}
                      count={countIn(folder.folderId)}
                      columns={view === 'list' ? listColumns : undefined}
                      {...shared}
                      isMixed={isMixed && !isTrash}
                    />
                  )
                const asset = assets[index - folders.length]
                if (!asset) return <Blank key={`blank ${index}`} column={column} view={view} />
                const isSimilar = byMeaning?.has(asset.assetId) ?? false
                const its = {
                  ...shared,
                  asset,
                  sought,
                  isSimilar,
                  mergedInto: mergedInto?.get(asset.assetId)?.title,
                  mayEdit: mayEdit && !asset.trashedAt,
                }
                return isLine ? (
                  <AssetRow key={asset.assetId} row={rowIndex} {...its} />
                ) : (
                  <Tile key={asset.assetId} {...its} />
                )
              })}
            </div>
          )
        })}
        {marquee.box && (
          <div className="marquee" style={{ ...marquee.box, top: marquee.box.top - rows.shift }} />
        )}
      </div>
      {children}
    </div>
  )
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const watched = element.current!
    setWidth(watched.clientWidth)
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return width
}
