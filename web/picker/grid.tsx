// biome-ignore-all lint/a11y/useFocusableInteractive: the list holds the focus for its options
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the list hears the keys
import { Check, Film, ImageIcon } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { duration } from '../assets/formats.ts'
import { layoutOf, moved } from '../assets/layout.ts'
import { placeholderOf } from '../assets/placeholder.ts'
import { haveEnded } from '../assets/rights-end.ts'
import { tryingAgain } from '../try-again.ts'
import type { PickerWords } from '../words/picker.ts'
import type { PickerAsset, Source } from './source.ts'
import type { FoundList } from './use-found.ts'

interface GridProps {
  list: FoundList
  source: Source
  words: PickerWords
  multiple: boolean
  isChosen(asset: PickerAsset): boolean
  onChoose(asset: PickerAsset): void
  onUse(asset: PickerAsset): void
}

/** The library's tiles and keys, to choose from. */
export function PickerGrid({ list, source, words, multiple, isChosen, onChoose, onUse }: GridProps) {
  const { assets, nextCursor, more } = list
  const ground = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const at = assets.findIndex(({ assetRef }) => assetRef === focused)

  useEffect(() => {
    if (!nextCursor) return
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), {
      rootMargin: '600px',
    })
    seen.observe(end.current!)
    return () => seen.disconnect()
  })

  function onKeyDown(event: KeyboardEvent) {
    const asset = assets[at]
    const goesTo = moved(layoutOf(0, assets.length, columnsOf(ground.current!)), at, event.key, 3)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (goesTo !== undefined) {
      setFocused(assets[goesTo]!.assetRef)
      document.getElementById(optionId(assets[goesTo]!))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === ' ' && asset && !isOver(asset)) onChoose(asset)
    else if (event.key === 'Enter' && asset && !isOver(asset)) {
      if (multiple) onChoose(asset)
      else onUse(asset)
    } else return
    event.preventDefault()
  }

  return (
    <>
      <div
        ref={ground}
        role="listbox"
        className="picker-grid"
        aria-label={words.assets}
        aria-multiselectable={multiple}
        aria-activedescendant={at >= 0 ? optionId(assets[at]!) : undefined}
        aria-busy={list.isLooking}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {assets.map((asset) => (
          <Tile
            key={asset.assetRef}
            asset={asset}
            source={source}
            words={words}
            isChosen={isChosen(asset)}
            isFocused={asset.assetRef === focused}
            onClick={() => {
              setFocused(asset.assetRef)
              if (!isOver(asset)) onChoose(asset)
            }}
          />
        ))}
      </div>
      <div ref={end} />
    </>
  )
}

const optionId = ({ assetRef }: PickerAsset) => `option-${assetRef}`
const isOver = ({ rightsExpireAt }: PickerAsset) => haveEnded(rightsExpireAt)
const columnsOf = (grid: Element) => getComputedStyle(grid).gridTemplateColumns.split(' ').length

interface TileProps {
  asset: PickerAsset
  source: Source
  words: PickerWords
  isChosen: boolean
  isFocused: boolean
  onClick(): void
}

const Tile = memo(
  function Tile({ asset, source, words, isChosen, isFocused, onClick }: TileProps) {
    const { title, mimeType, durationSeconds } = asset
    const isFilm = mimeType.startsWith('video/')
    const label = [title, isFilm && words.video, isOver(asset) && words.rightsEnded]
    return (
      <div
        id={optionId(asset)}
        role="option"
        aria-selected={isChosen}
        aria-disabled={isOver(asset) || undefined}
        aria-label={label.filter(Boolean).join(', ')}
        className={isFocused ? 'picker-tile is-focused' : 'picker-tile'}
        onClick={onClick}
      >
        <Picture asset={asset} source={source} isFilm={isFilm} />
        {isFilm && durationSeconds !== null && (
          <span className="picker-time" aria-hidden>
            {duration(durationSeconds)}
          </span>
        )}
        <span className="picker-tick" aria-hidden>
          <Check size={16} strokeWidth={3} />
        </span>
        <span className="picker-title" aria-hidden>
          {title}
          {isOver(asset) && <small>{words.rightsEnded}</small>}
        </span>
      </div>
    )
  },
  (before, after) =>
    before.asset === after.asset &&
    before.isChosen === after.isChosen &&
    before.isFocused === after.isFocused &&
    before.source === after.source &&
    before.words === after.words,
)

/** Fetched when it comes into sight, and again when it did not come. */
function Picture({ asset, source, isFilm }: { asset: PickerAsset; source: Source; isFilm: boolean }) {
  const box = useRef<HTMLSpanElement>(null)
  const [address, setAddress] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    const load = () =>
      void source.picture(asset).then(
        (found) => {
          if (isGone) return
          setAddress(found)
          setFailed(false)
        },
        () => {
          if (isGone) return
          setFailed(true)
          again.failed()
        },
      )
    const again = tryingAgain(load)
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        seen.disconnect()
        load()
      },
      { rootMargin: '300px' },
    )
    seen.observe(box.current!)
    return () => {
      isGone = true
      again.stop()
      seen.disconnect()
    }
  }, [asset, source])
  return (
    <span
      ref={box}
      className="picker-picture"
      style={{ backgroundImage: address ? undefined : placeholderOf(asset.placeholder) }}
    >
      {address && !failed ? (
        <img src={address} alt="" draggable={false} onError={() => setFailed(true)} />
      ) : failed ? (
        isFilm ? (
          <Film size={28} />
        ) : (
          <ImageIcon size={28} />
        )
      ) : null}
    </span>
  )
}
