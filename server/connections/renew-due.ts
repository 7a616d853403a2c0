import { sql } from 'kysely'
import { connectionKinds } from '../../contract/connection-kinds.ts'
import { allOf } from '../jobs/all-of.ts'
import type { Parts } from '../library.ts'
import { askToSignIn, credentialsOf, isNotAsked } from './credentials.ts'
import type { ConnectionRow } from './row.ts'
import { providers } from './sign-in/providers.ts'
import { SignInNeeded } from './targets/credentials.ts'
import { TargetFault } from './targets/target.ts'

const mostAtOnce = 1000

/** Renews what is due ahead of time. What a vendor no longer renews is asked for again; what it cannot renew now is tried by the next run. */
export async function renewDue(parts: Parts): Promise<void> {
  const due = await connections(parts, 'renew_at')
  const ended = await connections(parts, 'sign_in_until')
  await allOf([
    ...due.map((connection) => () => renew(parts, connection)),
    ...ended.map((connection) => () => {
      const { provider } = connectionKinds[connection.kind]
      return askToSignIn(parts, connection, new SignInNeeded(providers[provider!].answerer))
    }),
  ])
}

const renew = (parts: Parts, connection: ConnectionRow) =>
  credentialsOf(parts, connection)
    .token()
    .catch((error) => {
      if (!(error instanceof TargetFault))
        throw new Error(`The sign-in of ${connection.id} was not renewed.`, { cause: error })
    })

const connections = ({ db }: Parts, time: 'renew_at' | 'sign_in_until'): Promise<ConnectionRow[]> =>
  db
    .selectFrom('connections')
    .selectAll()
    .where(time, '<=', sql<Date>`now()`)
    .where(isNotAsked)
    .where('removed_at', 'is', null)
    .orderBy(time)
    .limit(mostAtOnce)
    .execute()
