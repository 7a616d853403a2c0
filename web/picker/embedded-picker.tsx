import { LogIn } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PickerToken } from '../../contract/picker.ts'
import type { Surface } from '../../contract/words.ts'
import { useStore } from '../store.ts'
import { type PickerWords, pickerLanguage, pickerWords } from '../words/picker.ts'
import { type Embedder, embedder } from './embedder.ts'
import { librarySource, SignedOut } from './library-source.ts'
import { Picker } from './picker.tsx'
import { keepToken, keptToken, onToken, openSignIn } from './picker-login.ts'
import type { PickerAsset } from './source.ts'

/** The picker in a frame of another site. */
export function EmbeddedPicker() {
  const page = useStore(embedder)
  const language = pickerLanguage(page?.language)
  const words = pickerWords(language)
  useEffect(() => {
    document.documentElement.lang = language
    document.title = words.name
    if (page?.theme) document.documentElement.dataset.theme = page.theme
  }, [language, words, page])
  if (parent === window)
    return (
      <main className="picker-notice">
        <p>{words.notAlone}</p>
        <a className="picker-button is-first" href="/app/">
          {words.openLibrary}
        </a>
      </main>
    )
  return page && <SignedIn key={`${page.origin} ${page.client}`} page={page} words={words} />
}

function SignedIn({ page, words }: { page: Embedder; words: PickerWords }) {
  const [token, setToken] = useState(() => keptToken(page))
  const [hasEnded, setEnded] = useState(false)
  const source = useMemo(() => token && librarySource(token), [token])

  function take(given: PickerToken) {
    keepToken(page, given)
    setToken(given)
  }
  const onFailure = useCallback(
    (failure: unknown) => {
      if (!(failure instanceof SignedOut)) return
      keepToken(page, null)
      setToken(null)
      setEnded(true)
    },
    [page],
  )

  if (!source) return <SignIn page={page} words={words} hasEnded={hasEnded} onToken={take} />
  return (
    <Picker
      source={source}
      words={words}
      multiple={page.multiple}
      surface={page.surface && page.surface in words.surfaces ? (page.surface as Surface) : undefined}
      onUse={(assets) => page.answer({ type: 'pick', assets: assets.map(answered) })}
      onCancel={() => page.answer({ type: 'cancel' })}
      onFailure={onFailure}
    />
  )
}

const answered = ({ assetRef, title, altText, mimeType, width, height }: PickerAsset) => ({
  assetRef,
  title,
  altText,
  mimeType,
  width,
  height,
})

interface SignInProps {
  page: Embedder
  words: PickerWords
  hasEnded: boolean
  onToken(token: PickerToken): void
}

function SignIn({ page, words, hasEnded, onToken: take }: SignInProps) {
  const opened = useRef<Window | null>(null)
  const [isBlocked, setBlocked] = useState(false)
  const latest = useRef(take)
  latest.current = take
  useEffect(
    () =>
      onToken(
        () => opened.current,
        (token) => latest.current(token),
      ),
    [],
  )
  return (
    <main className="picker-notice">
      <h1>{words.signInTitle}</h1>
      <p>{hasEnded ? words.signedOutText : words.signInText}</p>
      {isBlocked && (
        <p role="alert" className="picker-wrong">
          {words.blocked}
        </p>
      )}
      <div className="picker-choices">
        <button type="button" className="picker-button" onClick={() => page.answer({ type: 'cancel' })}>
          {words.cancel}
        </button>
        <button
          type="button"
          className="picker-button is-first"
          onClick={() => {
            opened.current = openSignIn(page)
            setBlocked(!opened.current)
          }}
        >
          <LogIn size={18} aria-hidden />
          {words.signIn}
        </button>
      </div>
    </main>
  )
}
