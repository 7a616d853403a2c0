import type { Asset } from '../../contract/assets.ts'
import type { PreviewSize } from '../../contract/media-types.ts'
import type { Area } from '../../contract/ratios.ts'
import { useLibrary } from '../library/library.tsx'
import { PictureOrIcon } from '../ui/picture-or-icon.tsx'
import { previewUrl } from './assets.ts'
import './cropped.css'

type Shown = Pick<Asset, 'assetId' | 'version' | 'width' | 'height'>

/** A part of a picture, as it will be seen where nothing else of it is sent. */
export function Cropped({
  asset,
  area,
  size = 'thumb',
  alt = '',
}: {
  asset: Shown
  area: Area
  size?: PreviewSize
  alt?: string
}) {
  const library = useLibrary()
  const ratio = ((asset.width ?? 1) * area.width) / ((asset.height ?? 1) * area.height)
  return (
    <span className="cropped" style={{ aspectRatio: ratio }}>
      <PictureOrIcon
        src={previewUrl(library, asset, size)}
        alt={alt}
        draggable={false}
        decoding="async"
        style={{
          width: `${100 / area.width}%`,
          height: `${100 / area.height}%`,
          left: `${(-100 * area.x) / area.width}%`,
          top: `${(-100 * area.y) / area.height}%`,
        }}
      />
    </span>
  )
}
