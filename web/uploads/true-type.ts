import {
  bearsOut,
  headBytes,
  isMediaType,
  type MediaType,
  nameOfType,
  typeOfEnding,
  typeOfHead,
} from '../../contract/media-types.ts'

/** What a file is by its first bytes: browsers call a `.heic` nothing or `application/octet-stream`. */
export async function trueType(file: Blob & { name?: string }): Promise<MediaType | { other: string }> {
  const ending = endingOf(file.name ?? '')
  const found = typeOfHead(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
  if (found === undefined) return { other: ending }
  if (isMediaType(found)) return found
  const promised = typeOfEnding(ending)
  return promised && bearsOut(found, promised) ? promised : { other: nameOfType(found) }
}

/** `JPG` of `beach.jpg`; empty without a plain ending. */
export const endingOf = (name: string) => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** The ending promises a type that is taken; what is in the file is something else. */
export const isTakenEnding = (ending: string) => typeOfEnding(ending) !== undefined
