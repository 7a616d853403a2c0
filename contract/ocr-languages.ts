/** Languages that words in pictures can be read in, and the package of `@tesseract.js-data` that knows each. */
export const ocrPackages = {
  de: 'deu',
  en: 'eng',
  fr: 'fra',
  it: 'ita',
  es: 'spa',
  nl: 'nld',
  pl: 'pol',
  pt: 'por',
} as const

export type OcrLanguage = keyof typeof ocrPackages
export const ocrLanguages = Object.keys(ocrPackages) as OcrLanguage[]

/** Characters that are kept of the text in a picture. */
export const mostPictureText = 20_000
