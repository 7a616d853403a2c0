import { type ChangeEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

const settleAfter = 900

interface TypedDay {
  ref: RefObject<HTMLInputElement | null>
  defaultValue: string
  onChange(event: ChangeEvent<HTMLInputElement>): void
  onBlur(): void
  onKeyDown(event: KeyboardEvent): void
}

/**
 * A day typed part by part is another one, or none at all, on the way: it counts once the person rests or leaves. The field
 * keeps what is typed to itself until then, for some browsers empty all of its parts when an impossible day is written back.
 */
export function useTypedDay(kept: string, onDay: (day: string) => void): TypedDay {
  const ref = useRef<HTMLInputElement>(null)
  const draft = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function settle() {
    clearTimeout(timer.current)
    const day = draft.current
    draft.current = undefined
    if (day !== undefined && day !== kept) onDay(day)
  }
  const latest = useRef(settle)
  latest.current = settle

  useEffect(() => () => latest.current(), [])
  useEffect(() => {
    const field = ref.current!
    if (document.activeElement !== field) field.value = kept
  }, [kept])

  /** What was no day when the person left stays as it was. */
  function leave() {
    const isDay = draft.current !== undefined
    settle()
    if (!isDay) ref.current!.value = kept
  }

  return {
    ref,
    defaultValue: kept,
    onChange({ currentTarget: field }) {
      clearTimeout(timer.current)
      draft.current = dayIn(field)
      // To empty it is the first step of typing another one, too.
      if (draft.current) timer.current = setTimeout(() => latest.current(), settleAfter)
    },
    onBlur: leave,
    onKeyDown({ key }) {
      if (key === 'Enter') settle()
      if (key !== 'Escape') return
      draft.current = undefined
      leave()
    },
  }
}

/** Undefined while only some of its parts are there, or the year is not written to its end. */
function dayIn({ value, validity }: HTMLInputElement): string | undefined {
  if (value === '') return validity.badInput ? undefined : ''
  return value >= '1970' ? value : undefined
}
