import { hideNotification, showNotification } from '@mantine/notifications'
import { announce } from './announce.tsx'
import './toast.css'

interface Toast {
  text: string
  action?: { label: string; run(): void }
  bad?: boolean
  /** What it is about: the next word about the same takes its place. */
  about?: string
}

const stays = 7000
const staysLonger = 20_000
let made = 0
const standing = new Map<string, () => void>()

/**
 * A short message at the bottom of the page that closes itself. Errors stay longer, and until they are closed where they
 * offer what would be lost otherwise.
 */
export function toast({ text, action, bad, about = text }: Toast): { hide(): void; isShown(): boolean } {
  const id = `toast-${++made}`
  if (!bad) announce(text)
  unsay(about)
  // Timed here: Mantine's timer pauses while the pointer is over the toasts' corner.
  const hide = () => {
    hideNotification(id)
    forget()
  }
  const isShown = () => standing.get(about) === hide
  let giveFocusBack = () => {}
  const forget = () => {
    if (isShown()) standing.delete(about)
    giveFocusBack()
  }
  standing.set(about, hide)
  if (!bad || !action) setTimeout(hide, bad ? staysLonger : stays)
  showNotification({
    id,
    autoClose: false,
    withCloseButton: true,
    onClose: forget,
    onFocus: ({ currentTarget, relatedTarget: before }) => {
      if (currentTarget.contains(before) || !(before instanceof HTMLElement)) return
      giveFocusBack = () => {
        if (currentTarget.contains(document.activeElement)) before.focus({ preventScroll: true })
      }
    },
    className: bad ? 'toast toast-bad' : 'toast',
    // Said once: a bad one by itself and at once, any other by the region that is always there.
    role: bad ? 'alert' : 'status',
    'aria-live': bad ? 'assertive' : 'off',
    message: (
      <span className="toast-line" ref={watchHeight}>
        <span>{text}</span>
        {action && (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              hide()
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </span>
    ),
  })
  return { hide, isShown }
}

/** Whatever must stay clear of toasts knows how high they stand. */
const heights = new ResizeObserver(([toasts]) =>
  document.documentElement.style.setProperty('--toasts', `${Math.ceil(toasts!.contentRect.height)}px`),
)
function watchHeight(line: HTMLElement | null) {
  const toasts = line?.closest('.mantine-Notifications-root')
  if (toasts) heights.observe(toasts)
}

/** What was said about it no longer holds. */
export const unsay = (about: string) => standing.get(about)?.()
