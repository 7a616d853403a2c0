import '@fontsource-variable/inter/wght.css'
import './guests.css'
import './share.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { whenBack } from '../connection.ts'
import { loadMissed } from '../ui/try-again.ts'
import { language } from '../words/guests.ts'
import { SharePage } from './share-page.tsx'

whenBack(loadMissed)
document.documentElement.lang = language
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SharePage />
  </StrictMode>,
)
