import { Menu } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import './menu-at.css'

/** As far from the spot as it must be. */
const wholeInWindow = { flip: false, shift: { crossAxis: true, padding: 8, limiter: undefined } }

/** A menu that opens at a spot on the screen. The focus goes back to where it was, unless an entry took it elsewhere. */
export function MenuAt({
  spot,
  label,
  onClose,
  children,
}: {
  spot: { x: number; y: number }
  label: string
  onClose(): void
  children: ReactNode
}) {
  const before = useRef(document.activeElement)
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before.current instanceof HTMLElement)
        before.current.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <section aria-label={label}>
      <Menu
        opened
        onClose={onClose}
        position="bottom-start"
        width={232}
        trapFocus
        middlewares={wholeInWindow}
      >
        <Menu.Target>
          <button
            type="button"
            className="menu-spot"
            style={{ left: spot.x, top: spot.y }}
            tabIndex={-1}
            aria-label={label}
          />
        </Menu.Target>
        <Menu.Dropdown aria-label={label} className="menu-at">
          {children}
        </Menu.Dropdown>
      </Menu>
    </section>
  )
}
