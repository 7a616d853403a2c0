// biome-ignore-all lint/a11y/useSemanticElements: rows and cells of a grid that is no table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: `useCell` gives the role of a grid cell, which takes a label
import { Folder as FolderIcon, Lock } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { ApprovalState, Asset } from '../../contract/assets.ts'
import { type Folder, parentOf } from '../../contract/folders.ts'
import type { Surface } from '../../contract/words.ts'
import { EditFolderName } from '../folders/edit-folder-name.tsx'
import { useTrashedPath } from '../folders/folders.ts'
import type { Library } from '../library/library.tsx'
import { useCellState, useSelection } from '../library/selection.ts'
import { pathText } from '../ui/path-text.ts'
import { EditField } from './edit-field.tsx'
import { duration } from './formats.ts'
import { type FoundField, foundIn, markedIn, type Sought } from './found-in.ts'
import { isVideo, Picture, typeOf } from './picture.tsx'
import { haveEnded } from './rights-end.ts'
import { TrashNote } from './trash-note.tsx'
import { Marked, WhyFound } from './why-found.tsx'

/** The words tiles need, looked up once for all of them. */
export interface TileWords {
  noAlt: string
  rightsEnded: string
  making: string
  locked: string
  rename: string
  folder: string
  surfaces: Record<Surface | 'all', string>
  approval: Record<ApprovalState, string>
  menu(title: string): string
  size(bytes: number): string
  date(timestamp: string): string
  place(folderId: string | null): string
  /** From the top down to the folder. */
  steps(folderId: string | null): string[]
  /** What is in the trash may have been in one that is there, too. */
  isThere(folderId: string | null): boolean
  deletedFolder: string
  path(folderId: string | null): string
  count(assets: number): string
  number(value: number): string
  showTag(tag: string): string
  foundIn: Record<FoundField, string>
}

export interface TileProps {
  library: Library
  words: TileWords
  column: number
  mayEdit: boolean
  /** Among others from elsewhere: it says where it is. */
  isMixed: boolean
  /** The words it was found by. */
  sought?: Sought | undefined
  /** It has not the words, but is similar in meaning. */
  isSimilar?: boolean
  /** What it was merged into as a duplicate. */
  mergedInto?: string | undefined
  /** How wide it shows, in CSS pixels. */
  width: number
}

export const cellId = (id: string) => `cell-${id}`

/**
 * `data-act` says what each part of a tile does; the grid listens once for all. Hundreds of tiles come and go
 * while scrolling, so they are plain elements.
 */
export const Tile = memo(function Tile({
  asset,
  library,
  words,
  column,
  mayEdit,
  isMixed,
  sought,
  isSimilar,
  mergedInto,
  width,
}: TileProps & { asset: Asset }) {
  const { props: cell, edited } = useCell(asset.assetId, column)
  const editing = edited === 'title'
  return (
    <div {...cell} className={`tile ${cell.className}`} draggable={mayEdit && !editing}>
      <div className="tile-picture">
        <Picture asset={asset} library={library} sizes={Math.ceil(width)} making={words.making} />
        {asset.media.storyboard && <span className="scrub" />}
        <span className="tile-type">{typeOf(asset.mimeType)}</span>
        {asset.durationSeconds !== null && isVideo(asset) && (
          <span className="tile-duration">{duration(asset.durationSeconds)}</span>
        )}
      </div>
      <div className="tile-body">
        {editing ? (
          <TitleEdit asset={asset} />
        ) : (
          <div className="tile-title">
            <span data-act={mayEdit ? 'title' : undefined}>{titleOf(asset, { sought, isSimilar })}</span>
            {mayEdit && <Pen words={words} />}
          </div>
        )}
        {isMixed && <Path words={words} folderId={asset.folderId} isTrashed={!!asset.trashedAt} isSaid />}
        <TrashNote asset={asset} mergedInto={mergedInto} />
        <Badges asset={asset} words={words} tags={tagsIn(width, asset, words)} />
        {sought && (
          <span className="found-room">
            <WhyFound found={whyFound(asset, { words, sought, isSimilar })} labels={words.foundIn} />
          </span>
        )}
      </div>
      <Tick />
      <More label={words.menu(asset.title)} />
    </div>
  )
})

export const AssetRow = memo(function AssetRow({
  asset,
  library,
  words,
  row,
  mayEdit,
  isMixed,
  sought,
  isSimilar,
  mergedInto,
}: Omit<TileProps, 'column'> & { asset: Asset; row: number }) {
  const { props: line, edited } = useItem(asset.assetId)
  const selection = useSelection()
  const found = whyFound(asset, { words, sought, isSimilar })
  const isQuoted = found.some(({ field }) => field === 'description')
  return (
    <div
      {...line}
      role="row"
      aria-rowindex={row}
      className={`line ${isMixed ? 'is-mixed' : ''} ${line.className}`}
      draggable={mayEdit && !edited}
    >
      <Tick />
      <span className="line-picture">
        <Picture asset={asset} library={library} sizes={48} />
      </span>
      <Cell at="words" index={1}>
        {edited === 'title' ? (
          <TitleEdit asset={asset} />
        ) : (
          <span className="tile-title">
            <span data-act={mayEdit ? 'title' : undefined}>{titleOf(asset, { sought, isSimilar })}</span>
            {mayEdit && <Pen words={words} />}
          </span>
        )}
        {edited === 'description' ? (
          <EditField asset={asset} field="description" onEnd={() => selection.endEdit()} />
        ) : (
          (found.length > 0 || asset.description || asset.tags.length > 0 || asset.trashedAt) && (
            <span className="line-under">
              <TrashNote asset={asset} mergedInto={mergedInto} />
              <WhyFound
                found={found}
                labels={words.foundIn}
                act={isQuoted && mayEdit ? 'description' : undefined}
              />
              {asset.description && !isQuoted && (
                <span className="line-description" data-act={mayEdit ? 'description' : undefined}>
                  {asset.description}
                </span>
              )}
              <Tags asset={asset} words={words} most={mostTagsShown} />
              <MoreTags asset={asset} words={words} most={mostTagsShown} />
            </span>
          )
        )}
      </Cell>
      <Cell at="badges" index={2}>
        <Badges asset={asset} words={words} />
      </Cell>
      <Cell at="place" index={3}>
        {isMixed || asset.trashedAt ? (
          <Path words={words} folderId={asset.folderId} isTrashed={!!asset.trashedAt} isSaid />
        ) : (
          <span title={words.path(asset.folderId)}>{words.place(asset.folderId)}</span>
        )}
      </Cell>
      <Cell at="type" index={4}>
        {typeOf(asset.mimeType)}
      </Cell>
      <Cell at="size" index={5}>
        {words.size(asset.sizeBytes)}
      </Cell>
      <Cell at="date" index={6}>
        {words.date(asset.trashedAt ?? asset.createdAt)}
      </Cell>
      <Cell at="more" index={7}>
        <More label={words.menu(asset.title)} />
      </Cell>
    </div>
  )
})

const Cell = ({ at, index, ...rest }: { at: string; index: number; children: ReactNode }) => (
  <span role="gridcell" aria-colindex={index} className={`line-${at}`} {...rest} />
)

export const FolderTile = memo(function FolderTile({
  folder,
  words,
  column,
  mayEdit,
  isMixed,
  count,
  columns,
}: TileProps & { folder: Folder; count: number | undefined; columns?: number }) {
  const { props: cell, edited } = useCell(folder.folderId, column)
  const selection = useSelection()
  const editing = edited === 'name'
  const movable = mayEdit && !folder.protected && !folder.trashedAt
  // Said in full here, so what stands beside the name is drawn by the style sheet.
  const label = [
    `${words.folder}: ${folder.name}`,
    isMixed && words.path(parentOf(folder)),
    count !== undefined && words.count(count),
    folder.protected && words.locked,
  ]
  return (
    <div
      {...cell}
      className={`folder-tile ${cell.className}`}
      aria-label={label.filter(Boolean).join(', ')}
      aria-colspan={columns}
      draggable={movable && !editing}
      data-drop-folder={folder.trashedAt ? undefined : folder.folderId}
    >
      <Tick />
      <FolderIcon size={20} className="folder-tile-icon" />
      <span className="folder-tile-name">
        {editing ? (
          <EditFolderName folder={folder} onEnd={() => selection.endEdit()} />
        ) : (
          <Name name={folder.name} />
        )}
        {isMixed && !editing && <Path words={words} folderId={parentOf(folder)} />}
      </span>
      {count !== undefined && (
        <span className="folder-tile-count" data-words={words.number(count)} title={words.count(count)} />
      )}
      {folder.protected && (
        <span className="folder-tile-lock" title={words.locked}>
          <Lock size={14} />
        </span>
      )}
      <More label={words.menu(folder.name)} />
    </div>
  )
})

/** Where an asset will stand once it has been read. */
export const Blank = ({ column, view }: { column: number; view: 'grid' | 'list' }) => (
  <div
    role="gridcell"
    aria-colindex={column + 1}
    aria-busy
    className={view === 'list' ? 'line line-blank' : 'tile tile-blank'}
  />
)

/** Its end, often a year or a number, tells one from another and stays in sight. */
function Name({ name }: { name: string }) {
  const letters = [...name]
  const end = letters.length > 12 ? 5 : 0
  return (
    <span className="folder-tile-words" dir="auto" title={name}>
      <span>{letters.slice(0, letters.length - end).join('')}</span>
      {end > 0 && <span>{letters.slice(-end).join('')}</span>}
    </span>
  )
}

function Path({
  words,
  folderId,
  isTrashed,
  isSaid,
}: {
  words: TileWords
  folderId: string | null
  isTrashed?: boolean
  isSaid?: boolean
}) {
  if (isTrashed && !words.isThere(folderId)) return <PathInTrash words={words} folderId={folderId!} />
  return <Steps steps={words.steps(folderId)} isSaid={isSaid} />
}

function PathInTrash({ words, folderId }: { words: TileWords; folderId: string }) {
  const path = useTrashedPath(folderId)
  const names = path?.map(({ name }) => name) ?? ['']
  return <Steps steps={names.length > 0 ? names : [words.deletedFolder]} isSaid />
}

/** Its end tells one folder from another, and stays in sight; whoever listens hears all of it. */
function Steps({ steps, isSaid }: { steps: string[]; isSaid: boolean | undefined }) {
  const path = pathText(steps)
  const above = steps.at(-2)
  const isCut = steps.length > 2
  return (
    <span className="tile-path" title={path}>
      {isSaid && <span className="unseen">{path}</span>}
      {isCut && (
        <span className="tile-path-cut" aria-hidden>
          …
        </span>
      )}
      {above && (
        <span aria-hidden>
          {isCut && ' / '}
          <bdi>{above}</bdi>
        </span>
      )}
      <span aria-hidden>
        {above && ' / '}
        <bdi>{steps.at(-1)}</bdi>
      </span>
    </span>
  )
}

function useCell(id: string, column: number) {
  const { edited, props } = useItem(id)
  return { edited, props: { ...props, role: 'gridcell', 'aria-colindex': column + 1 } } as const
}

function useItem(id: string) {
  const { selected, focused, edited } = useCellState(id)
  return {
    edited,
    props: {
      id: cellId(id),
      'data-id': id,
      'aria-selected': selected,
      className: `${selected ? 'is-selected' : ''} ${focused ? 'is-focused' : ''}`,
    },
  }
}

function TitleEdit({ asset }: { asset: Asset }) {
  const selection = useSelection()
  return (
    <div className="tile-title">
      <EditField asset={asset} field="title" onEnd={() => selection.endEdit()} />
    </div>
  )
}

/** In one line: what keeps it from being used comes first, and how many tags are not there is told in any case. */
function Badges({ asset, words, tags }: { asset: Asset; words: TileWords; tags?: number }) {
  return (
    <span className="badges">
      <span className="badges-line">
        {haveEnded(asset.rightsExpireAt) && <span className="badge badge-warn">{words.rightsEnded}</span>}
        {asset.approval !== 'none' && (
          <span className="badge" data-approval={asset.approval}>
            {words.approval[asset.approval]}
          </span>
        )}
        {!asset.altText && <span className="badge badge-warn">{words.noAlt}</span>}
        {asset.allowedSurfaces.map((surface) => (
          <span key={surface} className="badge">
            {words.surfaces[surface]}
          </span>
        ))}
        {tags !== undefined && <Tags asset={asset} words={words} most={tags} />}
        {asset.allowedSurfaces.length === 0 && <span className="badge">{words.surfaces.all}</span>}
      </span>
      {tags !== undefined && <MoreTags asset={asset} words={words} most={tags} />}
    </span>
  )
}

/** With the words it was found by. */
const titleOf = ({ title }: Asset, { sought, isSimilar }: Pick<TileProps, 'sought' | 'isSimilar'>) =>
  sought && !isSimilar ? <Marked pieces={markedIn(title, sought.words)} /> : title

function whyFound(
  asset: Asset,
  { words, sought, isSimilar }: Pick<TileProps, 'words' | 'sought' | 'isSimilar'>,
) {
  if (!sought) return []
  if (isSimilar) return [{ field: 'meaning' as const, pieces: [] }]
  return foundIn(asset, sought.words, sought.byFolder ? words.steps(asset.folderId).slice(1) : [])
}

const mostTagsShown = 3

/** So many that there is room beside them to say how many more there are, about. */
function tagsIn(width: number, asset: Asset, words: TileWords): number {
  const { altText, approval, allowedSurfaces, rightsExpireAt, tags } = asset
  const others = [
    haveEnded(rightsExpireAt) && words.rightsEnded,
    approval !== 'none' && words.approval[approval],
    !altText && words.noAlt,
    ...allowedSurfaces.map((surface) => words.surfaces[surface]),
  ]
  const beside = others.reduce((room, word) => room - (word ? badgeWidth(word) : 0), width - 58)
  let room = beside
  const tooMany = tags.findIndex((tag) => {
    room -= readableWidth(tag)
    return room < 0
  })
  return tooMany < 0 ? mostTagsShown : Math.max(beside < 48 ? 0 : 1, Math.min(tooMany, mostTagsShown))
}

/** With the gap after it. */
const badgeWidth = (word: string) => 18 + 6 * word.length

/** Of a tag in a tile, with the gap after it: a long one is cut, but not beyond recognition. */
const readableWidth = (tag: string) => Math.min(badgeWidth(tag), 76)

interface TagsProps {
  asset: Asset
  words: TileWords
  most: number
}

/** By keyboard they are reached in the details. */
const Tags = ({ asset, words, most }: TagsProps) =>
  asset.tags.slice(0, most).map((tag) => (
    <button
      key={tag}
      type="button"
      className="badge badge-tag"
      data-act="tag"
      data-tag={tag}
      tabIndex={-1}
      title={words.showTag(tag)}
    >
      {tag}
    </button>
  ))

function MoreTags({ asset, words, most }: TagsProps) {
  const more = asset.tags.slice(most)
  if (more.length === 0) return null
  return (
    <span className="badge" title={more.join(', ')}>
      +{words.number(more.length)}
    </span>
  )
}

// Drawn by the style sheet: icon components would cost more than the rest of a tile.
const Tick = () => <span className="tick" data-act="select" aria-hidden />

const Pen = ({ words }: { words: TileWords }) => (
  <button type="button" className="pen" data-act="rename" tabIndex={-1} title={words.rename} aria-hidden />
)

const More = ({ label }: { label: string }) => (
  <button type="button" className="tile-more" data-act="menu" tabIndex={-1} aria-label={label} />
)
