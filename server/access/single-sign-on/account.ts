import { sql } from 'kysely'
import type { Origin } from '../../changes/audit-trail.ts'
import { rightsChanged } from '../../changes/new-events.ts'
import { changePlatform, type PlatformChange } from '../../changes/platform.ts'
import type { Db, Trx } from '../../db/database.ts'
import { newId } from '../../ids.ts'
import type { OidcProvider, OidcRole } from '../../oidc-providers.ts'
import { Problem } from '../../problems.ts'
import { endLinks } from '../links.ts'
import { noPassword } from '../passwords.ts'
import { about, assignClients, holdAdmins, keepOneAdmin, userById } from '../users.ts'
import type { Vouched } from './vouched.ts'

/**
 * The account of whom a provider vouches for: the one that was linked to them, else the one with their verified e-mail
 * where the provider is trusted for that, else a new one where it may make them. What the provider says of their role holds from now on.
 */
export const accountOf = (
  db: Db,
  provider: OidcProvider,
  vouched: Vouched,
  origin: Origin,
): Promise<string> =>
  changePlatform(db, { kind: 'system', id: 'system', name: provider.name, origin }, async (its) => {
    const { role } = vouched
    if (!role) throw noRole()
    await oneAtATime(its.trx, provider, vouched)
    const userId =
      (await linked(its.trx, provider, vouched)) ??
      (await linkedByEmail(its, provider, vouched)) ??
      (await created(its, provider, vouched, role))
    await giveRole(its, userId, role)
    return userId
  })

/** Somebody who comes for the first time, twice at once, gets one account. */
const oneAtATime = (trx: Trx, { issuer }: OidcProvider, { subject }: Vouched) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${issuer} ${subject}`}, 0))`.execute(trx)

async function linked(trx: Trx, { issuer }: OidcProvider, { subject }: Vouched): Promise<string | undefined> {
  const found = await trx
    .updateTable('login_identities')
    .set({ last_used_at: sql<Date>`now()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst()
  return found && activeOnly(trx, found.user_id)
}

async function linkedByEmail(
  its: PlatformChange,
  provider: OidcProvider,
  vouched: Vouched,
): Promise<string | undefined> {
  const { trx } = its
  if (!vouched.email) throw emailNotVerified()
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', vouched.email!.toLowerCase()))
    .executeTakeFirst()
  if (!found) return undefined
  if (!provider.trustsEmail) throw noAccount()
  const userId = await activeOnly(trx, found.id)
  // A first password that somebody else chose, and that was never changed, goes.
  await trx
    .updateTable('users')
    .set({ password_hash: noPassword, must_change_password: false })
    .where('id', '=', userId)
    .where('must_change_password', '=', true)
    .execute()
  if (!(await link(its, provider, vouched, userId))) throw noAccount()
  return userId
}

const longestName = 120

async function created(
  its: PlatformChange,
  provider: OidcProvider,
  vouched: Vouched,
  { role, clientIds }: OidcRole,
): Promise<string> {
  const email = vouched.email!
  if (!provider.createsAccounts) throw noAccount()
  const userId = newId('user')
  const inserted = await its.trx
    .insertInto('users')
    .values({
      id: userId,
      email,
      name: (vouched.name ?? email.split('@')[0]!.slice(0, longestName)).trim(),
      role,
      password_hash: noPassword,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw noAccount()
  await assignClients(its.trx, userId, role, clientIds === undefined ? [] : clientIds).catch(notAsSet)
  its.note({ ...about(await userById(its.trx, userId)), action: 'user.created' })
  if (!(await link(its, provider, vouched, userId))) throw noAccount()
  return userId
}

/** Whether it was nobody's yet. */
export async function link(
  { trx, note }: PlatformChange,
  { id, issuer }: OidcProvider,
  { subject }: Vouched,
  userId: string,
): Promise<boolean> {
  const linked = await trx
    .insertInto('login_identities')
    .values({ issuer, subject, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  if (!linked) return false
  const { name } = await userById(trx, userId)
  note({ action: 'user.identity-linked', thing: userId, name, details: { provider: id } })
  return true
}

async function giveRole(its: PlatformChange, userId: string, { role, clientIds }: OidcRole): Promise<void> {
  const { trx, note } = its
  const admins = await holdAdmins(trx)
  const before = await userById(trx, userId)
  const wanted = clientIds === undefined ? before.clientIds : clientIds
  if (before.role === role && (role === 'admin' || sameClients(before.clientIds, wanted))) return
  await trx
    .updateTable('users')
    .set({ role, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()
  await assignClients(trx, userId, role, wanted).catch(notAsSet)
  if (admins.length > 0) await keepOneAdmin(trx).catch(notAsSet)
  await endLinks(trx, userId)
  await rightsChanged(trx)
  const { thing, name, details } = about(await userById(trx, userId))
  note({ thing, name, details: { changed: ['role', 'clientIds'], ...details }, action: 'user.updated' })
}

const sameClients = (some: string[] | null, others: string[] | null) =>
  JSON.stringify(some?.toSorted()) === JSON.stringify(others && [...new Set(others)].sort())

/** A client that is gone, a client user without one, the last administrator: what is set cannot be. */
const notAsSet = (error: unknown): never => {
  throw error instanceof Problem ? noRole(error) : error
}

async function activeOnly(trx: Trx, userId: string): Promise<string> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw noAccount()
  return found.id
}

export const noRole = (cause?: unknown) =>
  new Problem(
    'no-role',
    'Your provider gives you no role that opens anything here. Ask your administrator.',
    {
      cause,
    },
  )

const emailNotVerified = () =>
  new Problem('email-not-verified', 'Have your provider verify your e-mail, then sign in again.')

/** There is none, it is another person's, or it is switched off: a stranger is not told which. */
export const noAccount = () =>
  new Problem('no-account', 'There is no account for you here. Ask your administrator for one.')
