import './picker.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMissed } from '../try-again.ts'
import { ChatPicker } from './chat-picker.tsx'

addEventListener('online', loadMissed)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ChatPicker />
  </StrictMode>,
)
