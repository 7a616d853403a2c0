import { lazy } from 'react'
import { isFolderId } from '../../library/selection.ts'
import type { OpenedMenu } from './overlays.ts'
import type { LibraryPage } from './use-commands.ts'

const ItemMenu = lazy(() => import('./item-menu.tsx').then((room) => ({ default: room.ItemMenu })))
const GroundMenu = lazy(() => import('./ground-menu.tsx').then((room) => ({ default: room.GroundMenu })))

/** The one menu that is open: of the ground, or of some assets and folders. */
export function OpenMenu({ page, menu }: { page: LibraryPage; menu: OpenedMenu }) {
  const { tree, list } = page
  if (menu.ids.length === 0) return <GroundMenu page={page} spot={menu.spot} />
  const asset = menu.ids.map(list.assetOf).find((each) => each) ?? null
  const id = menu.ids.find(isFolderId)
  const folder = (id && (tree.byId.get(id) ?? list.folders.find(({ folderId }) => folderId === id))) || null
  return <ItemMenu page={page} menu={menu} asset={asset} folder={folder} />
}
