import { sql } from 'kysely'
import { rightsChanged } from '../changes/new-events.ts'
import type { Reader } from '../db/database.ts'
import { type Change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { callerById, stillMay } from './callers.ts'

/** An address that was given to people without an account, as its row tells. */
export interface GuestLink {
  client_id: string
  id: string
  title: string
  created_by: string
}

export type GuestLinkTable = 'share_links' | 'upload_requests'

/** As far as its own row tells: its maker may have lost the right since. */
export const linkState = (table: GuestLinkTable) => sql<'open' | 'expired' | 'revoked'>`case
  when ${sql.ref(`${table}.revoked_at`)} is not null then 'revoked'
  when ${sql.ref(`${table}.expires_at`)} <= now() then 'expired'
  else 'open' end`

/** A link dies with the right of whoever made it. */
export const mayStill = (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  { client_id: clientId, created_by }: GuestLink,
) => stillMay({ db, config, clientId }, created_by, 'shares:write')

/** The library for whoever holds the link. */
export async function guestLibrary(parts: Parts, link: GuestLink): Promise<Library | undefined> {
  if (!(await mayStill(parts, link))) return undefined
  const guest = { ...system, kind: 'nobody' as const, id: link.id, name: link.title }
  return makeLibrary(parts, link.client_id, guest)
}

/** Who made each of these links, by id, and whether they still may. */
export async function makersOf(
  db: Reader,
  { clientId, config }: Library,
  links: Pick<GuestLink, 'created_by'>[],
) {
  const makers = new Map<string, { name: string; mayStill: boolean }>()
  for (const id of new Set(links.map(({ created_by }) => created_by))) {
    const maker = await callerById({ db, config }, id, clientId)
    if (!maker) continue
    const { name, permissions } = maker.caller
    makers.set(id, {
      name,
      mayStill: maker.visibleClientId === clientId && permissions.has('shares:write'),
    })
  }
  return makers
}

/** Ends a link at once: the next request finds nothing, and what is on its way breaks off. Nothing, if it was revoked before. */
export async function revokeLink(
  { trx }: Change,
  { clientId }: Library,
  table: GuestLinkTable,
  id: string,
): Promise<{ title: string } | undefined> {
  const { rows } = await sql<{ title: string }>`update ${sql.table(table)} set revoked_at = now()
    where client_id = ${clientId} and id = ${id} and revoked_at is null returning title`.execute(trx)
  if (rows.length > 0) await rightsChanged(trx)
  return rows[0]
}
