import { sql } from 'kysely'
import type { ConnectionSecrets, SignInKind } from '../../contract/deliveries.ts'
import { change, makeLibrary, type Parts, system } from '../library.ts'
import { lastError } from '../outbound/errors.ts'
import type { ConnectionRow } from './row.ts'
import type { Access, SignInNeeded } from './targets/access.ts'

/** What opens a connection's account at its vendor. */
export function accessTo(parts: Parts, connection: ConnectionRow): Access {
  const { accessToken } = JSON.parse(
    parts.sealer.open(connection.sealed_secrets!),
  ) as ConnectionSecrets<SignInKind>
  return {
    apiVersion: apiVersionOf(parts, connection),
    token: async () => accessToken,
    async another(_refused, needed) {
      await askToSignIn(parts, connection, needed)
      throw needed
    },
  }
}

const apiVersionOf = ({ config }: Parts, { kind }: ConnectionRow): string =>
  kind === 'linkedin' ? config.apiVersions.linkedin.version : ''

/** The connection says so, once, unless somebody has given it another login meanwhile. */
const askToSignIn = (parts: Parts, connection: ConnectionRow, needed: SignInNeeded): Promise<void> =>
  change(makeLibrary(parts, connection.client_id, system), async (its) => {
    const marked = await its.trx
      .updateTable('connections')
      .set({
        status: 'error',
        last_checked_at: sql<Date>`now()`,
        ...lastError({ text: needed.message, reason: needed.reason }),
      })
      .where('client_id', '=', connection.client_id)
      .where('id', '=', connection.id)
      .where('removed_at', 'is', null)
      .where('sealed_secrets', 'is not distinct from', connection.sealed_secrets)
      .where(sql<boolean>`last_error_reason ->> 'code' is distinct from 'sign-in-needed'`)
      .returning(['id', 'kind', 'name', 'last_error'])
      .executeTakeFirst()
    if (marked)
      its.tell('connection.sign-in-needed', marked.id, {
        kind: marked.kind,
        name: marked.name,
        lastError: marked.last_error,
      })
  })
