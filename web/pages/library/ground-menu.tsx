import { Menu } from '@mantine/core'
import { CheckSquare, FolderPlus, LayoutGrid, List, Upload } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { MenuAt } from '../../ui/menu-at.tsx'

/** The context menu of the empty ground: what can be done here. */
export function GroundMenu(props: {
  spot: { x: number; y: number }
  view: 'grid' | 'list'
  onNewFolder: (() => void) | undefined
  onUpload: (() => void) | undefined
  onSelectAll: (() => void) | undefined
  onView(view: 'grid' | 'list'): void
  onClose(): void
}) {
  const t = useTranslations('library')
  const actions = useTranslations('actions')
  const uploads = useTranslations('uploads')
  const other = props.view === 'grid' ? 'list' : 'grid'
  return (
    <MenuAt spot={props.spot} label={actions('menu')} onClose={props.onClose}>
      {props.onNewFolder && (
        <Menu.Item leftSection={<FolderPlus size={16} />} rightSection="N" onClick={props.onNewFolder}>
          {t('newFolder')}
        </Menu.Item>
      )}
      {props.onUpload && (
        <Menu.Item leftSection={<Upload size={16} />} rightSection="U" onClick={props.onUpload}>
          {uploads('upload')}
        </Menu.Item>
      )}
      {props.onSelectAll && (
        <Menu.Item leftSection={<CheckSquare size={16} />} rightSection="Ctrl+A" onClick={props.onSelectAll}>
          {actions('selectAll')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={other === 'list' ? <List size={16} /> : <LayoutGrid size={16} />}
        rightSection="V"
        onClick={() => props.onView(other)}
      >
        {t(other)}
      </Menu.Item>
    </MenuAt>
  )
}
