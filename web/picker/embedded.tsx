import '@fontsource-variable/inter/wght.css'
import './picker.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMissed } from '../try-again.ts'
import { EmbeddedPicker } from './embedded-picker.tsx'

addEventListener('online', loadMissed)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <EmbeddedPicker />
  </StrictMode>,
)
