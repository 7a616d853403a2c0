const endings: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'video/mp4': '.mp4',
}

/** The name of a downloaded file: the asset's title, with the ending of its true type. */
export function filenameOf(title: string, mimeType: string): string {
  const ending = endings[mimeType] ?? ''
  const others = ending === '.jpg' ? ['.jpg', '.jpeg'] : ending === '.heic' ? ['.heic', '.heif'] : [ending]
  return others.some((other) => title.toLowerCase().endsWith(other)) ? title : title + ending
}

/** The type that a file's name promises, if it is one we know. */
export function mimeTypeOf(filename: string): string | undefined {
  const ending = /\.[^.]+$/.exec(filename.toLowerCase())?.[0] ?? ''
  const same = { '.jpeg': '.jpg', '.heif': '.heic' }[ending] ?? ending
  return Object.keys(endings).find((type) => endings[type] === same)
}
