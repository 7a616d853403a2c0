import { sql } from 'kysely'
import { connectionKinds } from '../../contract/deliveries.ts'
import type { Parts } from '../library.ts'
import { accessTo, askToSignIn, isNotAsked } from './access.ts'
import type { ConnectionRow } from './row.ts'
import { providers } from './sign-in/providers.ts'
import { SignInNeeded } from './targets/access.ts'
import { TargetFault } from './targets/target.ts'

const mostAtOnce = 1000

/** Renews what is due ahead of time. What a vendor no longer renews is asked for again; what it cannot renew now is tried by the next run. */
export async function renewDue(parts: Parts): Promise<void> {
  for (const connection of await connections(parts, sql<boolean>`renew_at <= now()`))
    await accessTo(parts, connection)
      .token()
      .catch((error) => {
        if (!(error instanceof TargetFault)) throw error
      })
  for (const connection of await connections(parts, sql<boolean>`sign_in_until <= now()`)) {
    const { provider } = connectionKinds[connection.kind]
    await askToSignIn(parts, connection, new SignInNeeded(providers[provider!].answerer))
  }
}

const connections = ({ db }: Parts, which: ReturnType<typeof sql<boolean>>): Promise<ConnectionRow[]> =>
  db
    .selectFrom('connections')
    .selectAll()
    .where(which)
    .where(isNotAsked)
    .where('removed_at', 'is', null)
    .limit(mostAtOnce)
    .execute()
