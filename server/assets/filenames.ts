import { endingsOf, typeOfEnding } from '../../contract/media-types.ts'

/** The name of a downloaded file: the asset's title, with the ending of its true type. */
export function filenameOf(title: string, mimeType: string): string {
  const endings = endingsOf(mimeType).map((ending) => `.${ending}`)
  const [ending = ''] = endings
  return endings.some((other) => title.toLowerCase().endsWith(other)) ? title : title + ending
}

/** The type that a file's name promises, if it is one we know. */
export const mimeTypeOf = (filename: string): string | undefined =>
  typeOfEnding(/\.([^.]+)$/.exec(filename)?.[1] ?? '')
