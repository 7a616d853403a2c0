import { Button } from '@mantine/core'
import { Cable, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ClientRecord } from '../../contract/clients.ts'
import type { Connection } from '../../contract/deliveries.ts'
import { ConnectionCard } from '../deliveries/connection-card.tsx'
import { ConnectionDialog } from '../deliveries/connection-dialog.tsx'
import { useConnections, useRemoveConnection, useTestConnection } from '../deliveries/deliveries.ts'
import { OpenPullGrants } from '../deliveries/open-pull-grants.tsx'
import { RecentDeliveries } from '../deliveries/recent-deliveries.tsx'
import {
  needsSignIn,
  offerFor,
  useBeginSignIn,
  useSignInMissing,
  useSignInOffers,
} from '../deliveries/sign-in.ts'
import { useLibrary } from '../library/library.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { toast } from '../ui/toast.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { useProblemText } from '../words/problem-text.ts'
import { ClientFrame, OfClient } from './client-frame.tsx'
import '../deliveries/deliveries.css'
import '../ui/cards.css'

/** Where one client's assets are delivered to, and what was delivered lately. */
export const ConnectionsPage = () => <OfClient>{(client) => <Page client={client} />}</OfClient>

type Dialog = { kind: 'edit'; connection?: Connection } | { kind: 'remove'; connection: Connection }

function Page({ client }: { client: ClientRecord }) {
  const t = useTranslations('connections')
  const problemText = useProblemText()
  const outbound = useOutboundText()
  const { can } = useLibrary()
  const connections = useConnections()
  const test = useTestConnection()
  const offers = useSignInOffers()
  const missingFor = useSignInMissing()
  const signIn = useBeginSignIn()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const mayChange = can('clients:write')
  const isEmpty = connections.data?.length === 0

  function runTest(connection: Connection) {
    const about = connection.connectionId
    test.mutate(connection, {
      onSuccess: ({ name, status, lastError, lastErrorReason }) =>
        status === 'connected'
          ? toast({ about, text: t('tested', { name }) })
          : toast({
              about,
              text: t('testFailed', {
                name,
                reason: lastError ? outbound(lastError, lastErrorReason) : '',
              }),
              bad: true,
            }),
      onError: (error) => toast({ about, text: problemText(error), bad: true }),
    })
  }

  const leaveToSignIn = (connection: Connection) =>
    signIn.mutate(connection, { onError: (error) => toast({ text: problemText(error), bad: true }) })
  /** Where it is not set up, only those are told what to set who need it. */
  const canSignIn = (connection: Connection) => {
    const offer = offerFor(offers.data, connection.kind)
    return mayChange && !!offer && (offer.ready || needsSignIn(connection))
  }

  const create = mayChange && (
    <Button leftSection={<Plus size={16} />} onClick={() => setDialog({ kind: 'edit' })}>
      {t('create')}
    </Button>
  )
  return (
    <ClientFrame
      client={client}
      title={t('title')}
      lead={t('lead', { client: client.name })}
      needs="deliveries:write"
      create={!isEmpty && create}
    >
      <LoadState query={connections} />
      {isEmpty && (
        <Nothing
          icon={<Cable size={28} />}
          title={t('emptyTitle')}
          text={mayChange ? t('emptyText') : t('emptyReadOnly')}
        >
          {create}
        </Nothing>
      )}
      {connections.data && !isEmpty && (
        <ul className="cards">
          {connections.data.map((connection) => (
            <ConnectionCard
              key={connection.connectionId}
              connection={connection}
              isTesting={test.isPending && test.variables.connectionId === connection.connectionId}
              onTest={() => runTest(connection)}
              onSignIn={canSignIn(connection) ? () => leaveToSignIn(connection) : undefined}
              signInMissing={missingFor(offerFor(offers.data, connection.kind))}
              onEdit={mayChange ? () => setDialog({ kind: 'edit', connection }) : undefined}
              onRemove={mayChange ? () => setDialog({ kind: 'remove', connection }) : undefined}
            />
          ))}
        </ul>
      )}
      <OpenPullGrants />
      {connections.data && <RecentDeliveries connections={connections.data} />}
      {dialog?.kind === 'edit' && (
        <ConnectionDialog
          connection={dialog.connection}
          onSaved={runTest}
          onSignIn={leaveToSignIn}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemoveConnection connection={dialog.connection} onClose={() => setDialog(null)} />
      )}
    </ClientFrame>
  )
}

function RemoveConnection({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const t = useTranslations('connections')
  const { name } = connection
  return (
    <ConfirmRemoval
      title={t('removeTitle', { name })}
      text={t('removeText')}
      button={t('removeButton')}
      remove={useRemoveConnection()}
      what={connection}
      removed={t('removed', { name })}
      onClose={onClose}
    />
  )
}
