import { type ConnectionKind, connectionKinds } from '../../../contract/connection-kinds.ts'
import type { SignInProvider } from '../../../contract/sign-in.ts'
import type { Trx } from '../../db/database.ts'
import type { JobData } from '../../jobs/jobs.ts'
import type { Parts } from '../../library.ts'
import type { ConnectionRow } from '../row.ts'
import { loginOf } from './renewal.ts'
import { withdrawnToken } from './vendor.ts'

/** What a person allowed on a connection that is removed is given back to the vendor, later, where it takes it back. */
export async function queueWithdrawal(
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
  trx: Trx,
  { client_id: clientId, kind, signed_in_at, sealed_secrets: sealed }: ConnectionRow,
): Promise<void> {
  const { provider } = connectionKinds[kind]
  if (!provider || !signed_in_at || !sealed) return
  if (config.signIn[provider].revocationUrl) await jobs.send(trx, 'withdraw', { clientId, provider, sealed })
}

/**
 * Best effort: whatever comes of it, the token is kept nowhere. A vendor takes back all that a person has ever allowed us,
 * and an agency signs in to many clients' accounts as one person: while any of them is in use, nothing is withdrawn.
 */
export async function withdraw(parts: Parts, { provider, sealed }: JobData['withdraw']): Promise<void> {
  if (await isInUse(parts, provider)) return
  const { accessToken, refreshToken = accessToken } = loginOf(parts, { sealed_secrets: sealed })
  await withdrawnToken(parts, provider, refreshToken)
}

const isInUse = async ({ db }: Parts, provider: SignInProvider): Promise<boolean> =>
  (await db
    .selectFrom('connections')
    // A client that is being removed has none.
    .innerJoin('client_counters', 'client_counters.client_id', 'connections.client_id')
    .select('id')
    .where('kind', 'in', kindsOf(provider))
    .where('signed_in_at', 'is not', null)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

const kindsOf = (provider: SignInProvider) =>
  (Object.keys(connectionKinds) as ConnectionKind[]).filter(
    (kind) => connectionKinds[kind].provider === provider,
  )
