import './picker.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ChatPicker } from './chat-picker.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ChatPicker />
  </StrictMode>,
)
