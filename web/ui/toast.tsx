import { hideNotification, showNotification } from '@mantine/notifications'
import { announce } from '../library/announce.tsx'
import './toast.css'
import { newKey } from '../new-key.ts'

interface Toast {
  text: string
  action?: { label: string; run(): void }
  bad?: boolean
}

/** A short word at the bottom of the page, gone by itself; a bad one stays until it is closed. */
export function toast({ text, action, bad }: Toast) {
  const id = newKey()
  if (!bad) announce(text)
  showNotification({
    id,
    autoClose: bad ? false : 7000,
    withCloseButton: !action || bad,
    className: bad ? 'toast toast-bad' : 'toast',
    // Said once: a bad one by itself and at once, any other by the region that is always there.
    role: bad ? 'alert' : 'status',
    'aria-live': bad ? 'assertive' : 'off',
    message: (
      <span className="toast-line">
        <span>{text}</span>
        {action && (
          <button
            type="button"
            className="toast-action"
            onClick={() => {
              hideNotification(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </span>
    ),
  })
}
