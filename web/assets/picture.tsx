import { Film, Image } from 'lucide-react'
import { useState } from 'react'
import type { Asset } from '../../contract/assets.ts'
import { endingsOf, isFilm } from '../../contract/media-types.ts'
import type { Library } from '../library/library.tsx'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { previewUrl } from './assets.ts'
import { placeholderOf } from './placeholder.ts'

export const isVideo = (asset: Pick<Asset, 'mimeType'>) => isFilm(asset.mimeType)
export const mayBeCropped = (asset: Asset) => !isVideo(asset) && asset.media.state !== 'failed'

/** Three or four letters for a corner. */
export const typeOf = (mimeType: string) =>
  (endingsOf(mimeType)[0] ?? mimeType.split('/').at(-1)!).toUpperCase()

/** The asset's preview in a box that has its size already; the blurred stand-in until it is there. */
export function Picture({
  asset,
  library,
  sizes,
  making,
  alt = '',
  whole: shownWhole = false,
}: {
  asset: Asset
  library: Library
  /** How wide it shows, in CSS pixels. */
  sizes: number
  /** Said in the picture's place while it is still being made. */
  making?: string
  alt?: string
  /** Nothing of it is cut off, however its box is shaped. */
  whole?: boolean
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const [there, setThere] = useState<string | null>(null)
  const state = `${asset.version} ${asset.media.state}`
  const whole = shownWhole || asset.details.hasAlpha || isNarrow(asset)
  const isHad = asset.media.state !== 'failed'
  const shown = isHad && broken !== state
  // Beside or through a picture shown whole, its stand-in would show.
  const bare = shown && (asset.details.hasAlpha || (whole && there === state))
  return (
    <span
      className={whole ? 'picture picture-whole' : 'picture'}
      style={{ backgroundImage: bare ? undefined : placeholderOf(asset.media.placeholder) }}
    >
      {shown && making && asset.media.state === 'pending' && (
        <span className="picture-making" aria-hidden>
          {making}
        </span>
      )}
      {!shown && <TypeIcon asset={asset} />}
      {isHad && (
        <Thumbnail
          key={state}
          hidden={!shown}
          src={previewUrl(library, asset, 'thumb')}
          srcSet={`${previewUrl(library, asset, 'thumb')} 320w, ${previewUrl(library, asset, 'card')} 640w`}
          sizes={`${sizes}px`}
          alt={alt}
          decoding="async"
          draggable={false}
          onLoad={() => {
            setBroken(null)
            if (whole) setThere(state)
          }}
          onError={() => setBroken(state)}
        />
      )}
    </span>
  )
}

export const TypeIcon = ({ asset, size = 32 }: { asset: Asset; size?: number }) => (
  <span className="picture-icon">{isVideo(asset) ? <Film size={size} /> : <Image size={size} />}</span>
)

/** So long or so tall that filling the box would hide most of it. */
function isNarrow({ width, height }: Asset): boolean {
  if (!width || !height) return false
  const ratio = width / height
  return ratio < 0.5 || ratio > 2.6
}
