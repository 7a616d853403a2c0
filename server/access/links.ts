import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { LoginLinksTable } from '../db/schema.ts'
import { Problem } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'

export type LinkPurpose = LoginLinksTable['purpose']

export const linkMinutes = 60

/** The page each leads to. What it carries stands behind the #, so no server on the way is told it, nor ours. */
const pages: Record<LinkPurpose, string> = {
  reset: 'reset-password',
  invitation: 'accept-invitation',
  email: 'confirm-email',
}

export interface Link {
  url: string
  expiresAt: Date
}

/** A link that stands for a person for an hour, and once. */
export async function makeLink(
  trx: Trx,
  publicUrl: string,
  { userId, purpose, email = null }: { userId: string; purpose: LinkPurpose; email?: string | null },
): Promise<Link> {
  const token = newToken()
  const expiresAt = new Date(Date.now() + linkMinutes * 60_000)
  await trx
    .insertInto('login_links')
    .values({ token_hash: hashToken(token), user_id: userId, purpose, email, expires_at: expiresAt })
    .execute()
  return { url: `${publicUrl}/app/${pages[purpose]}#${token}`, expiresAt }
}

/** How many of a kind somebody can still follow. */
export async function countLinks(trx: Trx, userId: string, purpose: LinkPurpose): Promise<number> {
  const { count } = await trx
    .selectFrom('login_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whom a link that can still be followed stands for. */
export async function personOf(
  db: Db,
  token: string,
  purpose: LinkPurpose,
): Promise<{ id: string; name: string }> {
  const person = await db
    .selectFrom('login_links')
    .innerJoin('users', 'users.id', 'login_links.user_id')
    .select(['users.id', 'users.name'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('users.is_active', '=', true)
    .executeTakeFirst()
  if (!person) throw linkOver()
  return person
}

/** Takes a link: of two who follow it at once, one comes too late. */
export async function takeLink(trx: Trx, token: string, purpose: LinkPurpose) {
  const link = await trx
    .deleteFrom('login_links')
    .using('users')
    .whereRef('users.id', '=', 'login_links.user_id')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .returning(['users.id', 'users.name', 'users.email', 'login_links.email as newEmail'])
    .executeTakeFirst()
  if (!link) throw linkOver()
  return link
}

const linkOver = () =>
  new Problem(
    'link-over',
    'This link was used already, replaced by another, or is older than an hour. Ask for a new one.',
  )

/** Whoever holds a link, or is half logged in, from before a change of password, e-mail or rights, holds nothing. */
export async function endLinks(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('login_links').where('user_id', '=', userId).execute()
  await trx.deleteFrom('login_steps').where('user_id', '=', userId).execute()
}

export const forgetOldLinks = (db: Db) =>
  db.deleteFrom('login_links').where('expires_at', '<', sql<Date>`now()`).execute()
