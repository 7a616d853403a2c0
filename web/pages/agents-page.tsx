import { ActionIcon } from '@mantine/core'
import { Bot, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ConnectedAgent } from '../../contract/agent-sign-in.ts'
import { useAgents } from '../access/agents.ts'
import { DisconnectAgent } from '../access/disconnect-agent.tsx'
import { NamedClients } from '../clients/named-clients.tsx'
import { LoadState, Nothing } from '../ui/list-notes.tsx'
import { AdminFrame } from './admin-frame.tsx'
import { AdminTable } from './admin-table.tsx'

/** Everybody's signed-in agents, for those who look after keys. */
export function AgentsPage() {
  const t = useTranslations('access.agents')
  const agents = useAgents()
  const [leaving, setLeaving] = useState<ConnectedAgent | null>(null)
  return (
    <AdminFrame title={t('title')} lead={t('lead')} needs="keys:write" admin>
      <LoadState query={agents} />
      {agents.data?.length === 0 && (
        <Nothing icon={<Bot size={28} />} title={t('emptyTitle')} text={t('emptyText')} />
      )}
      {agents.data && agents.data.length > 0 && <AgentTable agents={agents.data} onDisconnect={setLeaving} />}
      {leaving && <DisconnectAgent agent={leaving} onClose={() => setLeaving(null)} />}
    </AdminFrame>
  )
}

function AgentTable({
  agents,
  onDisconnect,
}: {
  agents: ConnectedAgent[]
  onDisconnect(agent: ConnectedAgent): void
}) {
  const t = useTranslations('access.agents')
  const common = useTranslations('access')
  const format = useFormatter()
  return (
    <AdminTable
      heads={[t('name'), t('person'), t('clients'), t('may'), t('connected'), t('lastUsed')]}
      acts={t('disconnectButton')}
    >
      {agents.map((agent) => (
        <tr key={agent.agentId}>
          <td data-main>
            <strong>{agent.name}</strong>
            <div className="access-sub">
              {t(agent.isVerified ? 'verified' : 'notVerified', { host: agent.host })}
            </div>
          </td>
          <td data-label={t('person')}>{agent.person.name}</td>
          <td data-label={t('clients')}>
            <NamedClients clientIds={agent.clientIds} />
          </td>
          <td data-label={t('may')}>
            {agent.permissions.length > 1 ? t('writes', { count: agent.permissions.length - 1 }) : t('reads')}
          </td>
          <td data-label={t('connected')}>
            {format.dateTime(new Date(agent.connectedAt), { dateStyle: 'medium' })}
          </td>
          <td data-label={t('lastUsed')}>
            {agent.lastUsedAt ? format.relativeTime(new Date(agent.lastUsedAt), new Date()) : common('never')}
          </td>
          <td data-act>
            <ActionIcon
              aria-label={t('disconnect', { name: agent.name })}
              onClick={() => onDisconnect(agent)}
              color="red"
            >
              <Unplug size={16} />
            </ActionIcon>
          </td>
        </tr>
      ))}
    </AdminTable>
  )
}
