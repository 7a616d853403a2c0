import { Menu } from '@mantine/core'
import {
  Copy,
  Download,
  Eye,
  FolderInput,
  FolderOpen,
  Info,
  Link2,
  Lock,
  Pencil,
  Replace,
  RotateCcw,
  Send,
  Tag,
  Trash2,
} from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../../contract/assets.ts'
import type { Folder } from '../../../contract/folders.ts'
import { contentUrl } from '../../assets/assets.ts'
import { zipUrl } from '../../folders/folders.ts'
import { useLibrary } from '../../library/library.tsx'
import { MenuAt } from '../../ui/menu-at.tsx'

export interface ItemMenuProps {
  spot: { x: number; y: number }
  /** What the menu is for; more than one item has no entries of its own kind. */
  ids: string[]
  asset: Asset | null
  folder: Folder | null
  inTrash: boolean
  onClose(): void
  /** Absent where it is open. */
  onOpen?(): void
  onQuickLook(): void
  onRename(): void
  onMove(): void
  onTag(): void
  onTrash(): void
  onRestore(): void
  onDetails(): void
  onShowInFolder?(): void
  onReplace(): void
  onCopy(what: 'ref' | 'refs' | 'link'): void
  onDeliver?(): void
}

/** The context menu of an asset, a folder, or several of them. */
export function ItemMenu(props: ItemMenuProps) {
  const { spot, ids, asset, folder, inTrash, onClose } = props
  const t = useTranslations('actions')
  const words = useTranslations('folder')
  const keys = useTranslations('help.keys')
  const details = useTranslations('details')
  const library = useLibrary()
  const { can } = library
  const one = ids.length === 1
  const locked = !!folder?.protected
  const mayWrite = folder ? can('folders:write') && !locked : can('assets:write')
  const mayDelete = folder ? can('folders:write') && !locked : can('assets:delete')

  return (
    <MenuAt spot={spot} label={t('menu')} onClose={onClose}>
      {inTrash ? (
        mayDelete && (
          <Menu.Item leftSection={<RotateCcw size={16} />} onClick={props.onRestore}>
            {t('restore')}
          </Menu.Item>
        )
      ) : (
        <>
          {one && folder && props.onOpen && (
            <Menu.Item leftSection={<FolderOpen size={16} />} onClick={props.onOpen}>
              {t('open')}
            </Menu.Item>
          )}
          {one && asset && (
            <Menu.Item
              leftSection={<Eye size={16} />}
              rightSection={keys('space')}
              onClick={props.onQuickLook}
            >
              {t('quickLook')}
            </Menu.Item>
          )}
          {one && mayWrite && (
            <Menu.Item leftSection={<Pencil size={16} />} rightSection="F2" onClick={props.onRename}>
              {t('rename')}
            </Menu.Item>
          )}
          {mayWrite && (
            <Menu.Item leftSection={<FolderInput size={16} />} rightSection="M" onClick={props.onMove}>
              {t('move')}
            </Menu.Item>
          )}
          {asset && mayWrite && (
            <Menu.Item leftSection={<Tag size={16} />} onClick={props.onTag}>
              {t('tag')}
            </Menu.Item>
          )}
          {one && asset && mayWrite && (
            <Menu.Item leftSection={<Replace size={16} />} onClick={props.onReplace}>
              {details('replace')}
            </Menu.Item>
          )}
          {one && props.onShowInFolder && (
            <Menu.Item leftSection={<FolderOpen size={16} />} onClick={props.onShowInFolder}>
              {t('showInFolder')}
            </Menu.Item>
          )}
          <Menu.Divider />
          {one && asset && (
            <>
              <Menu.Item leftSection={<Info size={16} />} rightSection="I" onClick={props.onDetails}>
                {t('showDetails')}
              </Menu.Item>
              <Menu.Item
                leftSection={<Download size={16} />}
                component="a"
                href={contentUrl(library, asset, { download: true })}
              >
                {t('download')}
              </Menu.Item>
              <Menu.Item leftSection={<Copy size={16} />} onClick={() => props.onCopy('ref')}>
                {t('copyRef')}
              </Menu.Item>
            </>
          )}
          {!one && asset && (
            <>
              {props.onDeliver && (
                <Menu.Item leftSection={<Send size={16} />} onClick={props.onDeliver}>
                  {t('deliver')}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<Copy size={16} />} onClick={() => props.onCopy('refs')}>
                {t('copyRefs')}
              </Menu.Item>
            </>
          )}
          {one && folder && (
            <Menu.Item
              leftSection={<Download size={16} />}
              component="a"
              href={zipUrl(library, folder.folderId)}
            >
              {t('downloadZip')}
            </Menu.Item>
          )}
          {one && (
            <Menu.Item leftSection={<Link2 size={16} />} onClick={() => props.onCopy('link')}>
              {t('copyLink')}
            </Menu.Item>
          )}
          {mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<Trash2 size={16} />}
                rightSection={keys('del')}
                className="menu-danger"
                onClick={props.onTrash}
              >
                {folder ? t('delete') : t('trash')}
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
