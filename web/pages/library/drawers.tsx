import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Drawer } from '../../ui/drawer.tsx'

interface DrawerProps {
  opened: boolean
  onClose(): void
  children: ReactNode
}

/** The folder tree where the page has no room for it. */
export function TreeDrawer({ children, ...drawer }: DrawerProps) {
  const t = useTranslations('library')
  return (
    <Drawer {...drawer} size={288} title={t('folders')}>
      <div className="tree-drawer">{children}</div>
    </Drawer>
  )
}

/** The details where the page has no room for them. */
export function DetailsDrawer({ children, ...drawer }: DrawerProps) {
  const t = useTranslations('library')
  return (
    <Drawer
      {...drawer}
      position="right"
      size={360}
      padding={0}
      title={t('details')}
      classNames={{ header: 'details-drawer-head', body: 'details-drawer' }}
    >
      {children}
    </Drawer>
  )
}
