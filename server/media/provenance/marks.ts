/** What a file says beside its picture, as far as it tells how that came about and whose it is. */
export interface Marks {
  /** XMP packets. */
  xmp: string[]
  /** IPTC's older form, by the numbers of its second record. */
  iptc: Map<number, string>
  words: Words[]
  /** The manifest store of C2PA, as it is. */
  manifest: Buffer | undefined
}

/** Words under a name: a PNG's text, a field of EXIF, a tag of a film. */
export interface Words {
  place: 'png' | 'exif' | 'film' | 'xmp'
  name: string
  words: string
}

export const noMarks = (): Marks => ({ xmp: [], iptc: new Map(), words: [], manifest: undefined })

/** Hostile files say much: what is longer is not looked at. */
export const mostBytes = 2_000_000
export const mostPackets = 8
