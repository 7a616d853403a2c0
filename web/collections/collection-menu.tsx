import { Menu } from '@mantine/core'
import { GalleryVerticalEnd, Pencil, Share2, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { MenuAt } from '../ui/menu-at.tsx'

/** What can be done with a collection; its assets stay whatever is done. */
export function CollectionMenu({
  spot,
  onOpen,
  onRename,
  onShare,
  onDelete,
  onClose,
}: {
  spot: { x: number; y: number }
  onOpen?: (() => void) | undefined
  onRename(): void
  onShare(): void
  onDelete(): void
  onClose(): void
}) {
  const t = useTranslations('collections')
  const actions = useTranslations('actions')
  const shares = useTranslations('shares')
  const { can } = useLibrary()
  return (
    <MenuAt spot={spot} label={actions('menu')} onClose={onClose}>
      {onOpen && (
        <Menu.Item leftSection={<GalleryVerticalEnd size={16} />} onClick={onOpen}>
          {actions('open')}
        </Menu.Item>
      )}
      {can('assets:write') && (
        <Menu.Item leftSection={<Pencil size={16} />} onClick={onRename}>
          {actions('rename')}
        </Menu.Item>
      )}
      {can('shares:write') && (
        <Menu.Item leftSection={<Share2 size={16} />} onClick={onShare}>
          {shares('share')}
        </Menu.Item>
      )}
      {can('assets:write') && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<Trash2 size={16} />} className="menu-danger" onClick={onDelete}>
            {t('delete')}
          </Menu.Item>
        </>
      )}
    </MenuAt>
  )
}
