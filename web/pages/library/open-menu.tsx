import { CollectionMenu } from '../../collections/collection-menu.tsx'
import { isCollectionId, isEverything, isFolderId } from '../../library/selection.ts'
import { GroundMenu } from './ground-menu.tsx'
import { ItemMenu } from './item-menu.tsx'
import type { OpenedMenu } from './overlays.ts'
import type { LibraryPage } from './use-commands.ts'

/** The one menu that is open: of the ground, or of some assets and folders. */
export function OpenMenu({ page, menu, onClose }: { page: LibraryPage; menu: OpenedMenu; onClose(): void }) {
  const { tree, list } = page
  if (menu.ids.length === 0) return <GroundMenu page={page} spot={menu.spot} onClose={onClose} />
  const [first] = menu.ids as [string]
  if (isCollectionId(first))
    return <MenuOfCollection page={page} menu={menu} collectionId={first} onClose={onClose} />
  const shown = menu.ids.some(isEverything) ? list.assets : menu.ids.map(list.assetOf)
  const asset = shown.find((each) => each) ?? null
  const id = menu.ids.find(isFolderId)
  const folder = (id && (tree.byId.get(id) ?? list.folders.find(({ folderId }) => folderId === id))) || null
  return <ItemMenu page={page} menu={menu} asset={asset} folder={folder} onClose={onClose} />
}

function MenuOfCollection({
  page: { here, commands },
  menu,
  collectionId,
  onClose,
}: {
  page: LibraryPage
  menu: OpenedMenu
  collectionId: string
  onClose(): void
}) {
  return (
    <CollectionMenu
      spot={menu.spot}
      onOpen={
        here.place.collection === collectionId ? undefined : () => commands.openCollection(collectionId)
      }
      onRename={() => commands.dialog({ kind: 'name-collection', collectionId })}
      onShare={() => commands.dialog({ kind: 'share', ids: [collectionId] })}
      onDelete={() => commands.dialog({ kind: 'delete-collection', collectionId })}
      onClose={onClose}
    />
  )
}
