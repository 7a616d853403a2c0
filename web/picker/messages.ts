/** What the page and the frame in it say to each other, on a channel that no one else hears. */

export interface Wishes {
  /** Whose assets are picked from. A client's own people need not say. */
  client?: string | undefined
  /** Only what may be used there now. */
  surface?: string | undefined
  multiple: boolean
  language?: string | undefined
  theme?: string | undefined
}

/** The first word, with the port on which all others follow. */
export interface Hello extends Wishes {
  type: 'asset-picker'
}

export interface Picked {
  assetRef: string
  title: string
  altText: string
  mimeType: string
  width: number | null
  height: number | null
}

export type Answer = { type: 'pick'; assets: Picked[] } | { type: 'cancel' }

/** From the window in which a person signs in to the frame that opened it, on one origin. */
export const tokenMessage = 'picker-token'
