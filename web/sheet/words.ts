import de from '../words/sheet.de.ts'
import en from '../words/sheet.en.ts'
import { useLanguage } from '../words/words.tsx'

/** They come with the page, which few open: none of them is in the app's first load. */
export const useSheetWords = () => ({ en, de })[useLanguage()]
