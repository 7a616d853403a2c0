import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import type { Surface } from '../../contract/words.ts'
import type { PickerWords } from '../words/picker.ts'
import { PickerGrid } from './grid.tsx'
import type { Found, PickerAsset, PickerFolder, Source, Wanted } from './source.ts'
import { useFound } from './use-found.ts'

export interface PickerProps {
  source: Source
  words: PickerWords
  multiple: boolean
  /** It is for this surface: there is nothing else to choose. */
  surface?: Surface | undefined
  /** What stands there before anything is asked for. */
  given?: Found | undefined
  onUse(picked: PickerAsset[]): void
  onCancel?: () => void
  /** What went wrong with the source, for who knows what to do about it. */
  onFailure?: (failure: unknown) => void
}

/** Finds assets and lets a person choose one or some of them. */
export function Picker({ source, words, multiple, surface, given, onUse, onCancel, onFailure }: PickerProps) {
  const [q, setQ] = useState('')
  const [chosenSurface, setSurface] = useState<Surface | ''>('')
  const [folderId, setFolderId] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, PickerAsset>>(new Map())
  const asked = useSettled(q.trim())
  const wanted: Wanted = useMemo(
    () => ({ q: asked, surface: surface ?? chosenSurface, folderId }),
    [asked, surface, chosenSurface, folderId],
  )
  const list = useFound(source, wanted, given)
  const folders = useFolders(source)
  const { error } = list
  useEffect(() => {
    if (error) onFailure?.(error)
  }, [error, onFailure])

  function choose(asset: PickerAsset) {
    setChosen((before) => {
      const next = new Map(multiple ? before : [])
      if (before.has(asset.assetRef)) next.delete(asset.assetRef)
      else next.set(asset.assetRef, asset)
      return next
    })
  }
  const use = (assets = [...chosen.values()]) => assets.length > 0 && onUse(assets)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && onCancel) onCancel()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) use()
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever the focus is
    <div className="picker" onKeyDown={onKeyDown}>
      <header className="picker-head">
        <h1>{words.name}</h1>
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={q}
          maxLength={200}
          onChange={({ target }) => setQ(target.value)}
        />
        {!surface && (
          <select
            aria-label={words.surface}
            value={chosenSurface}
            onChange={({ target }) => setSurface(target.value as Surface | '')}
          >
            <option value="">{words.anywhere}</option>
            {Object.entries(words.surfaces).map(([one, name]) => (
              <option key={one} value={one}>
                {name}
              </option>
            ))}
          </select>
        )}
        {folders.length > 0 && (
          <select
            aria-label={words.folder}
            value={folderId}
            onChange={({ target }) => setFolderId(target.value)}
          >
            <option value="">{words.allFolders}</option>
            {folders.map((folder) => (
              <option key={folder.folderId} value={folder.folderId}>
                {folder.path}
              </option>
            ))}
          </select>
        )}
      </header>
      <main className="picker-body">
        <PickerGrid
          list={list}
          source={source}
          words={words}
          multiple={multiple}
          isChosen={(asset) => chosen.has(asset.assetRef)}
          onChoose={choose}
          onUse={(asset) => use([asset])}
        />
        <p className="picker-note" role="status">
          {list.error
            ? words.failed
            : list.isLooking
              ? words.looking
              : list.assets.length === 0
                ? words.nothing
                : words.found(list.assets.length, list.nextCursor !== null)}
          {list.error ? (
            <button type="button" className="picker-plain" onClick={list.retry}>
              {words.retry}
            </button>
          ) : null}
        </p>
      </main>
      <footer className="picker-foot">
        <p role="status">{chosen.size > 0 ? words.chosen(chosen.size) : words.none}</p>
        {chosen.size > 0 && (
          <button type="button" className="picker-plain" onClick={() => setChosen(new Map())}>
            {words.clear}
          </button>
        )}
        <span className="picker-space" />
        {onCancel && (
          <button type="button" className="picker-button" onClick={onCancel}>
            {words.cancel}
          </button>
        )}
        <button
          type="button"
          className="picker-button is-first"
          disabled={chosen.size === 0}
          onClick={() => use()}
        >
          {words.use(chosen.size)}
        </button>
      </footer>
    </div>
  )
}

/** What somebody types, once they pause. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 250)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Without them everything can still be found. */
function useFolders(source: Source): PickerFolder[] {
  const [folders, setFolders] = useState<PickerFolder[]>([])
  useEffect(() => {
    let isOver = false
    source.folders().then(
      (all) => isOver || setFolders(all),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [source])
  return folders
}
