import { forClients } from '../access/for-clients.ts'
import { clientsOf as namedFor } from '../access/visible.ts'
import { type Caller, type Library, makeLibrary, type Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'

/** Who talks to us over MCP, as the door has recognised it. */
export interface Agent {
  parts: Parts
  caller: Caller
  /** Until 2025-11-25: what its subscriptions belong to. */
  sessionId: string | undefined
  /** Whether it need not be kept waiting for what takes long. */
  takesTasks?: boolean
}

export interface NamedClient {
  clientId: string
  name: string
}

export async function clientsOf({ parts, caller }: Agent): Promise<NamedClient[]> {
  return parts.db
    .selectFrom('clients')
    .select(['clients.id as clientId', 'clients.name'])
    .where('id', 'in', namedFor(parts.db, caller))
    .orderBy('clients.id')
    .execute()
}

/** The library a tool works on. A key for one client need not name it. */
export async function libraryFor(agent: Agent, clientId: string | undefined): Promise<Library> {
  const clients = await clientsOf(agent)
  const [only, ...others] = clients
  const client =
    clientId === undefined && others.length === 0 ? only : clients.find((each) => each.clientId === clientId)
  if (!client) throw clientId === undefined ? clientNeeded(clients) : notFound('No client')
  return makeLibrary(agent.parts, client.clientId, agent.caller)
}

/** What is kept from a client's own people is kept from their agents. */
export const toldTo = <T>({ caller }: Agent, said: T): T =>
  caller.role === 'client' ? forClients(said) : said

const clientNeeded = (clients: NamedClient[]) =>
  new Problem(
    'invalid-request',
    clients.length > 0
      ? 'Your key is for several clients. Say which one by its clientId.'
      : 'Your key is for no client any more. Ask whoever gave it to you.',
    { extra: { clients, errors: [{ path: '/clientId', message: 'is needed' }] } },
  )
