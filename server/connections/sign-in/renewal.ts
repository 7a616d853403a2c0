import { setTimeout as pause } from 'node:timers/promises'
import { connectionKinds } from '../../../contract/connection-kinds.ts'
import { leaseOn, newOwner } from '../../jobs/lease.ts'
import type { Parts } from '../../library.ts'
import type { ConnectionRow } from '../row.ts'
import { TargetFault } from '../targets/target.ts'
import { renewedTokens, type Tokens } from './vendor.ts'

/** What is kept sealed of a connection with a provider. Of a pasted token, there is no more. */
interface SealedLogin {
  accessToken: string
  refreshToken?: string
}

export const loginOf = (
  { sealer }: Parts,
  { sealed_secrets }: Pick<ConnectionRow, 'sealed_secrets'>,
): SealedLogin => JSON.parse(sealer.open(sealed_secrets!))

/** Longer than a vendor is waited for. */
const renewals = leaseOn('connections', { owner: 'renewal', until: 'renewing_until', seconds: 60 })

/** For a connection whose login is given anew, however it is given: who was renewing the old one has lost it. */
export const notSignedIn = {
  signed_in_at: null,
  token_expires_at: null,
  renew_at: null,
  sign_in_until: null,
  ...renewals.givenBack,
} as const

/** How tokens are kept. */
export function keeping({ sealer }: Parts, tokens: Tokens) {
  const { accessToken, refreshToken, tokenSeconds, signInSeconds } = tokens
  const login: SealedLogin = { accessToken, ...(refreshToken && { refreshToken }) }
  return {
    sealed_secrets: sealer.seal(JSON.stringify(login)),
    token_expires_at: inSeconds(tokenSeconds),
    renew_at:
      refreshToken && tokenSeconds !== undefined ? inSeconds(tokenSeconds - ahead(tokenSeconds)) : null,
    sign_in_until: inSeconds(signInSeconds),
    ...renewals.givenBack,
  }
}

/** A tenth of its life before it ends, but ten minutes at least: the job that renews runs every five. */
const ahead = (seconds: number) => Math.min(seconds / 2, Math.max(600, seconds / 10))

const inSeconds = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(Date.now() + seconds * 1000)

export const isDue = ({ renew_at }: ConnectionRow) => renew_at !== null && renew_at.getTime() <= Date.now()
export const hasExpired = ({ token_expires_at }: ConnectionRow) =>
  token_expires_at !== null && token_expires_at.getTime() <= Date.now()

/**
 * The connection with a token that is due or was refused renewed, by whoever holds the lease: two nodes never renew at once, and
 * who waited takes what the other got. Undefined when it can be renewed by nobody but a person.
 */
export async function renewed(
  parts: Parts,
  connection: ConnectionRow,
  refused?: string,
): Promise<ConnectionRow | undefined> {
  const owner = newOwner()
  const claimed = await claim(parts, connection, owner)
  const ours = () =>
    parts.db
      .updateTable('connections')
      .where('client_id', '=', connection.client_id)
      .where('id', '=', connection.id)
      .where(renewals.isHeldBy(owner))
  const giveBack = () => ours().set(renewals.givenBack).execute()
  try {
    if (!claimed?.sealed_secrets) return undefined
    const { accessToken, refreshToken } = loginOf(parts, claimed)
    if (refused === undefined ? !isDue(claimed) : accessToken !== refused) return claimed
    if (!refreshToken) return undefined
    const { provider } = connectionKinds[claimed.kind]
    const tokens = await renewedTokens(parts, provider!, refreshToken)
    const kept = keeping(parts, tokens)
    // A vendor need not repeat until when it renews.
    const sign_in_until = kept.sign_in_until ?? claimed.sign_in_until
    const written = await ours()
      .set({ ...kept, sign_in_until })
      .returningAll()
      .executeTakeFirst()
    // Somebody has given it another login meanwhile.
    return written ?? (await asItIs(parts, connection))
  } finally {
    await giveBack()
  }
}

const waitSeconds = 30

async function claim(parts: Parts, connection: ConnectionRow, owner: string) {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const claimed = await parts.db
      .updateTable('connections')
      .set(renewals.takenBy(owner))
      .where('client_id', '=', connection.client_id)
      .where('id', '=', connection.id)
      .where('removed_at', 'is', null)
      .where(renewals.isFree)
      .returningAll()
      .executeTakeFirst()
    if (claimed) return claimed
    if (!(await asItIs(parts, connection))) return undefined
    if (Date.now() > until) throw new TargetFault('busy', 'failed', 'The sign-in is being renewed.')
    await pause(250)
  }
}

const asItIs = (parts: Parts, { client_id, id }: ConnectionRow): Promise<ConnectionRow | undefined> =>
  parts.db
    .selectFrom('connections')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
