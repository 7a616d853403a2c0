import { lazy } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import type { Folder } from '../../../contract/folders.ts'
import { isFolderId } from '../../library/selection.ts'

const ItemMenu = lazy(() => import('./item-menu.tsx').then((room) => ({ default: room.ItemMenu })))
const GroundMenu = lazy(() => import('./ground-menu.tsx').then((room) => ({ default: room.GroundMenu })))

export interface Menu {
  /** Nothing: the menu of the empty ground. */
  ids: string[]
  spot: { x: number; y: number }
  /** Opened at the tree or the path, where a rename happens too. */
  inTree: boolean
}

interface OpenMenuProps {
  menu: Menu
  view: 'grid' | 'list'
  isTrash: boolean
  /** The folder that is open. */
  hereId: string | null
  assetOf(id: string): Asset | null
  folderOf(id: string): Folder | null
  onClose(): void
  onOpen(id: string): void
  onQuickLook(id: string): void
  onRename(id: string, inTree: boolean): void
  onDialog(kind: 'move' | 'tag' | 'deliver', ids: string[]): void
  mayDeliver: boolean
  onTrash(ids: string[]): void
  onRestore(ids: string[]): void
  onDetails(id: string): void
  onShowInFolder: ((asset: Asset) => void) | undefined
  onReplace(asset: Asset): void
  onCopy(what: 'ref' | 'refs' | 'link', ids: string[]): void
  onNewFolder: (() => void) | undefined
  onUpload: (() => void) | undefined
  onSelectAll: (() => void) | undefined
  onView(view: 'grid' | 'list'): void
}

/** The one menu that is open: of the ground, or of some assets and folders. */
export function OpenMenu(props: OpenMenuProps) {
  const { ids, spot, inTree } = props.menu
  const id = ids[0]
  if (!id) return <GroundMenu {...props} spot={spot} />
  const asset = ids.map(props.assetOf).find((each) => each) ?? null
  const folderId = ids.find(isFolderId)
  const { onShowInFolder } = props
  return (
    <ItemMenu
      spot={spot}
      ids={ids}
      asset={asset}
      folder={folderId ? props.folderOf(folderId) : null}
      inTrash={props.isTrash && !inTree}
      onClose={props.onClose}
      onOpen={id === props.hereId ? undefined : () => props.onOpen(id)}
      onQuickLook={() => props.onQuickLook(id)}
      // The closing menu gives the focus back first.
      onRename={() => setTimeout(() => props.onRename(id, inTree), 50)}
      onMove={() => props.onDialog('move', ids)}
      onTag={() => props.onDialog('tag', ids)}
      onDeliver={props.mayDeliver ? () => props.onDialog('deliver', ids) : undefined}
      onTrash={() => props.onTrash(ids)}
      onRestore={() => props.onRestore(ids)}
      onDetails={() => props.onDetails(id)}
      onShowInFolder={onShowInFolder && asset ? () => onShowInFolder(asset) : undefined}
      onReplace={() => asset && props.onReplace(asset)}
      onCopy={(what) => props.onCopy(what, ids)}
    />
  )
}
