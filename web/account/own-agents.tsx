import { ActionIcon } from '@mantine/core'
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { Me } from '../../contract/access.ts'
import type { ConnectedAgent } from '../../contract/agent-sign-in.ts'
import { useAgents } from '../access/agents.ts'
import { DisconnectAgent } from '../access/disconnect-agent.tsx'
import { LoadState } from '../ui/list-notes.tsx'
import { Section } from './section.tsx'

/** The agents that work in a person's name, and the way to end it. */
export function OwnAgents({ me }: { me: Me }) {
  const t = useTranslations('account')
  const agents = useAgents()
  const [leaving, setLeaving] = useState<ConnectedAgent | null>(null)
  const own = agents.data?.filter(({ person }) => person.userId === me.id)
  return (
    <Section title={t('agents')} lead={t('agentsLead')}>
      <LoadState query={agents} />
      {own?.length === 0 && <p className="account-sub">{t('noAgents')}</p>}
      <ul className="account-list">
        {own?.map((agent) => (
          <AgentRow key={agent.agentId} agent={agent} onDisconnect={() => setLeaving(agent)} />
        ))}
      </ul>
      {leaving && <DisconnectAgent agent={leaving} onClose={() => setLeaving(null)} />}
    </Section>
  )
}

function AgentRow({ agent, onDisconnect }: { agent: ConnectedAgent; onDisconnect(): void }) {
  const t = useTranslations('account')
  const words = useTranslations('access.agents')
  const format = useFormatter()
  const { name, host, isVerified, connectedAt, lastUsedAt } = agent
  const at = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' })
  const said = { host: words(isVerified ? 'verified' : 'notVerified', { host }), connected: at(connectedAt) }
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span className="account-sub">
          {lastUsedAt ? t('agentUsed', { ...said, used: at(lastUsedAt) }) : t('agentUnused', said)}
        </span>
      </div>
      <ActionIcon aria-label={words('disconnect', { name })} onClick={onDisconnect} color="red">
        <Unplug size={16} />
      </ActionIcon>
    </li>
  )
}
