import '@fontsource-variable/inter/wght.css'
import './guests.css'
import './upload.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { language } from '../words/guests.ts'
import { UploadPage } from './upload-page.tsx'

document.documentElement.lang = language
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <UploadPage />
  </StrictMode>,
)
