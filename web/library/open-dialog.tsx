import { lazy } from 'react'
import type { Asset } from '../../contract/assets.ts'
import type { Tree } from '../folders/folders.ts'
import { isFolderId, useSelection } from './selection.ts'
import type { Actions } from './use-actions.ts'

const QuickLook = lazy(() => import('../assets/quick-look.tsx').then((room) => ({ default: room.QuickLook })))
const dialogs = () => import('./dialogs.tsx')
const MoveDialog = lazy(() => dialogs().then((room) => ({ default: room.MoveDialog })))
const TagDialog = lazy(() => dialogs().then((room) => ({ default: room.TagDialog })))
const SurfacesDialog = lazy(() => dialogs().then((room) => ({ default: room.SurfacesDialog })))
const HelpDialog = lazy(() => dialogs().then((room) => ({ default: room.HelpDialog })))

export type Dialog =
  | { kind: 'move' | 'tag' | 'surfaces'; ids: string[] }
  | { kind: 'help' }
  | { kind: 'look'; assetId: string }

/** The one dialog that is open. */
export function OpenDialog(props: {
  dialog: Dialog
  tree: Tree
  assets: Asset[]
  /** Where all of the chosen are, if that is one place. */
  from: string | null | undefined
  actions: Actions
  mayShape: boolean
  onLook(assetId: string): void
  onDetails(assetId: string): void
  /** Absent where nothing can be thrown away. */
  onTrash?(assetId: string): void
  onClose(): void
}) {
  const { dialog, assets, actions, onClose } = props
  const selection = useSelection()
  const chosenAssets = (ids: string[]) => ids.filter((id) => !isFolderId(id)).length

  if (dialog.kind === 'help') return <HelpDialog onClose={onClose} />
  if (dialog.kind === 'look')
    return (
      <QuickLook
        assetId={dialog.assetId}
        order={assets.map(({ assetId }) => assetId)}
        onGo={props.onLook}
        onDetails={() => props.onDetails(dialog.assetId)}
        onTrash={props.onTrash && (() => props.onTrash!(dialog.assetId))}
        onClose={onClose}
      />
    )
  const { ids } = dialog
  if (dialog.kind === 'move')
    return (
      <MoveDialog
        tree={props.tree}
        ids={ids}
        from={props.from}
        onMove={(to) => {
          onClose()
          selection.clear()
          void actions.move(ids, to)
        }}
        onNewFolder={props.mayShape ? actions.newFolder : undefined}
        onClose={onClose}
      />
    )
  if (dialog.kind === 'tag')
    return (
      <TagDialog
        count={chosenAssets(ids)}
        onTag={(tags) => {
          onClose()
          void actions.tag(ids, tags)
        }}
        onClose={onClose}
      />
    )
  return (
    <SurfacesDialog
      count={chosenAssets(ids)}
      initial={assets.find(({ assetId }) => assetId === ids[0])?.allowedSurfaces ?? []}
      onSet={(surfaces) => {
        onClose()
        void actions.setSurfaces(ids, surfaces)
      }}
      onClose={onClose}
    />
  )
}
