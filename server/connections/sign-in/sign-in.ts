import { sql } from 'kysely'
import { connectionKinds } from '../../../contract/connection-kinds.ts'
import type { Connection } from '../../../contract/deliveries.ts'
import {
  type SignInBegun,
  type SignInOffer,
  type SignInProvider,
  type SignInReturn,
  signInProviders,
} from '../../../contract/sign-in.ts'
import { stillMay } from '../../access/callers.ts'
import { type Caller, type Change, change, type Library, makeLibrary, type Parts } from '../../library.ts'
import { lastError } from '../../outbound/errors.ts'
import { Problem } from '../../problems.ts'
import { hashToken, newToken } from '../../secrets.ts'
import { testConnection } from '../connections.ts'
import { type ConnectionRow, connectionRow } from '../row.ts'
import { TargetFault } from '../targets/target.ts'
import { pageToken } from './page-token.ts'
import { finishPending, takePending } from './pending.ts'
import { providers } from './providers.ts'
import { keeping } from './renewal.ts'
import {
  appFix,
  authorizationUrl,
  type Begun,
  failureIn,
  isAboutApp,
  longLived,
  redirectUrl,
  refusalIn,
  type Tokens,
  tokensFor,
} from './vendor.ts'

/** The vendors that people can sign in with here, and what has to be set for the others. */
export const signInOffers = (parts: Parts): SignInOffer[] =>
  signInProviders.map((provider) => {
    const { missing } = parts.config.signIn[provider]
    return { provider, ready: missing.length === 0, missing, redirectUrl: redirectUrl(parts, provider) }
  })

/** Sends a person to the vendor. Whoever comes back must bring what is said here, in the same session, within ten minutes. */
export async function beginSignIn(
  library: Library,
  parts: Parts,
  session: string,
  connectionId: string,
): Promise<SignInBegun> {
  const connection = await connectionRow(library.db, library, connectionId)
  const { provider } = connectionKinds[connection.kind]
  if (!provider)
    throw new Problem('invalid-request', 'This kind of connection has a login of its own. Give its secrets.')
  refuseUnlessConfigured(parts, provider)
  const begun = { state: newToken(), verifier: newToken() }
  const pending = {
    state_hash: hashToken(begun.state),
    provider,
    sealed_verifier: parts.sealer.seal(begun.verifier),
    expires_at: sql<Date>`now() + interval '10 minutes'`,
  }
  // The last that was begun is the one that counts.
  await change(library, (its) =>
    its.trx
      .insertInto('connection_sign_ins')
      .values({
        client_id: library.clientId,
        connection_id: connection.id,
        session_hash: hashToken(session),
        ...pending,
      })
      .onConflict((conflict) =>
        conflict.columns(['client_id', 'connection_id', 'session_hash']).doUpdateSet(pending),
      )
      .execute(),
  )
  const scopes = providers[provider].scopes(connection.kind, connection.settings)
  return { authorizationUrl: await authorizationUrl(parts, provider, scopes, begun) }
}

/** Takes what the vendor sent a person back with. It counts once, and only in the session that began. */
export async function finishSignIn(
  parts: Parts,
  caller: Caller,
  session: string,
  { provider, state, ...returned }: SignInReturn,
): Promise<Connection> {
  if (!returned.code && !returned.error)
    throw new Problem(
      'invalid-request',
      'Give the code or the error that the vendor sent the person back with.',
    )
  const pending = await takePending(parts.db, state, session)
  if (!pending || pending.isLate || pending.provider !== provider) throw over()
  const { iss = parts.config.signIn[provider].issuer } = returned
  if (iss !== parts.config.signIn[provider].issuer) throw over()
  const library = makeLibrary(parts, pending.client_id, caller)
  if (!(await stillMay(library, caller.id, 'clients:write'))) throw over()
  const connection = await connectionRow(library.db, library, pending.connection_id)
  refuseUnlessConfigured(parts, provider)
  const begun = { state, verifier: parts.sealer.open(pending.sealed_verifier) }
  const tokens = await tokensOf(parts, provider, connection, returned, begun)
  await change(library, async (its) => {
    await keep(its, parts, connection, tokens)
    if (!(await finishPending(its.trx, pending))) throw over()
  })
  return testConnection(library, parts, connection.id)
}

async function tokensOf(
  parts: Parts,
  provider: SignInProvider,
  { client_id: clientId, kind, settings }: ConnectionRow,
  returned: Record<string, string>,
  begun: Begun,
): Promise<Tokens> {
  try {
    const tokens = await tokensFor(parts, provider, returned, begun)
    const lacking = providers[provider]
      .scopes(kind, settings)
      .filter((scope) => tokens.scopes && !tokens.scopes.includes(scope))
    if (lacking.length > 0) throw new Incomplete(`It did not allow ${lacking.join(', ')}.`)
    if (provider !== 'meta') return tokens
    const { accessToken } = await longLived(parts, tokens.accessToken)
    const ofPage = await pageToken(parts, settings, accessToken)
    if (!ofPage) throw new Incomplete('The person manages no such page.')
    return { accessToken: ofPage, tokenSeconds: undefined, signInSeconds: undefined, scopes: undefined }
  } catch (error) {
    throw asProblem(provider, clientId, error)
  }
}

async function keep(its: Change, parts: Parts, connection: ConnectionRow, tokens: Tokens): Promise<void> {
  const { client_id, id, kind, name } = connection
  await its.trx
    .updateTable('connections')
    .set({
      ...keeping(parts, tokens),
      signed_in_at: sql<Date>`now()`,
      status: 'untested',
      ...lastError(null),
      updated_at: sql<Date>`now()`,
    })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute()
  its.tell('connection.signed-in', id, { kind, name })
}

const over = () => new Problem('sign-in-over', 'Begin the sign-in again, and finish it in the same browser.')

function refuseUnlessConfigured({ config }: Parts, provider: SignInProvider): void {
  const missing = config.signIn[provider].missing.join(' and ')
  if (missing)
    throw new Problem('sign-in-not-configured', `Set ${missing} and restart the server.`, {
      extra: { params: { provider: providers[provider].name, missing } },
    })
}

/** It was refused, or given by somebody who may not. */
class Incomplete extends Error {}

const declined = ['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** What a person is told. What the vendor said beside its code stays out: it may hold anything. */
function asProblem(provider: SignInProvider, clientId: string, error: unknown): Error {
  const { name } = providers[provider]
  const extra = { params: { provider: name, clientId } }
  if (error instanceof Incomplete)
    return new Problem(
      'sign-in-incomplete',
      `${error.message} Sign in with a login that manages the account, and allow all that is asked for.`,
      { extra },
    )
  const refusal = refusalIn(error)
  if (refusal && declined.includes(refusal))
    return new Problem('sign-in-declined', `${name} was told not to let us in. Sign in again to allow it.`, {
      extra,
    })
  const why = isAboutApp(error)
    ? appFix(provider)
    : (failureIn(error)?.message ?? (error instanceof TargetFault ? error.message : 'Try again later.'))
  return new Problem('sign-in-failed', `${name} did not finish the sign-in. ${why}`, { extra, cause: error })
}
