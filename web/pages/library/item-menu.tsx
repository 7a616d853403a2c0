import { Menu } from '@mantine/core'
import {
  ArrowLeft,
  ArrowRight,
  CalendarClock,
  Copy,
  Crop,
  Download,
  Eye,
  FolderInput,
  FolderOpen,
  GalleryHorizontal,
  GalleryVerticalEnd,
  Inbox,
  Info,
  Link2,
  Lock,
  Megaphone,
  MessageCircleQuestion,
  Pencil,
  Replace,
  RotateCcw,
  Send,
  Share2,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../../contract/assets.ts'
import type { Folder } from '../../../contract/folders.ts'
import { contentUrl } from '../../assets/assets.ts'
import { mayBeCropped } from '../../assets/picture.tsx'
import { zipUrl } from '../../folders/folders.ts'
import { useLibrary } from '../../library/library.tsx'
import { isByHand } from '../../library/place.ts'
import { isEverything, isShareable } from '../../library/selection.ts'
import { MenuAt } from '../../ui/menu-at.tsx'
import type { ActOnMany, OpenedMenu } from './overlays.ts'
import type { LibraryPage } from './use-commands.ts'

/** The context menu of an asset, a folder, or several of them. */
export function ItemMenu({
  page,
  menu: { ids, spot, inTree },
  asset,
  folder,
  onClose,
}: {
  page: LibraryPage
  menu: OpenedMenu
  /** The first of its kind; more than one item has no entries of its own kind. */
  asset: Asset | null
  folder: Folder | null
  onClose(): void
}) {
  const t = useTranslations('actions')
  const words = useTranslations('folder')
  const keys = useTranslations('help.keys')
  const details = useTranslations('details')
  const shares = useTranslations('shares')
  const requests = useTranslations('uploadRequests')
  const reviews = useTranslations('review')
  const collections = useTranslations('collections')
  const library = useLibrary()
  const { can } = library
  const { here, may, commands } = page
  const id = ids[0]!
  const one = ids.length === 1 && !ids.some(isEverything)
  const locked = !!folder?.protected
  const mayWrite = folder ? can('folders:write') && !locked : can('assets:write')
  const mayDelete = folder ? can('folders:write') && !locked : can('assets:delete')
  const inCollection = !!here.place.collection && !inTree
  const opens = (kind: ActOnMany) => () => commands.openFor(kind, ids)

  return (
    <MenuAt spot={spot} label={t('menu')} onClose={onClose}>
      {here.isTrash && !inTree ? (
        <>
          {one && folder && (
            <Menu.Item leftSection={<FolderOpen size={16} />} onClick={() => commands.open(id)}>
              {t('open')}
            </Menu.Item>
          )}
          {one && asset && (
            <Menu.Item leftSection={<Eye size={16} />} onClick={() => page.quickLook.look(id)}>
              {t('quickLook')}
            </Menu.Item>
          )}
          {mayDelete && commands.mayRestore(ids) && (
            <Menu.Item leftSection={<RotateCcw size={16} />} onClick={() => commands.restore(ids)}>
              {t('restore')}
            </Menu.Item>
          )}
          {can('assets:purge') && commands.mayRestore(ids) && (
            <Menu.Item leftSection={<Trash2 size={16} />} className="menu-danger" onClick={opens('purge')}>
              {t('purge')}
            </Menu.Item>
          )}
        </>
      ) : (
        <>
          {one && folder && id !== here.folderId && (
            <Menu.Item leftSection={<FolderOpen size={16} />} onClick={() => commands.open(id)}>
              {t('open')}
            </Menu.Item>
          )}
          {one && asset && (
            <Menu.Item
              leftSection={<Eye size={16} />}
              rightSection={keys('space')}
              onClick={() => page.quickLook.look(id)}
            >
              {t('quickLook')}
            </Menu.Item>
          )}
          {one && mayWrite && (
            <Menu.Item
              leftSection={<Pencil size={16} />}
              rightSection="F2"
              onClick={() => commands.rename(id, inTree)}
            >
              {t('rename')}
            </Menu.Item>
          )}
          {mayWrite && (
            <Menu.Item leftSection={<FolderInput size={16} />} rightSection="M" onClick={opens('move')}>
              {t('move')}
            </Menu.Item>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<GalleryVerticalEnd size={16} />} onClick={opens('collect')}>
              {collections('add')}
            </Menu.Item>
          )}
          {asset && mayWrite && inCollection && (
            <>
              {isByHand(here.place) && (
                <>
                  <Menu.Item
                    leftSection={<ArrowLeft size={16} />}
                    rightSection="Alt ⇧ ←"
                    onClick={() => commands.step(ids, -1)}
                  >
                    {collections('earlier')}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<ArrowRight size={16} />}
                    rightSection="Alt ⇧ →"
                    onClick={() => commands.step(ids, 1)}
                  >
                    {collections('later')}
                  </Menu.Item>
                </>
              )}
              <Menu.Item
                leftSection={<X size={16} />}
                rightSection={keys('del')}
                onClick={() => commands.takeOut(ids)}
              >
                {collections('takeOut')}
              </Menu.Item>
            </>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<Tag size={16} />} onClick={opens('tag')}>
              {t('tag')}
            </Menu.Item>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<Megaphone size={16} />} onClick={opens('surfaces')}>
              {t('surfaces')}
            </Menu.Item>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<CalendarClock size={16} />} onClick={opens('rights')}>
              {t('rights')}
            </Menu.Item>
          )}
          {asset && may.deliver && (
            <Menu.Item leftSection={<Send size={16} />} onClick={opens('deliver')}>
              {t('deliver')}
            </Menu.Item>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<MessageCircleQuestion size={16} />} onClick={opens('review')}>
              {reviews('ask')}
            </Menu.Item>
          )}
          {can('shares:write') && isShareable(ids) && (
            <Menu.Item leftSection={<Share2 size={16} />} onClick={opens('share')}>
              {shares('share')}
            </Menu.Item>
          )}
          {one && folder && can('shares:write') && (
            <Menu.Item leftSection={<Inbox size={16} />} onClick={opens('ask')}>
              {requests('ask')}
            </Menu.Item>
          )}
          {one && asset && mayWrite && mayBeCropped(asset) && (
            <Menu.Item leftSection={<Crop size={16} />} onClick={opens('crop')}>
              {t('crop')}
            </Menu.Item>
          )}
          {one && asset && mayWrite && (
            <Menu.Item leftSection={<Replace size={16} />} onClick={() => commands.replace(asset)}>
              {details('replace')}
            </Menu.Item>
          )}
          {one && asset && here.isMixed && (
            <Menu.Item leftSection={<FolderOpen size={16} />} onClick={() => commands.goTo(asset)}>
              {t('showInFolder')}
            </Menu.Item>
          )}
          <Menu.Divider />
          {one && asset && (
            <>
              <Menu.Item
                leftSection={<Info size={16} />}
                rightSection="I"
                onClick={() => commands.showDetails(id)}
              >
                {t('showDetails')}
              </Menu.Item>
              <Menu.Item
                leftSection={<Download size={16} />}
                component="a"
                href={contentUrl(library, asset, { download: true })}
                download
              >
                {t('download')}
              </Menu.Item>
              <Menu.Item leftSection={<Copy size={16} />} onClick={() => commands.copy('ref', ids)}>
                {t('copyRef')}
              </Menu.Item>
            </>
          )}
          {!one && asset && (
            <>
              {library.frame === 'admin' && (
                <Menu.Item leftSection={<GalleryHorizontal size={16} />} onClick={opens('plan')}>
                  {t('plan')}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<Copy size={16} />} onClick={() => commands.copy('refs', ids)}>
                {t('copyRefs')}
              </Menu.Item>
            </>
          )}
          {!one && (
            <Menu.Item leftSection={<Download size={16} />} onClick={() => commands.download(ids)}>
              {t('downloadZip')}
            </Menu.Item>
          )}
          {one && folder && (
            <Menu.Item
              leftSection={<Download size={16} />}
              component="a"
              href={zipUrl(library, folder.folderId)}
              download
            >
              {t('downloadZip')}
            </Menu.Item>
          )}
          {one && (
            <Menu.Item leftSection={<Link2 size={16} />} onClick={() => commands.copy('link', ids)}>
              {t('copyLink')}
            </Menu.Item>
          )}
          {mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<Trash2 size={16} />}
                rightSection={!inCollection && keys('del')}
                className="menu-danger"
                onClick={() => commands.trash(ids)}
              >
                {inCollection ? collections('trash') : t('trash')}
              </Menu.Item>
            </>
          )}
          {locked && (
            <Menu.Label>
              <span className="menu-locked">
                <Lock size={14} /> {words('locked')}
              </span>
            </Menu.Label>
          )}
        </>
      )}
    </MenuAt>
  )
}
