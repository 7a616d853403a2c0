import { thumbHashToDataURL } from 'thumbhash'

const most = 3000
const pictures = new Map<string, string>()

/** The blurred stand-in of a picture that is on its way, as a CSS background. */
export function placeholderOf(thumbhash: string | null): string | undefined {
  if (!thumbhash) return undefined
  let picture = pictures.get(thumbhash)
  if (!picture) {
    picture = `url(${thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (byte) => byte.charCodeAt(0)))})`
    if (pictures.size >= most) pictures.delete(pictures.keys().next().value!)
    pictures.set(thumbhash, picture)
  }
  return picture
}
