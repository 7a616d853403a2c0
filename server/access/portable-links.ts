import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import type { Trx } from '../db/database.ts'
import type { Library } from '../library.ts'
import type { MovedIds, TakenIn } from '../section.ts'
import type { GuestLink, GuestLinkTable } from './guest-links.ts'
import { movedPeople, PortablePerson } from './portable.ts'

/**
 * What every address for people without an account is made of. Nobody knows its token, only what is stored of it, so
 * the same token opens it under the new server's name.
 */
export const PortableLink = Strict({
  linkId: Type.String({ minLength: 1, maxLength: 100 }),
  tokenHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  note: Type.String({ maxLength: 2000 }),
  folderId: Nullable(Type.String({ minLength: 1, maxLength: 300_000 })),
  expiresAt: Timestamp,
  revokedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  by: PortablePerson,
})
export type PortableLink = Static<typeof PortableLink>

type LinkRow = GuestLink & {
  token_hash: string
  note: string
  folder_id: string | null
  expires_at: Date
  revoked_at: Date | null
  created_at: Date
}

export const toPortableLink = (row: LinkRow, by: PortablePerson): PortableLink => ({
  linkId: row.id,
  tokenHash: row.token_hash,
  title: row.title,
  note: row.note,
  folderId: row.folder_id,
  expiresAt: row.expires_at.toISOString(),
  revokedAt: row.revoked_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  by,
})

/**
 * Which of these can be made, and their columns. A token opens one thing on a server; and whoever wrote the manifest
 * names nothing but what came along in it, so that no link of theirs shows what was here before.
 */
export async function linksToMake<Line extends PortableLink>(
  trx: Trx,
  table: GuestLinkTable,
  { clientId }: Library,
  lines: Line[],
  ids: MovedIds,
) {
  const { rows } = await sql<GuestLink & { token_hash: string }>`
    select client_id, id, token_hash from ${sql.table(table)}
    where token_hash = any(${lines.map(({ tokenHash }) => tokenHash)}::text[])`.execute(trx)
  const holders = new Map(rows.map((row) => [row.token_hash, row]))
  const person = await movedPeople(
    trx,
    lines.map(({ by }) => by),
    ids,
  )
  const fresh: { line: Line; columns: ReturnType<typeof columnsOf> }[] = []
  const refused: TakenIn['refused'] = []
  let there = 0
  for (const line of lines) {
    const columns = columnsOf(clientId, line, ids, person(line.by).id)
    const holder = holders.get(line.tokenHash)
    if (holder?.client_id === clientId && holder.id === columns.id) {
      there++
      await nowMadeBy(trx, table, columns)
    } else if (holder) refused.push(refusal(line, 'Its address opens something else on this server.'))
    else if (line.folderId !== null && !ids.came(line.folderId))
      refused.push(refusal(line, 'The folder it is for did not come along.'))
    else fresh.push({ line, columns })
  }
  return { fresh, there, refused }
}

const columnsOf = (client_id: string, line: PortableLink, ids: MovedIds, created_by: string) => ({
  client_id,
  id: ids.of(line.linkId),
  token_hash: line.tokenHash,
  title: line.title,
  note: line.note,
  folder_id: line.folderId && ids.of(line.folderId),
  expires_at: line.expiresAt,
  revoked_at: line.revokedAt,
  created_at: line.createdAt,
  created_by,
})

/** Whoever made it may have got an account here since: then it opens again. */
const nowMadeBy = (trx: Trx, table: GuestLinkTable, { client_id, id, created_by }: GuestLinkMaker) =>
  sql`update ${sql.table(table)} set created_by = ${created_by}
    where client_id = ${client_id} and id = ${id} and created_by <> ${created_by}
      and not exists (select from users u where u.id = created_by)`.execute(trx)

type GuestLinkMaker = Pick<GuestLink, 'client_id' | 'id' | 'created_by'>

const refusal = ({ title }: PortableLink, why: string) => ({
  file: `“${title}”`,
  code: 'in-use',
  detail: `${why} Make a new link.`,
})
