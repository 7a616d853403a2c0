import type { AssetChange } from '../../contract/assets.ts'
import type { Crops } from '../../contract/crops.ts'
import { isFilm } from '../../contract/media-types.ts'
import { hasRatio, inPixels, type Ratio, ratioValue, type Size } from '../../contract/ratios.ts'
import { Problem } from '../problems.ts'

export type Framing = Pick<AssetChange, 'focalPoint' | 'crops'>

interface Picture {
  mime_type: string
  width: number | null
  height: number | null
}

/** A focal point and crops that cannot be this picture's; all of them at once. */
export function refuseBadFraming({ mime_type, width, height }: Picture, framing: Framing): void {
  const size = !isFilm(mime_type) && width && height ? { width, height } : undefined
  const errors = size ? cropErrors(size, framing.crops ?? {}) : notAPicture(framing)
  if (errors.length > 0)
    throw new Problem('invalid-request', `Correct the body: ${errors[0]!.path} ${errors[0]!.message}.`, {
      extra: { errors },
    })
}

interface FieldError {
  path: string
  message: string
}

function notAPicture({ focalPoint, crops }: Framing): FieldError[] {
  const set = { focalPoint: focalPoint != null, crops: Object.keys(crops ?? {}).length > 0 }
  return (['focalPoint', 'crops'] as const)
    .filter((member) => set[member])
    .map((member) => ({ path: `/${member}`, message: 'is for pictures; films are not cropped' }))
}

const cropErrors = (size: Size, crops: Crops): FieldError[] =>
  Object.entries(crops).flatMap(([ratio, crop]) => {
    const path = `/crops/${ratio}`
    const beyond = [
      crop.x + crop.width > 1 + 0.5 / size.width && 'right',
      crop.y + crop.height > 1 + 0.5 / size.height && 'lower',
    ].filter((edge) => edge !== false)
    if (beyond.length > 0)
      return beyond.map((edge) => ({ path, message: `reaches beyond the ${edge} edge of the picture` }))
    const cut = inPixels(size, crop)
    return hasRatio(cut, ratioValue(ratio as Ratio))
      ? []
      : [{ path, message: `is ${cut.width} × ${cut.height} pixels, which is not ${ratio}` }]
  })
