import { Unlink } from 'lucide-react'
import { words } from '../words/guests.ts'

/** All there is to say, on a page of its own. */
export const Notice = ({ title, text, onRetry }: { title: string; text: string; onRetry?(): void }) => (
  <main className="guest-notice">
    <title>{title}</title>
    <div className="guest-card">
      <Unlink size={28} aria-hidden className="guest-icon" />
      <h1>{title}</h1>
      <p>{text}</p>
      {onRetry && (
        <button type="button" className="guest-button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </div>
  </main>
)
