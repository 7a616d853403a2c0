import { sql } from 'kysely'
import { connectionKinds } from '../../contract/connection-kinds.ts'
import { change, makeLibrary, type Parts, system } from '../library.ts'
import { lastError } from '../outbound/errors.ts'
import type { ConnectionRow } from './row.ts'
import { providers } from './sign-in/providers.ts'
import { hasExpired, isDue, loginOf, renewed } from './sign-in/renewal.ts'
import { type Credentials, SignInNeeded } from './targets/credentials.ts'

/** What opens a connection's account at its vendor. */
export function credentialsOf(parts: Parts, connection: ConnectionRow): Credentials {
  const provider = connectionKinds[connection.kind].provider!
  let current = connection
  let renewedLast: string | undefined
  const asked = async (needed: SignInNeeded) => {
    await askToSignIn(parts, current, needed)
    return needed
  }
  const renew = async (refused?: string) => {
    try {
      return await renewed(parts, current, refused)
    } catch (error) {
      throw error instanceof SignInNeeded ? await asked(error) : error
    }
  }
  return {
    apiVersion: provider === 'google' ? '' : parts.config.apiVersions[provider].version,
    async token() {
      if (!current.sealed_secrets) throw await asked(new SignInNeeded(providers[provider].answerer))
      if (isDue(current))
        try {
          current = (await renew()) ?? current
        } catch (error) {
          // It was to be renewed ahead of time, so there is time.
          if (error instanceof SignInNeeded || hasExpired(current)) throw error
        }
      return loginOf(parts, current).accessToken
    },
    async another(refused, needed) {
      const next = refused === renewedLast ? undefined : await renew(refused)
      if (!next) throw await asked(needed)
      current = next
      renewedLast = loginOf(parts, current).accessToken
      return renewedLast
    },
  }
}

/** The connection says so, once, unless somebody has given it another login meanwhile. */
export const askToSignIn = (parts: Parts, connection: ConnectionRow, needed: SignInNeeded): Promise<void> =>
  change(makeLibrary(parts, connection.client_id, system), async (its) => {
    const marked = await its.trx
      .updateTable('connections')
      .set({
        status: 'error',
        last_checked_at: sql<Date>`now()`,
        ...lastError({ text: needed.message, reason: needed.reason }),
        renew_at: null,
      })
      .where('client_id', '=', connection.client_id)
      .where('id', '=', connection.id)
      .where('removed_at', 'is', null)
      .where('sealed_secrets', 'is not distinct from', connection.sealed_secrets)
      .where(isNotAsked)
      .returning(['id', 'kind', 'name', 'last_error'])
      .executeTakeFirst()
    if (marked)
      its.tell('connection.sign-in-needed', marked.id, {
        kind: marked.kind,
        name: marked.name,
        lastError: marked.last_error,
      })
  })

export const isNotAsked = sql<boolean>`last_error_reason ->> 'code' is distinct from 'sign-in-needed'`
