import { type OcrLanguage, ocrPackages } from '../../contract/ocr-languages.ts'
import type { Media } from '../media/media.ts'
import { Problem } from '../problems.ts'

/** A language whose letters and words nobody here knows would never be read, and nobody would be told. */
export async function refuseNotInstalled(media: Media, languages: OcrLanguage[]): Promise<void> {
  if (languages.length === 0) return
  const { ocrLanguages } = await media.capabilities()
  const missing = languages.filter((language) => !ocrLanguages.includes(language))
  if (missing.length === 0) return
  const packages = missing.map((language) => `@tesseract.js-data/${ocrPackages[language]}`)
  throw new Problem(
    'language-not-installed',
    `Words cannot be read in ${missing.join(', ')} here. Leave it out, or have ${packages.join(' ')} installed (npm install) and the server restarted.`,
    { extra: { params: { languages: missing.join(' ') } } },
  )
}
