import { lazy } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import type { Actions } from '../../assets/use-actions.ts'
import type { Tree } from '../../folders/folders.ts'
import { isFolderId, useSelection } from '../../library/selection.ts'

const QuickLook = lazy(() =>
  import('../../assets/quick-look.tsx').then((room) => ({ default: room.QuickLook })),
)
const MoveDialog = lazy(() =>
  import('../../folders/move-dialog.tsx').then((room) => ({ default: room.MoveDialog })),
)
const TagDialog = lazy(() =>
  import('../../assets/tag-dialog.tsx').then((room) => ({ default: room.TagDialog })),
)
const SurfacesDialog = lazy(() =>
  import('../../assets/surfaces-dialog.tsx').then((room) => ({ default: room.SurfacesDialog })),
)
const TrashDialog = lazy(() =>
  import('../../assets/trash-dialog.tsx').then((room) => ({ default: room.TrashDialog })),
)
const DeliverManyDialog = lazy(() =>
  import('../../deliveries/deliver-many-dialog.tsx').then((room) => ({ default: room.DeliverManyDialog })),
)
const HelpDialog = lazy(() => import('./help-dialog.tsx').then((room) => ({ default: room.HelpDialog })))

export type Dialog =
  | { kind: 'move' | 'tag' | 'surfaces' | 'deliver'; ids: string[] }
  /** `count` is how many go, with what is in the folders. */
  | { kind: 'trash'; ids: string[]; count: number }
  | { kind: 'help' }
  | { kind: 'look'; assetId: string }

/** The one dialog that is open. */
export function OpenDialog(props: {
  dialog: Dialog
  tree: Tree
  assets: (Asset | undefined)[]
  /** Where all of the chosen are, if that is one place. */
  from: string | null | undefined
  actions: Actions
  mayShape: boolean
  mayDelete: boolean
  onLook(assetId: string): void
  onTrash(ids: string[]): void
  onDetails(assetId: string): void
  onClose(): void
}) {
  const { dialog, assets, actions, onClose } = props
  const selection = useSelection()
  const chosenAssets = (ids: string[]) => ids.filter((id) => !isFolderId(id))

  if (dialog.kind === 'help') return <HelpDialog onClose={onClose} />
  if (dialog.kind === 'look')
    return (
      <QuickLook
        assetId={dialog.assetId}
        order={idsOf(assets)}
        onGo={props.onLook}
        onDetails={() => props.onDetails(dialog.assetId)}
        onTrash={props.mayDelete ? () => void actions.trash([dialog.assetId]) : undefined}
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
  if (dialog.kind === 'trash')
    return (
      <TrashDialog
        count={dialog.count}
        onTrash={() => {
          onClose()
          props.onTrash(ids)
        }}
        onClose={onClose}
      />
    )
  if (dialog.kind === 'deliver') return <DeliverManyDialog assetIds={chosenAssets(ids)} onClose={onClose} />
  if (dialog.kind === 'tag')
    return (
      <TagDialog
        assetIds={chosenAssets(ids)}
        onTag={(change) => {
          onClose()
          void actions.tag(ids, change)
        }}
        onClose={onClose}
      />
    )
  return (
    <SurfacesDialog
      assetIds={chosenAssets(ids)}
      onChange={(change) => {
        onClose()
        void actions.changeSurfaces(ids, change)
      }}
      onClose={onClose}
    />
  )
}

/** Holes stay holes: the quick look knows how many there are, and reads on. */
function idsOf(assets: (Asset | undefined)[]): string[] {
  const ids = new Array<string>(assets.length)
  assets.forEach((asset, at) => {
    if (asset) ids[at] = asset.assetId
  })
  return ids
}
