import { type Permission, type Role, rolePermissions } from '../../contract/access.ts'
import type { Db } from '../db/database.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { hashToken } from '../secrets.ts'

/** Who calls, and the client they name if they may see it. One query, on every request: a revocation bites at once. */
export interface Recognised {
  caller: Caller
  visibleClientId: string | null
}

export async function callerBySession(
  db: Db,
  token: string,
  clientId?: string,
): Promise<Recognised | undefined> {
  const user = await db
    .selectFrom('login_sessions')
    .innerJoin('users', 'users.id', 'login_sessions.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.role', 'users.all_clients'])
    .select((eb) =>
      eb
        .selectFrom('user_clients')
        .select('user_clients.client_id')
        .whereRef('user_clients.user_id', '=', 'users.id')
        .where('users.role', '=', 'client')
        .limit(1)
        .as('portal_client_id'),
    )
    .select((eb) =>
      eb
        .selectFrom('clients')
        .select('clients.id')
        .where('clients.id', '=', known(clientId))
        .where((client) =>
          client.or([
            client('users.all_clients', '=', true),
            client.exists(
              client
                .selectFrom('user_clients')
                .select('user_clients.client_id')
                .whereRef('user_clients.client_id', '=', 'clients.id')
                .whereRef('user_clients.user_id', '=', 'users.id'),
            ),
          ]),
        )
        .as('visible_client_id'),
    )
    .where('login_sessions.token_hash', '=', hashToken(token))
    .where('login_sessions.expires_at', '>', new Date())
    .where('users.is_active', '=', true)
    .executeTakeFirst()
  if (!user) return undefined

  const caller = makeCaller({
    ...user,
    kind: 'user',
    clientId: user.portal_client_id,
    allClients: user.all_clients,
  })
  return { caller, visibleClientId: user.visible_client_id }
}

export async function callerByKey(db: Db, token: string, clientId?: string): Promise<Recognised | undefined> {
  const key = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'role', 'last_used_at'])
    .select((eb) =>
      eb
        .selectFrom('api_key_clients')
        .select('api_key_clients.client_id')
        .whereRef('api_key_clients.key_id', '=', 'api_keys.id')
        .where('api_key_clients.client_id', '=', known(clientId))
        .as('visible_client_id'),
    )
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!key) return undefined

  if (!key.last_used_at || Date.now() - key.last_used_at.getTime() > 60_000)
    await db.updateTable('api_keys').set({ last_used_at: new Date() }).where('id', '=', key.id).execute()
  const caller = makeCaller({ ...key, kind: 'key', email: null, clientId: null, allClients: false })
  return { caller, visibleClientId: key.visible_client_id }
}

const known = (clientId: string | undefined) => (isId('client', clientId) ? clientId : '')

const permissionsOf = new Map(
  Object.entries(rolePermissions).map(([role, names]) => [role, new Set<Permission>(names)] as const),
)

function makeCaller(row: Omit<Caller, 'permissions' | 'role'> & { role: Role }): Caller {
  const { kind, id, name, email, role, clientId, allClients } = row
  return { kind, id, name, email, role, permissions: permissionsOf.get(role)!, clientId, allClients }
}
