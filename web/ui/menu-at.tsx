import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'

/** A menu that opens at a spot on the screen. */
export const MenuAt = ({
  spot,
  label,
  onClose,
  children,
}: {
  spot: { x: number; y: number }
  label: string
  onClose(): void
  children: ReactNode
}) => (
  <section aria-label={label}>
    <Menu opened onClose={onClose} position="bottom-start" width={232} returnFocus trapFocus>
      <Menu.Target>
        <button
          type="button"
          className="menu-spot"
          style={{ left: spot.x, top: spot.y }}
          tabIndex={-1}
          aria-label={label}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  </section>
)
