import type { Surface } from '../../contract/words.ts'
import type { Picked } from './messages.ts'

/** As much of an asset as it takes to choose one. */
export interface PickerAsset extends Picked {
  durationSeconds: number | null
  rightsExpireAt: string | null
  /** The blurred stand-in, where there is one. */
  placeholder: string | null
}

export interface Wanted {
  q: string
  surface: Surface | ''
  folderId: string
}

export interface Found {
  assets: PickerAsset[]
  nextCursor: string | null
}

export interface PickerFolder {
  folderId: string
  path: string
}

/** Where the picker has its assets from: the library's API, or the chat it stands in. */
export interface Source {
  find(wanted: Wanted, cursor: string | null, signal: AbortSignal): Promise<Found>
  folders(): Promise<PickerFolder[]>
  /** The address of a small picture. */
  picture(asset: PickerAsset): Promise<string>
}

/** Asked for once, however often it is shown; what failed is asked for again. */
export function remembered(fetchPicture: (asset: PickerAsset) => Promise<string>): Source['picture'] {
  const pictures = new Map<string, Promise<string>>()
  return (asset) => {
    let picture = pictures.get(asset.assetRef)
    if (!picture) {
      picture = fetchPicture(asset)
      picture.catch(() => pictures.delete(asset.assetRef))
      pictures.set(asset.assetRef, picture)
    }
    return picture
  }
}
