import { Menu } from '@mantine/core'
import { CheckSquare, Download, FolderPlus, LayoutGrid, List, Table2, Upload } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { MenuAt } from '../../ui/menu-at.tsx'
import type { OpenedMenu } from './overlays.ts'
import type { LibraryPage } from './use-commands.ts'

/** The context menu of the empty ground: what can be done here. */
export function GroundMenu({
  page,
  spot,
  onClose,
}: {
  page: LibraryPage
  spot: OpenedMenu['spot']
  onClose(): void
}) {
  const t = useTranslations('library')
  const actions = useTranslations('actions')
  const uploads = useTranslations('uploads')
  const { here, layout, list, choosing, may, commands } = page
  const other = layout.view === 'grid' ? 'list' : 'grid'
  return (
    <MenuAt spot={spot} label={actions('menu')} onClose={onClose}>
      {may.shape && (
        <Menu.Item leftSection={<FolderPlus size={16} />} rightSection="N" onClick={commands.newFolder}>
          {t('newFolder')}
        </Menu.Item>
      )}
      {may.write && (
        <Menu.Item leftSection={<Upload size={16} />} rightSection="U" onClick={commands.upload}>
          {uploads('upload')}
        </Menu.Item>
      )}
      {list.order.length > 0 && (
        <Menu.Item leftSection={<CheckSquare size={16} />} rightSection="Ctrl+A" onClick={choosing.all}>
          {actions('selectAll')}
        </Menu.Item>
      )}
      {list.assets.length > 0 && !here.isTrash && (
        <Menu.Item leftSection={<Download size={16} />} onClick={commands.downloadAll}>
          {actions('downloadZip')}
        </Menu.Item>
      )}
      {list.assets.length > 0 && !here.isTrash && (
        <Menu.Item leftSection={<Table2 size={16} />} onClick={commands.openTexts}>
          {actions('texts')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={other === 'list' ? <List size={16} /> : <LayoutGrid size={16} />}
        rightSection="V"
        onClick={commands.toggleView}
      >
        {t(other)}
      </Menu.Item>
    </MenuAt>
  )
}
