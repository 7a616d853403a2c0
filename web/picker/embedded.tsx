import '@fontsource-variable/inter/wght.css'
import './picker.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EmbeddedPicker } from './embedded-picker.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <EmbeddedPicker />
  </StrictMode>,
)
