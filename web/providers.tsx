import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from './api.ts'
import { theme, variables } from './theme.ts'
import { Speech } from './words/words.tsx'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What others change arrives as events; refetching behind somebody's back would only cost.
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
    // A change while offline fails at once and visibly, instead of surfacing minutes later.
    mutations: { networkMode: 'always' },
  },
})

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Speech>
          <Notifications position="bottom-center" limit={3} zIndex={400} />
          {children}
        </Speech>
      </QueryClientProvider>
    </MantineProvider>
  )
}
