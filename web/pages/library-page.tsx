import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { isProblem } from '../api.ts'
import { ClientSwitcher } from '../clients/client-switcher.tsx'
import { type Library, LibraryProvider, useClientRecord, useLibraryAt } from '../library/library.tsx'
import { SelectionProvider } from '../library/selection.ts'
import { useVisitedSelection } from '../library/visits.ts'
import { useMe } from '../session.ts'
import { UploadsProvider } from '../uploads/uploads.tsx'
import { ForeignLibrary } from './foreign-library.tsx'
import { AssetLibrary } from './library/asset-library.tsx'

/** The operators' frame: one client's library, under its name. */
export function AdminLibraryPage() {
  const t = useTranslations('library')
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const client = useClientRecord(clientId)
  if (isProblem(client.error, 'not-found') || isProblem(client.error, 'forbidden'))
    return <ForeignLibrary because="not-yours" />
  return (
    <LibraryFrame
      frame="admin"
      root={`/admin/clients/${clientId}`}
      clientId={clientId}
      title={client.data ? t('of', { client: client.data.name }) : t('title')}
      beside={<ClientSwitcher clientId={clientId} />}
    />
  )
}

/** The clients' frame: the library of whoever is signed in. */
export function PortalLibraryPage() {
  const t = useTranslations('library')
  const me = useMe()
  if (!me?.clientId) return <ForeignLibrary because="no-client" />
  return <LibraryFrame frame="portal" root="/portal" clientId={me.clientId} title={t('title')} />
}

function LibraryFrame({
  frame,
  root,
  clientId,
  title,
  beside,
}: Pick<Library, 'frame' | 'clientId'> & { root: string; title: string; beside?: ReactNode }) {
  const library = useLibraryAt(frame, root, clientId)
  const selection = useVisitedSelection(root)
  return (
    <LibraryProvider value={library} key={root}>
      <SelectionProvider value={selection}>
        <UploadsProvider>
          <AssetLibrary title={title} beside={beside} />
        </UploadsProvider>
      </SelectionProvider>
    </LibraryProvider>
  )
}
