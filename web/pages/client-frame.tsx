import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Permission } from '../../contract/access.ts'
import type { ClientRecord } from '../../contract/clients.ts'
import { isProblem } from '../api.ts'
import { ClientSwitcher } from '../clients/client-switcher.tsx'
import { LibraryProvider, useClientRecord, useLibraryAt } from '../library/library.tsx'
import { useLiveChanges } from '../library/live.ts'
import { useMe } from '../session.ts'
import { givesFocusUp } from '../ui/focus.ts'
import { LoadState } from '../ui/list-notes.tsx'
import { AdminFrame } from './admin-frame.tsx'
import { AppBar } from './app-bar.tsx'
import { ForeignLibrary } from './foreign-library.tsx'
import { ClientTabs } from './tabs.tsx'

/** The client that the address names, around a page of it. */
export function OfClient({ children }: { children(client: ClientRecord): ReactNode }) {
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const words = useTranslations('app')
  const library = useLibraryAt('admin', `/admin/clients/${clientId}`, clientId)
  const client = useClientRecord(clientId)
  if (isProblem(client.error, 'not-found') || isProblem(client.error, 'forbidden'))
    return <ForeignLibrary because="not-yours" />
  return (
    <LibraryProvider value={library} key={clientId}>
      {client.data ? (
        children(client.data)
      ) : (
        <>
          <AppBar title={words('name')} />
          <main className="access-main" ref={givesFocusUp}>
            <LoadState query={client} />
          </main>
        </>
      )}
    </LibraryProvider>
  )
}

/** The library of whoever is signed in, around a page of it. */
export function OfPortal({ children }: { children: ReactNode }) {
  const me = useMe()
  const library = useLibraryAt('portal', '/portal', me?.clientId ?? '')
  if (!me?.clientId) return <ForeignLibrary because="no-client" />
  return <LibraryProvider value={library}>{children}</LibraryProvider>
}

interface Page {
  title: string
  lead: string
  needs: Permission
  create?: ReactNode
  children: ReactNode
}

/** A page of a client beside its library: the client's name above it, and the tabs that lead to the others. */
export function ClientFrame({ client: { clientId, name }, ...page }: Page & { client: ClientRecord }) {
  const t = useTranslations('tabs')
  useLiveChanges()
  return (
    <AdminFrame
      {...page}
      bar={
        <>
          <AppBar
            title={t('of', { page: page.title, client: name })}
            beside={<ClientSwitcher clientId={clientId} />}
          />
          <ClientTabs />
        </>
      }
    />
  )
}

/** The same for the client's own people. */
export function PortalFrame(page: Page) {
  useLiveChanges()
  return (
    <AdminFrame
      {...page}
      bar={
        <>
          <AppBar title={page.title} />
          <ClientTabs />
        </>
      }
    />
  )
}
