/** The longest side of each preview, in pixels. A smaller original is never enlarged. */
export const previewSizes = { thumb: 320, card: 640, large: 1600 } as const
export const previewFormats = ['webp', 'avif', 'jpeg'] as const

export type PreviewSize = keyof typeof previewSizes
export type PreviewFormat = (typeof previewFormats)[number]

export interface WantedPreview {
  size: PreviewSize
  format: PreviewFormat
}
