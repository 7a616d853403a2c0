import de from '../words/suggestions.de.ts'
import en from '../words/suggestions.en.ts'
import { useLanguage } from '../words/words.tsx'

/** They come with what shows them, which most never see: none of them is in the app's first load. */
export const useSuggestionWords = () => ({ en, de })[useLanguage()]
