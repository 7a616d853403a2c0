import { Textarea } from '@mantine/core'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Person } from '../../contract/review.ts'
import { usePeople } from './reviews.ts'

interface MentionFieldProps {
  label: string
  placeholder: string
  value: string
  onChange(text: string): void
  /** With the words that then stand there. */
  onMention(person: Person, text: string): void
  onSend(): void
  readOnly: boolean
  autoFocus?: boolean
}

/** A field in which “@” offers the people who can be mentioned. */
export function MentionField({
  label,
  placeholder,
  value,
  onChange,
  onMention,
  onSend,
  readOnly,
  autoFocus,
}: MentionFieldProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState(0)
  const people = usePeople(typed)?.slice(0, 6) ?? []
  const isOpen = typed !== undefined && people.length > 0
  const at = Math.min(chosen, people.length - 1)

  function look() {
    const { value, selectionStart } = field.current!
    setTyped(/(?:^|\s)@([^\s@]{0,40})$/u.exec(value.slice(0, selectionStart))?.[1])
    setChosen(0)
  }

  function choose(person: Person) {
    const { selectionStart } = field.current!
    const before = value.slice(0, selectionStart).replace(/@[^\s@]*$/u, `@${person.name} `)
    onMention(person, before + value.slice(selectionStart))
    setTyped(undefined)
    field.current!.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length))
  }

  function onKeyDown(event: KeyboardEvent) {
    // Tab belongs to whatever holds the focus inside.
    if (event.key !== 'Tab') event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const act = isOpen ? listKeys[event.key] : undefined
    if (act) {
      event.preventDefault()
      act()
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSend()
    }
  }

  const listKeys: Record<string, () => void> = {
    ArrowDown: () => setChosen((at + 1) % people.length),
    ArrowUp: () => setChosen((at + people.length - 1) % people.length),
    Enter: () => choose(people[at]!),
    Escape: () => setTyped(undefined),
  }

  return (
    <div className="mention-field">
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5000}
        value={value}
        readOnly={readOnly}
        autoFocus={autoFocus}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          look()
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
        data-mantine-stop-propagation={isOpen}
      />
      {isOpen && (
        <div role="listbox" id={id} className="mention-list" aria-label={label}>
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and says which is meant
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys
            <div
              key={person.userId}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              // The field would lose the focus before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
            >
              {person.name}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
