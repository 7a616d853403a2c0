import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { isProblem, Problem } from './api.ts'
import { useOnline, whenBack } from './connection.ts'
import { themeIn, variables } from './theme.ts'
import { LiveRegion } from './ui/announce.tsx'
import { MissingParts } from './ui/missing-parts.tsx'
import { Toasts } from './ui/toasts.tsx'
import { LanguageProvider } from './words/words.tsx'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What others change arrives as events, so nothing is refetched on focus.
      staleTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // Without a connection a query fails and can be retried, instead of waiting silently.
      networkMode: 'always',
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
    // A change while offline fails at once and visibly, instead of surfacing minutes later.
    mutations: { networkMode: 'always' },
  },
})

// What is in sight and could not be read for want of a connection.
whenBack(() =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => isProblem(state.error, 'unreachable'),
  }),
)

export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <Themed>
          <LiveRegion />
          <Toasts />
          <Missing />
          {children}
        </Themed>
      </LanguageProvider>
    </QueryClientProvider>
  )
}

function Missing() {
  const t = useTranslations('app')
  return (
    <MissingParts
      words={{
        partMissing: t(useOnline() ? 'partMissing' : 'partOffline'),
        newerVersion: t('newerVersion'),
        retry: t('retry'),
        reload: t('reload'),
        stay: t('stayHere'),
        cancel: t('cancel'),
      }}
    />
  )
}

function Themed({ children }: { children: ReactNode }) {
  const t = useTranslations('app')
  const theme = useMemo(() => themeIn({ close: t('close') }), [t])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
