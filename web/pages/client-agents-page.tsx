import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { Bot, OctagonX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Agent, AgentRecord } from '../../contract/agents.ts'
import type { ClientRecord } from '../../contract/clients.ts'
import { ConnectHint } from '../access/connect-hint.tsx'
import { ActivityList } from '../activity/activity-list.tsx'
import { useAgent, useAgents, useStopAgent } from '../activity/agents.ts'
import { useLibrary } from '../library/library.tsx'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { useOutboundText } from '../words/outbound-text.ts'
import { AdminTable } from './admin-table.tsx'
import './client-agents-page.css'
import { ClientFrame, OfClient, OfPortal, PortalFrame } from './client-frame.tsx'

/** Which agents work for a client, and what one of them did: for those who look after it, and for its own people. */
export const ClientAgentsPage = () => <OfClient>{(client) => <AllAgents client={client} />}</OfClient>
export const ClientAgentPage = () => <OfClient>{(client) => <OneAgent client={client} />}</OfClient>
export const PortalAgentsPage = () => (
  <OfPortal>
    <AllAgents />
  </OfPortal>
)
export const PortalAgentPage = () => (
  <OfPortal>
    <OneAgent />
  </OfPortal>
)

interface Shown {
  title: string
  lead: string
  create?: ReactNode
  children: ReactNode
}

const Frame = ({ client, ...page }: Shown & { client?: ClientRecord | undefined }) =>
  client ? (
    <ClientFrame client={client} {...page} needs="agents:read" />
  ) : (
    <PortalFrame {...page} needs="agents:read" />
  )

function AllAgents({ client }: { client?: ClientRecord }) {
  const t = useTranslations('agents')
  const lead = client ? t('lead', { client: client.name }) : t('portalLead')
  return (
    <Frame client={client} title={t('title')} lead={lead}>
      <AgentTable />
    </Frame>
  )
}

function AgentTable() {
  const t = useTranslations('agents')
  const format = useFormatter()
  const { frame, clientId } = useLibrary()
  const page = useAgents()
  const agents = page.data?.agents
  return (
    <>
      <LoadState query={page} />
      {agents?.length === 0 && (
        <Nothing icon={<Bot size={28} />} title={t('emptyTitle')} text={`${t('emptyText')} ${t('connect')}`}>
          <ConnectHint />
        </Nothing>
      )}
      {agents && agents.length > 0 && (
        <AdminTable heads={[t('name'), t('state'), t('lastDid')]}>
          {agents.map((agent) => (
            <tr key={agent.keyId}>
              <td data-main>
                <Link
                  to={`${agentsAt[frame]}/$keyId`}
                  params={{ clientId, keyId: agent.keyId } as never}
                  className="access-link"
                >
                  {agent.name ?? t('unnamed')}
                </Link>
              </td>
              <td data-label={t('state')}>{t(stateOf(agent))}</td>
              <td data-label={t('lastDid')}>
                {agent.lastDidAt ? format.relativeTime(new Date(agent.lastDidAt), new Date()) : t('never')}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
    </>
  )
}

const stateOf = ({ isStopped, isSignedIn }: Agent) =>
  isStopped ? 'stopped' : isSignedIn ? 'signedIn' : 'working'

/** Everything one of them did for the client, and the way to stop it. */
function OneAgent({ client }: { client?: ClientRecord }) {
  const t = useTranslations('agents')
  const { keyId } = useParams({ strict: false }) as { keyId: string }
  const { frame, clientId, can } = useLibrary()
  const page = useAgent(keyId)
  const agent = page.data
  const [stopping, setStopping] = useState(false)
  const stop = agent && !agent.isStopped && can('agents:stop') && (
    <Button variant="default" leftSection={<OctagonX size={16} />} onClick={() => setStopping(true)}>
      {t('stop')}
    </Button>
  )
  const did = client ? t('agentLead', { client: client.name }) : t('portalAgentLead')
  return (
    <Frame
      client={client}
      title={agent?.name ?? t('unnamed')}
      lead={agent?.isStopped ? t('stopped') : did}
      create={stop}
    >
      <p>
        <Link to={agentsAt[frame]} params={{ clientId }} className="access-link">
          {t('all')}
        </Link>
      </p>
      <LoadState query={page} />
      {agent && <Done agent={agent} />}
      {agent && stopping && <StopAgent agent={agent} onClose={() => setStopping(false)} />}
    </Frame>
  )
}

const agentsAt = { admin: '/clients/$clientId/agents', portal: '/portal/agents' } as const
const libraryAt = { admin: '/clients/$clientId/assets', portal: '/portal/assets' } as const

function StopAgent({ agent: { keyId, name }, onClose }: { agent: Agent; onClose(): void }) {
  const t = useTranslations('agents')
  const called = { name: name ?? t('unnamed') }
  return (
    <ConfirmRemoval
      title={t('stopTitle', called)}
      text={t('stopText')}
      button={t('stop')}
      remove={useStopAgent()}
      what={keyId}
      removed={t('nowStopped', called)}
      onClose={onClose}
    />
  )
}

function Done({ agent: { runtimes, looks, deliveries, activity } }: { agent: AgentRecord }) {
  const t = useTranslations('agents')
  const status = useTranslations('deliveries.states')
  const outbound = useOutboundText()
  const runs = runtimes.flatMap(({ agentId, recentRuns }) => recentRuns.map((run) => ({ agentId, ...run })))
  return (
    <>
      <Part title={t('runs')} count={runs.length}>
        {runs.map(({ agentId, job, status: outcome, finishedAt, error }) => (
          <Line key={`${agentId} ${finishedAt} ${job}`} at={finishedAt} what={t(`outcomes.${outcome}`)}>
            {t('runOf', { job, agent: agentId })} {error}
          </Line>
        ))}
      </Part>
      <Part title={t('deliveries')} count={deliveries.length}>
        {deliveries.map(
          ({ deliveryId, assetId, status: state, createdAt, remoteUrl, lastError, lastErrorReason }) => (
            <Line key={deliveryId} at={createdAt} what={status(state)}>
              <AssetLink assetId={assetId}>{t('asset')}</AssetLink>{' '}
              {remoteUrl ?? ((lastError || lastErrorReason) && outbound(lastError ?? '', lastErrorReason))}
            </Line>
          ),
        )}
      </Part>
      <Part title={t('looks')} count={looks.length}>
        {looks.map(({ assetId, title, hour }) => (
          <Line
            key={`${assetId} ${hour}`}
            at={hour}
            until={new Date(Date.parse(hour) + 3_600_000)}
            what={<AssetLink assetId={assetId}>{title}</AssetLink>}
          />
        ))}
      </Part>
      <section className="agent-part">
        <h3>{t('changes')}</h3>
        {activity.length > 0 ? <ActivityList activity={activity} label={t('changes')} /> : <p>{t('none')}</p>}
      </section>
    </>
  )
}

function Part({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  const t = useTranslations('agents')
  return (
    <section className="agent-part">
      <h3>{title}</h3>
      {count > 0 ? (
        <ol className="activity" aria-label={title}>
          {children}
        </ol>
      ) : (
        <p>{t('none')}</p>
      )}
    </section>
  )
}

const style = { dateStyle: 'medium', timeStyle: 'short' } as const

/** Something that happened at a time, or between two. */
function Line(line: { at: string; until?: Date; what: ReactNode; children?: ReactNode }) {
  const { at, until, what, children } = line
  const format = useFormatter()
  const from = new Date(at)
  return (
    <li>
      <span className="activity-what">
        {what} {children}
      </span>
      <small>
        <time dateTime={at}>
          {until ? format.dateTimeRange(from, until, style) : format.dateTime(from, style)}
        </time>
      </small>
    </li>
  )
}

function AssetLink({ assetId, children }: { assetId: string; children: string }) {
  const { frame, clientId } = useLibrary()
  const search = { asset: assetId }
  return (
    <Link to={libraryAt[frame]} params={{ clientId }} search={search as never} className="access-link">
      {children}
    </Link>
  )
}
