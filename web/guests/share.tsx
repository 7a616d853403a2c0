import '@fontsource-variable/inter/wght.css'
import './guests.css'
import './share.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { useOnline, whenBack } from '../connection.ts'
import { loadMissed } from '../try-again.ts'
import { MissingParts } from '../ui/missing-parts.tsx'
import { language, words } from '../words/guests.ts'
import { SharePage } from './share-page.tsx'

function Missing() {
  const partMissing = useOnline() ? words.partMissing : words.partOffline
  return <MissingParts words={{ ...words, partMissing, cancel: words.cancelAnswer }} />
}

whenBack(loadMissed)
document.documentElement.lang = language
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SharePage />
    <Missing />
  </StrictMode>,
)
