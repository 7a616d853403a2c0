import { LockKeyhole } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Problem } from '../api.ts'
import { words } from '../words/guests.ts'

export function PasswordForm({ problem, onOpen }: { problem: Problem; onOpen(password: string): void }) {
  const [password, setPassword] = useState('')
  const [asked, setAsked] = useState<Problem | null>(null)
  const busy = asked === problem
  const wrong = { 'wrong-password': words.wrongPassword, 'too-many-attempts': words.tooMany }[
    problem.code as string
  ]

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!password || busy) return
    setAsked(problem)
    onOpen(password)
  }
  return (
    <main className="guest-notice">
      <title>{words.passwordTitle}</title>
      <form className="guest-card" onSubmit={submit}>
        <LockKeyhole size={28} aria-hidden className="guest-icon" />
        <h1>{words.passwordTitle}</h1>
        <p>{words.passwordText}</p>
        <label className="guest-field">
          {words.password}
          <input
            type="password"
            autoComplete="off"
            required
            // biome-ignore lint/a11y/noAutofocus: it is all there is on this page
            autoFocus
            value={password}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong ? 'wrong' : undefined}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {wrong && (
          <p id="wrong" className="guest-wrong" role="alert">
            {wrong}
          </p>
        )}
        <button type="submit" className="guest-button" disabled={busy}>
          {words.open}
        </button>
      </form>
    </main>
  )
}
