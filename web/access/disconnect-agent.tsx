import { useTranslations } from 'use-intl'
import type { ConnectedAgent } from '../../contract/agent-sign-in.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { useDisconnectAgent } from './agents.ts'

export function DisconnectAgent({ agent, onClose }: { agent: ConnectedAgent; onClose(): void }) {
  const t = useTranslations('access.agents')
  const { agentId, name } = agent
  return (
    <ConfirmRemoval
      title={t('disconnectTitle', { name })}
      text={t('disconnectText')}
      button={t('disconnectButton')}
      remove={useDisconnectAgent()}
      what={agentId}
      removed={t('disconnected', { name })}
      onClose={onClose}
    />
  )
}
