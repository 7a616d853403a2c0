import { useMergedRef } from '@mantine/hooks'
import { Search, X } from 'lucide-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isSearch } from '../../../contract/searched-words.ts'

const debounceMilliseconds = 180

/** Searches as one types. The field has its own state: typing never waits for the list. */
export function SearchBox({
  ref,
  q,
  onSearch,
  onLeave,
}: {
  ref: Ref<HTMLInputElement>
  q: string | undefined
  onSearch(q: string | undefined): void
  onLeave(): void
}) {
  const t = useTranslations('library')
  const [words, setWords] = useState(q ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = useRef(q ?? '')
  const field = useRef<HTMLInputElement>(null)
  const merged = useMergedRef(ref, field)

  // The address changed by other means: a link, the back button, “clear filters”.
  useEffect(() => {
    if ((q ?? '') === asked.current) return
    asked.current = q ?? ''
    setWords(q ?? '')
  }, [q])

  function search(next: string, wait = debounceMilliseconds) {
    setWords(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      asked.current = isSearch(next) ? next.trim() : ''
      onSearch(asked.current || undefined)
    }, wait)
  }

  return (
    <search className="search-box">
      <Search size={16} aria-hidden />
      <input
        ref={merged}
        type="search"
        value={words}
        maxLength={200}
        placeholder={t('searchPlaceholder')}
        aria-label={t('search')}
        aria-keyshortcuts="/"
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            if (words) search('', 0)
            else onLeave()
          }
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault()
            if (event.key === 'Enter') search(words, 0)
            onLeave()
          }
        }}
      />
      {words ? (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            search('', 0)
            field.current?.focus()
          }}
        >
          <X size={14} />
        </button>
      ) : (
        <kbd aria-hidden>/</kbd>
      )}
    </search>
  )
}
