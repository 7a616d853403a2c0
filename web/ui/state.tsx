import type { ReactNode } from 'react'
import './state.css'

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** How something stands, in one word. Said aloud when it changes. */
export const State = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className="state" data-tone={tone} aria-live="polite">
    {children}
  </span>
)
