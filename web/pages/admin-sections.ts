import { Bot, KeyRound, ScrollText, UserRound, Users, Webhook } from 'lucide-react'

/** The pages of the administration, and who may open them. */
export const adminSections = [
  { to: '/admin/clients', needs: 'clients:write', word: 'manageClients', Icon: UserRound },
  { to: '/admin/users', needs: 'users:write', word: 'users', Icon: Users },
  { to: '/admin/keys', needs: 'keys:write', word: 'keys', Icon: KeyRound },
  { to: '/admin/agents', needs: 'keys:write', word: 'agents', Icon: Bot },
  { to: '/admin/webhooks', needs: 'webhooks:write', word: 'webhooks', Icon: Webhook },
  { to: '/admin/audit', needs: 'audit:read', word: 'audit', Icon: ScrollText },
] as const
