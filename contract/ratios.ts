/** Width by height, as people say it: what a picture can be cropped to. No schemas: the crop editor loads this, too. */
export const ratios = ['1:1', '4:5', '5:4', '3:4', '4:3', '2:3', '3:2', '9:16', '16:9', '1.91:1'] as const
export type Ratio = (typeof ratios)[number]

export interface Size {
  width: number
  height: number
}

/** From the top left corner, 0 to 1 each way. */
export interface Point {
  x: number
  y: number
}

/** A part of a picture, by its top left corner and its sides, 0 to 1 each way. */
export interface Area extends Point, Size {}

/** A part of a picture in its own pixels. */
export interface Cut extends Size {
  left: number
  top: number
}

export const centre: Point = { x: 0.5, y: 0.5 }

export function ratioValue(ratio: Ratio): number {
  const [width, height] = ratio.split(':').map(Number)
  return width! / height!
}

/** What people call this ratio, if they have a name for it. */
export const nameOfRatio = (value: number): Ratio | undefined =>
  ratios.find((ratio) => Math.abs(ratioValue(ratio) / value - 1) < 0.002)

export const orientations = ['landscape', 'portrait', 'square'] as const
export type Orientation = (typeof orientations)[number]

/** The ratio by which a picture is looked for: it may be off by a hundredth. The database has the same rule as `ratio_of()`. */
export const ratioOf = ({ width, height }: Size): Ratio | undefined =>
  ratios.find((ratio) => Math.abs(width / height / ratioValue(ratio) - 1) <= 0.01)

/** The database has the same rule as `orientation_of()`. */
export const orientationOf = (size: Size): Orientation =>
  ratioOf(size) === '1:1' ? 'square' : size.width > size.height ? 'landscape' : 'portrait'

/** As people say it, whether it has a name or not: 4:5, 2.35:1, 1:2.2. */
export function spokenRatio(value: number): string {
  const short = (one: number) => String(Math.round(one * 100) / 100)
  return nameOfRatio(value) ?? (value >= 1 ? `${short(value)}:1` : `1:${short(1 / value)}`)
}

/** Whether it has the ratio as nearly as whole pixels allow. */
export const hasRatio = ({ width, height }: Size, value: number): boolean =>
  Math.abs(width - height * value) <= 1 || Math.abs(height - width / value) <= 1

/** The largest part of this ratio that has the point as near to its middle as the edges allow. */
export function cutAround({ width, height }: Size, value: number, { x, y }: Point = centre): Cut {
  const kept =
    width / height > value
      ? { width: Math.max(1, Math.floor(height * value)), height }
      : { width, height: Math.min(height, Math.max(1, Math.floor(width / value))) }
  return {
    ...kept,
    left: Math.round(clamp(x * width - kept.width / 2, 0, width - kept.width)),
    top: Math.round(clamp(y * height - kept.height / 2, 0, height - kept.height)),
  }
}

/** The same part in whole pixels, and none beyond the edges. */
export function inPixels({ width, height }: Size, area: Area): Cut {
  const left = clamp(Math.round(area.x * width), 0, width - 1)
  const top = clamp(Math.round(area.y * height), 0, height - 1)
  return {
    left,
    top,
    width: clamp(Math.round(area.width * width), 1, width - left),
    height: clamp(Math.round(area.height * height), 1, height - top),
  }
}

export const asArea = ({ width, height }: Size, cut: Cut): Area => ({
  x: cut.left / width,
  y: cut.top / height,
  width: cut.width / width,
  height: cut.height / height,
})

export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))
