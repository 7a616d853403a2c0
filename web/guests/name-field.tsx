import { type RefObject, useRef, useState } from 'react'
import { words } from '../words/guests.ts'

/** Whoever answers or sends something says first who they are. */
export function useNameFirst(name: string) {
  const field = useRef<HTMLInputElement>(null)
  const [isAsked, setAsked] = useState(false)
  function hasName(): boolean {
    if (name.trim()) return true
    setAsked(true)
    field.current?.focus()
    return false
  }
  return { hasName, field, isMissing: isAsked && !name.trim() }
}

export function NameField({
  name,
  field,
  isMissing,
  maxLength,
  onChange,
}: {
  name: string
  field: RefObject<HTMLInputElement | null>
  isMissing: boolean
  maxLength: number
  onChange(name: string): void
}) {
  return (
    <>
      <label className="guest-field">
        {words.yourName}
        <input
          ref={field}
          maxLength={maxLength}
          autoComplete="name"
          required
          value={name}
          aria-invalid={isMissing}
          aria-describedby={isMissing ? 'name-missing' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {isMissing && (
        <p id="name-missing" className="guest-wrong" role="alert">
          {words.nameFirst}
        </p>
      )}
    </>
  )
}
