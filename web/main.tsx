import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { whenBack } from './connection.ts'
import { watchOtherTabs } from './other-tabs.ts'
import { Providers, queryClient } from './providers.tsx'
import { router } from './router.tsx'
import { meQuery } from './session.ts'
import { loadMissed } from './try-again.ts'

// Asked for together with the words, without which nothing is drawn.
watchOtherTabs(queryClient)
void queryClient.prefetchQuery(meQuery)
whenBack(loadMissed)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
