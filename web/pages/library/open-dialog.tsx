import { Suspense, useState } from 'react'
import type { Asset } from '../../../contract/assets.ts'
import { useLibrary } from '../../library/library.tsx'
import { isCollectionId, isFolderId } from '../../library/selection.ts'
import { isHalfSaid } from '../../review/drafts.ts'
import { useWaiting } from '../../review/waiting.ts'
import { partOf } from '../../ui/part.ts'
import type { Dialog } from './overlays.ts'
import { DetailsOf } from './panels.tsx'
import type { LibraryPage } from './use-commands.ts'

const Pins = partOf(() => import('../../review/pins.tsx'), 'Pins')
const WaitingNote = partOf(() => import('../../review/waiting-note.tsx'), 'WaitingNote')
const QuickLook = partOf(() => import('../../assets/quick-look.tsx'), 'QuickLook')
const MoveDialog = partOf(() => import('../../folders/move-dialog.tsx'), 'MoveDialog')
const TagDialog = partOf(() => import('../../assets/tag-dialog.tsx'), 'TagDialog')
const SurfacesDialog = partOf(() => import('../../assets/surfaces-dialog.tsx'), 'SurfacesDialog')
const RightsDialog = partOf(() => import('../../assets/rights-dialog.tsx'), 'RightsDialog')
const TrashDialog = partOf(() => import('../../assets/trash-dialog.tsx'), 'TrashDialog')
const DeliverOneDialog = partOf(() => import('../../deliveries/deliver-dialog.tsx'), 'DeliverOneDialog')
const DeliverSetDialog = partOf(() => import('../../deliveries/deliver-set-dialog.tsx'), 'DeliverSetDialog')
const CropOneDialog = partOf(() => import('../../assets/crop-dialog.tsx'), 'CropOneDialog')
const purging = () => import('../../folders/purge-dialog.tsx')
const PurgeDialog = partOf(purging, 'PurgeDialog')
const EmptyTrashDialog = partOf(purging, 'EmptyTrashDialog')
const ShareDialog = partOf(() => import('../../shares/share-dialog.tsx'), 'ShareDialog')
const AskDialog = partOf(() => import('../../review/ask-dialog.tsx'), 'AskDialog')
const RequestDialog = partOf(() => import('../../upload-requests/request-dialog.tsx'), 'RequestDialog')
const CollectDialog = partOf(() => import('../../collections/collect-dialog.tsx'), 'CollectDialog')
const naming = () => import('../../collections/collection-dialogs.tsx')
const NameDialog = partOf(naming, 'NameDialog')
const DeleteDialog = partOf(naming, 'DeleteDialog')
const HelpDialog = partOf(() => import('./help-dialog.tsx'), 'HelpDialog')

/** The one dialog that is open. */
export function OpenDialog({
  page,
  dialog,
  onClose: closeDialog,
}: {
  page: LibraryPage
  dialog: Dialog
  onClose(): void
}) {
  const { can } = useLibrary()
  const { selection, commands } = page
  const { actions } = commands
  if (dialog.kind === 'help') return <HelpDialog onClose={closeDialog} />
  if (dialog.kind === 'look') return <Look page={page} assetId={dialog.assetId} />
  if (dialog.kind === 'name-collection' || dialog.kind === 'delete-collection')
    return <OfCollection page={page} dialog={dialog} />
  if (dialog.kind === 'empty-trash')
    return (
      <EmptyTrashDialog
        folderId={dialog.folderId}
        onDone={dialog.folderId ? () => commands.openFolder('trash') : undefined}
        onClose={closeDialog}
      />
    )
  const { ids } = dialog
  if (dialog.kind === 'purge')
    return (
      <PurgeDialog
        ids={ids}
        onClose={() => {
          selection.clear()
          closeDialog()
        }}
      />
    )
  const assetIds = ids.filter((id) => !isFolderId(id))
  if (dialog.kind === 'collect') return <CollectDialog assetIds={assetIds} onClose={closeDialog} />
  if (dialog.kind === 'share') return <Sharing page={page} ids={ids} />
  if (dialog.kind === 'ask')
    return <RequestDialog folder={page.tree.byId.get(ids[0]!) ?? null} onClose={closeDialog} />
  if (dialog.kind === 'review') return <AskDialog assetIds={assetIds} onClose={closeDialog} />
  if (dialog.kind === 'crop') return <CropOneDialog assetId={assetIds[0]!} onClose={closeDialog} />
  if (dialog.kind === 'plan') return <DeliverSetDialog assetIds={assetIds} asCarousel onClose={closeDialog} />
  if (dialog.kind === 'deliver')
    return assetIds.length === 1 ? (
      <DeliverOneDialog assetId={assetIds[0]!} onClose={closeDialog} />
    ) : (
      <DeliverSetDialog assetIds={assetIds} asCarousel={false} onClose={closeDialog} />
    )

  const closing =
    <Args extends unknown[]>(act: (...args: Args) => unknown) =>
    (...args: Args) => {
      closeDialog()
      void act(...args)
    }
  if (dialog.kind === 'move')
    return (
      <MoveDialog
        tree={page.tree}
        ids={ids}
        from={page.here.isMixed ? undefined : commands.commonPlace(ids)}
        onMove={closing((to) => commands.moveNow(ids, to))}
        onNewFolder={can('folders:write') ? actions.newFolder : undefined}
        onClose={closeDialog}
      />
    )
  if (dialog.kind === 'trash')
    return (
      <TrashDialog
        count={dialog.count}
        inside={dialog.inside}
        onTrash={closing(() => commands.trashNow(ids))}
        onClose={closeDialog}
      />
    )
  if (dialog.kind === 'tag')
    return (
      <TagDialog
        assetIds={assetIds}
        refused={'refused' in dialog ? dialog.refused : undefined}
        onTag={closing((change, draft) =>
          actions.tag(ids, change, (why) =>
            commands.askTagsAgain({ kind: 'tag', ids, refused: { ...draft, why } }),
          ),
        )}
        onClose={closeDialog}
      />
    )
  if (dialog.kind === 'rights')
    return (
      <RightsDialog
        assetIds={assetIds}
        onChange={closing((change) => actions.changeRights(ids, change))}
        onClose={closeDialog}
      />
    )
  return (
    <SurfacesDialog
      assetIds={assetIds}
      onChange={closing((change) => actions.changeSurfaces(ids, change))}
      onClose={closeDialog}
    />
  )
}

function OfCollection({
  page: { collections, here, commands },
  dialog: { kind, collectionId },
}: {
  page: LibraryPage
  dialog: Extract<Dialog, { kind: 'name-collection' | 'delete-collection' }>
}) {
  const { closeDialog, openCollection, openFolder } = commands
  const collection = collections?.find((each) => each.collectionId === collectionId)
  if (kind === 'name-collection')
    return (
      <NameDialog
        collection={collection}
        onDone={(id) => {
          closeDialog()
          if (!collection) openCollection(id)
        }}
        onClose={closeDialog}
      />
    )
  if (!collection) return null
  return (
    <DeleteDialog
      collection={collection}
      onClose={(isGone) => {
        closeDialog()
        if (isGone && here.place.collection === collectionId) openFolder(undefined)
      }}
    />
  )
}

function Sharing({ page, ids }: { page: LibraryPage; ids: string[] }) {
  const { tree, list, commands } = page
  const id = ids[0]!
  const collection = page.collections?.find(({ collectionId }) => collectionId === id)
  const name = isFolderId(id)
    ? tree.byId.get(id)?.name
    : collection
      ? collection.name
      : ids.length === 1
        ? list.assetOf(id)?.title
        : tree.byId.get(page.here.folderId ?? '')?.name
  return (
    <ShareDialog
      what={isFolderId(id) ? { folderId: id } : isCollectionId(id) ? { collectionId: id } : { assetIds: ids }}
      name={name}
      onClose={commands.closeDialog}
    />
  )
}

function Look({ page, assetId }: { page: LibraryPage; assetId: string }) {
  const { selection, grid, quickLook, may, commands } = page
  const inCollection = !!page.here.place.collection
  const isReview = page.here.place.panel === 'review'
  const waiting = useWaiting(assetId, isReview)
  const [decided, setDecided] = useState<Asset>()

  function go(next: string) {
    quickLook.look(next)
    setDecided(undefined)
    // What waits may be in any folder.
    if (waiting.isOne && !page.list.order.includes(next)) return
    selection.only(next)
    grid.current?.show(next)
  }

  function goOnAfter(asset: Asset) {
    waiting.keep(asset.assetId)
    if (waiting.next && !isHalfSaid(asset.assetId)) go(waiting.next)
    setDecided(asset)
  }

  return (
    <QuickLook
      assetId={assetId}
      order={waiting.isOne ? waiting.order : idsOf(page.list.assets)}
      count={waiting.isOne ? waiting.count : page.list.assets.length}
      isAtLeast={waiting.isOne ? waiting.isAtLeast : page.list.isAtLeast}
      onGo={go}
      details={
        <>
          {isReview && (
            <Suspense>
              <WaitingNote waiting={waiting} decided={decided} onGo={go} />
            </Suspense>
          )}
          <DetailsOf
            page={page}
            assetId={assetId}
            isLarge
            onDecided={waiting.isOne ? goOnAfter : undefined}
          />
        </>
      }
      detailsFirst={isReview}
      over={(asset, view) => (
        <Suspense>
          <Pins key={`${asset.assetId} ${asset.version}`} asset={asset} view={view} />
        </Suspense>
      )}
      inCollection={inCollection}
      onTakeOut={inCollection && may.write ? () => commands.takeOut([assetId]) : undefined}
      onTrash={may.delete ? () => void commands.actions.trash([assetId]) : undefined}
      onClose={commands.closeDialog}
    />
  )
}

/** Unread assets stay holes: the quick look counts them and reads on. */
function idsOf(assets: (Asset | undefined)[]): string[] {
  const ids = new Array<string>(assets.length)
  assets.forEach((asset, at) => {
    if (asset) ids[at] = asset.assetId
  })
  return ids
}
