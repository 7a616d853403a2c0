import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useAskBeforeLeaving } from './use-ask-before-leaving.ts'
import './inline-edit.css'

const unsaved = new Map<string, string>()

interface InlineEditProps {
  value: string
  label: string
  placeholder?: string
  maxLength: number
  multiline?: boolean
  /**
   * Only called with something new; `isSeen` is false when the field was scrolled out of sight. Where it was not saved
   * (false), what was typed is there again the next time.
   */
  onSave(value: string, isSeen: boolean): Promise<boolean> | undefined
  /** Called when a save was refused; the draft is back when editing starts again. */
  onRefused?(): void
  /** What is edited: the same thing on a tile, in a list or in a tree. */
  of: string
  /** `saved` is false after Esc. */
  onEnd(saved: boolean): void
}

/** Text being edited where it stands: Enter or leaving saves, Esc cancels. */
export function InlineEdit({
  value,
  label,
  placeholder,
  maxLength,
  multiline,
  of,
  onSave,
  onRefused,
  onEnd,
}: InlineEditProps) {
  const [draft, setDraft] = useState(() => unsaved.get(of) ?? value)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const ended = useRef(false)
  const latest = useRef(draft)
  latest.current = draft
  useAskBeforeLeaving(draft !== value)

  function end(save: boolean, byLeaving = false, isSeen = true) {
    if (ended.current) return
    ended.current = true
    const text = latest.current.trim()
    // What was refused is not tried again by looking elsewhere.
    if (byLeaving && text === unsaved.get(of)) return onEnd(false)
    unsaved.delete(of)
    if (save && text !== value.trim() && (text || multiline))
      void onSave(text, isSeen)?.then((saved) => {
        if (saved) return
        unsaved.set(of, text)
        onRefused?.()
      })
    onEnd(save)
  }
  const leave = useRef(end)
  leave.current = end

  useEffect(() => {
    ended.current = false
    field.current?.focus({ preventScroll: true })
    field.current?.select()
    // Scrolled out of sight counts as leaving; React's rehearsal of effects does not, nothing is typed yet.
    return () => {
      if (latest.current !== value) leave.current(true, true, false)
    }
  }, [value])

  const props = {
    ref: field,
    className: 'inline-edit',
    value: draft,
    'aria-label': label,
    placeholder,
    maxLength,
    // Escape ends the edit, and leaves the drawer or dialog open that it stands in.
    'data-mantine-stop-propagation': true,
    onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
    onBlur: () => end(true, true),
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Escape') {
        event.preventDefault()
        end(false)
      }
      if (event.key === 'Enter' && !event.nativeEvent.isComposing && !(multiline && event.shiftKey)) {
        event.preventDefault()
        end(true)
      }
    },
    onClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
    onDoubleClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
    onPointerDown: (event: { stopPropagation(): void }) => event.stopPropagation(),
  }
  return multiline ? <textarea rows={4} {...props} /> : <input type="text" {...props} />
}
