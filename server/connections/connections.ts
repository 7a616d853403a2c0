import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { type ConnectionKind, connectionKinds, postRules } from '../../contract/connection-kinds.ts'
import type { Connection, ConnectionChange, NewConnection } from '../../contract/deliveries.ts'
import { isHttpUrl } from '../../contract/http-url.ts'
import type { SignInProvider } from '../../contract/sign-in.ts'
import { knownId, newId } from '../ids.ts'
import { type Change, change, changeOnce, type Library, type Parts } from '../library.ts'
import { lastError, type OutboundError, outboundError } from '../outbound/errors.ts'
import { notFound, Problem } from '../problems.ts'
import { credentialsOf } from './credentials.ts'
import { type ConnectionRow, connectionRow, connectionRows } from './row.ts'
import { endPending } from './sign-in/pending.ts'
import { providers } from './sign-in/providers.ts'
import { notSignedIn } from './sign-in/renewal.ts'
import { queueWithdrawal } from './sign-in/withdraw.ts'
import { SignInNeeded } from './targets/credentials.ts'
import { type DeliveryTarget, TargetFault } from './targets/target.ts'
import { makeTarget } from './targets/targets.ts'

export async function listConnections(library: Library): Promise<Connection[]> {
  const rows = await connectionRows(library.db, library).orderBy('id').execute()
  return rows.map((row) => toConnection(library, row))
}

export const createConnection = (
  library: Library,
  { sealer }: Parts,
  input: NewConnection,
): Promise<Connection> => {
  const { kind } = input
  const secrets = input.secrets && trimmed(input.secrets)
  const { provider } = connectionKinds[kind]
  checkFields(kind, 'settings', input.settings)
  if (secrets || !provider) checkFields(kind, 'secrets', secrets)
  return changeOnce(library, async (its) => {
    const row = await its.trx
      .insertInto('connections')
      .values({
        client_id: library.clientId,
        id: newId('connection'),
        kind,
        name: input.name.trim(),
        settings: JSON.stringify(input.settings),
        ...(secrets ? { sealed_secrets: sealer.seal(JSON.stringify(secrets)) } : withoutLogin(kind)),
        created_by: library.caller.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    its.tell('connection.created', row.id, { kind, name: row.name })
    return toConnection(library, row)
  })
}

export async function changeConnection(
  library: Library,
  { sealer }: Parts,
  connectionId: string,
  input: ConnectionChange,
): Promise<Connection> {
  const { kind, settings, sealed_secrets, signed_in_at } = await connectionRow(
    library.db,
    library,
    connectionId,
  )
  if (input.settings) checkFields(kind, 'settings', input.settings)
  const secrets = input.secrets && trimmed(input.secrets)
  if (secrets) checkFields(kind, 'secrets', secrets)
  const moves = input.settings && addressOf(kind, settings) !== addressOf(kind, input.settings)
  const isElsewhere = moves && !secrets
  if (isElsewhere && sealed_secrets && !signed_in_at)
    throw new Problem('invalid-request', 'Give the login again: what is stored is for the address before.', {
      extra: {
        errors: [{ path: '/secrets', message: 'are needed with another address', rule: 'loginAgain' }],
      },
    })
  const untested = input.settings || secrets
  const hasNoLogin = isElsewhere || (!secrets && !sealed_secrets)
  return change(library, async (its) => {
    const row = await its.trx
      .updateTable('connections')
      .set({
        updated_at: new Date(),
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.settings && { settings: JSON.stringify(input.settings) }),
        ...(secrets && { sealed_secrets: sealer.seal(JSON.stringify(secrets)) }),
        ...(untested && { status: 'untested' as const, last_checked_at: null, ...lastError(null) }),
        ...(secrets && notSignedIn),
        ...(hasNoLogin && { ...notSignedIn, ...withoutLogin(kind) }),
      })
      .where('client_id', '=', library.clientId)
      .where('id', '=', connectionId)
      .where('removed_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('No connection')
    if (moves || secrets) await endPending(its.trx, library.clientId, row.id)
    its.tell('connection.updated', row.id, { kind, name: row.name })
    return toConnection(library, row)
  })
}

/** The row stays, for the ledger points to it; what opens the account does not. */
export async function removeConnection(library: Library, parts: Parts, connectionId: string): Promise<void> {
  await change(library, async (its) => {
    const row = await its.trx
      .selectFrom('connections')
      .selectAll()
      .where('client_id', '=', library.clientId)
      .where('id', '=', knownId('connection', connectionId))
      .where('removed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('No connection')
    await its.trx
      .updateTable('connections')
      .set({ removed_at: new Date(), sealed_secrets: null, ...notSignedIn })
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .execute()
    await endPending(its.trx, library.clientId, row.id)
    await queueWithdrawal(parts, its.trx, row)
    its.tell('connection.removed', row.id, { kind: row.kind, name: row.name })
  })
}

/** Calls the other system and keeps what came of it: a connection that does not work is an answer, not a fault. */
export async function testConnection(
  library: Library,
  parts: Parts,
  connectionId: string,
): Promise<Connection> {
  const connection = await connectionRow(library.db, library, connectionId)
  const error = lacksLogin(connection)
    ? whatWentWrong(loginMissing())
    : await openTarget(parts, connection)
        .check()
        .then(() => null, whatWentWrong)
  return change(library, async (its) => {
    const row = await checked(its, library, connection.id, error).executeTakeFirstOrThrow()
    tellChecked(its, row)
    return toConnection(library, row)
  })
}

/** A file has come through: whatever the last test has said, it works. */
export async function provedToWork(library: Library, connectionId: string): Promise<void> {
  await change(library, async (its) => {
    const row = await checked(its, library, connectionId, null)
      .where('status', '<>', 'connected')
      .executeTakeFirst()
    if (row) tellChecked(its, row)
  })
}

/** What one delivery was refused for, a login or a right, is missing for all of them. */
export async function provedNotToWork(
  library: Library,
  connectionId: string,
  error: OutboundError,
): Promise<void> {
  await change(library, async (its) => {
    const row = await checked(its, library, connectionId, error)
      .where('status', '<>', 'error')
      .executeTakeFirst()
    if (row) tellChecked(its, row)
  })
}

const checked = (its: Change, library: Library, connectionId: string, error: OutboundError | null) =>
  its.trx
    .updateTable('connections')
    .set({
      status: error ? 'error' : 'connected',
      last_checked_at: sql<Date>`now()`,
      ...lastError(error),
    })
    .where('client_id', '=', library.clientId)
    .where('id', '=', connectionId)
    .returningAll()

const tellChecked = (its: Change, { id, kind, name, status, last_error }: ConnectionRow) =>
  its.tell('connection.checked', id, { kind, name, status, lastError: last_error })

/** The account behind a connection. */
export function openTarget(parts: Parts, connection: ConnectionRow): DeliveryTarget {
  const { kind, settings, sealed_secrets } = connection
  if (lacksLogin(connection)) throw loginMissing()
  const login = connectionKinds[kind].provider
    ? credentialsOf(parts, connection)
    : JSON.parse(parts.sealer.open(sealed_secrets!))
  return makeTarget(kind, parts.outbound, settings as never, login as never)
}

/** Anything but what a target or the line to it says is our own fault. */
export function whatWentWrong(error: unknown): OutboundError {
  if (error instanceof TargetFault) return { text: error.message, reason: error.reason }
  const known = outboundError(error)
  if (!known) throw error
  return known
}

/** What comes along when somebody pastes a secret is not part of it. */
const trimmed = (secrets: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, text]) => [name, typeof text === 'string' ? text.trim() : text]),
  )

function checkFields(kind: ConnectionKind, part: 'settings' | 'secrets', fields: unknown): void {
  const errors = Value.Errors(connectionKinds[kind][part], fields)
    .filter(({ keyword }) => keyword !== 'boolean')
    .map(({ instancePath, message }) => ({ path: `/${part}${instancePath}`, message }))
  const [first] = errors
  if (first)
    throw new Problem('invalid-request', `Correct the body: ${first.path} ${first.message}.`, {
      extra: { errors },
    })
}

/** Somebody has to sign in, or to enter a login, before anything can be brought there. */
export function withoutLogin(kind: ConnectionKind) {
  const { provider } = connectionKinds[kind] as { provider: SignInProvider | undefined }
  const { message, reason } = provider ? new SignInNeeded(providers[provider].answerer) : loginMissing()
  return { sealed_secrets: null, status: 'error' as const, ...lastError({ text: message, reason }) }
}

/** Where nobody signs in, so that what is stored is all there is. */
const lacksLogin = ({ kind, sealed_secrets }: ConnectionRow) =>
  !connectionKinds[kind].provider && sealed_secrets === null

/** It stayed behind when the library moved here. */
const loginMissing = () =>
  new TargetFault(
    'refused',
    'login-missing',
    'The login of this connection is not stored here. Enter it on the connection, then try again.',
  )

/** Where the secrets go. Another address is another system until somebody says otherwise; so is another page of Meta's, which has a token of its own. */
const addressOf = (kind: ConnectionKind, settings: Record<string, unknown>) => {
  const { siteUrl, url, baseUrl } = settings
  const { provider } = connectionKinds[kind] as { provider: SignInProvider | undefined }
  return JSON.stringify(provider === 'meta' ? settings : [siteUrl, url, baseUrl])
}

/** An address may hold a token, so who may not change it sees no more than whose it is. */
const shownSettings = (library: Library, settings: Record<string, unknown>): Record<string, unknown> =>
  library.caller.permissions.has('clients:write')
    ? settings
    : Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [
          name,
          typeof value === 'string' && isHttpUrl(value) ? new URL(value).origin : value,
        ]),
      )

const toConnection = (library: Library, row: ConnectionRow): Connection => ({
  connectionId: row.id,
  clientId: row.client_id,
  kind: row.kind,
  name: row.name,
  settings: shownSettings(library, row.settings),
  status: row.status,
  lastCheckedAt: row.last_checked_at?.toISOString() ?? null,
  lastError: row.last_error,
  lastErrorReason: row.last_error_reason,
  signedIn: row.signed_in_at && {
    provider: connectionKinds[row.kind].provider!,
    at: row.signed_in_at.toISOString(),
    until: row.sign_in_until?.toISOString() ?? null,
  },
  surfaces: [...connectionKinds[row.kind].surfaces],
  target: connectionKinds[row.kind].rules ?? null,
  postText: postRules(row.kind)?.text ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
