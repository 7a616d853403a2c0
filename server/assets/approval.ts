import { sql } from 'kysely'
import { isAgent } from '../../contract/access.ts'
import type { Approval, ApprovalState, Speaker } from '../../contract/assets.ts'
import type { Surface } from '../../contract/words.ts'
import type { Reader } from '../db/database.ts'
import { isId } from '../ids.ts'
import type { Change, Library } from '../library.ts'
import { type AssetRow, toAsset, type VersionRow } from './asset.ts'

/** The surfaces on which a client wants only what is approved. */
export async function approvedOnlySurfaces(db: Reader, { clientId }: Library): Promise<Surface[]> {
  const client = await db
    .selectFrom('clients')
    .select('approved_only_surfaces')
    .where('id', '=', clientId)
    .executeTakeFirst()
  return client?.approved_only_surfaces ?? []
}

/** The one rule of what has to be approved before it is used. */
export const lacksApproval = (
  approvedOnly: Surface[],
  surface: Surface,
  { approval }: Pick<VersionRow, 'approval'>,
): boolean => approvedOnly.includes(surface) && approval !== 'approved'

/** What an old version keeps of what was said of it, where it is to count again: in a review nothing goes unasked. */
export const askedAgain = (old: ApprovalState, now: ApprovalState): ApprovalState =>
  old === 'none' && now !== 'none' ? 'pending' : old

export const tellAsked = (its: Change, row: AssetRow) =>
  its.tell('review.requested', row.id, { asset: toAsset(row), version: row.version, note: '' })

/** The name that somebody without an account gave. */
export const guestName = ({ caller }: Library): string | null =>
  caller.kind === 'nobody' ? caller.name : null

/** What is said of these versions, and by whom. */
export const writeApproval = (
  its: Change,
  library: Library,
  versions: Pick<AssetRow, 'id' | 'version'>[],
  approval: ApprovalState,
  note: string,
) =>
  its.trx
    .updateTable('asset_versions')
    .set({
      approval,
      approval_by: library.caller.id,
      approval_guest: guestName(library),
      approval_at: new Date(),
      approval_note: note,
    })
    .where('client_id', '=', library.clientId)
    .where(areThese(versions))
    .execute()

/** Of rows of `asset_versions`. */
export const areThese = (versions: Pick<AssetRow, 'id' | 'version'>[]) =>
  sql<boolean>`(asset_id, version) in (select * from unnest(
    ${versions.map(({ id }) => id)}::text[], ${versions.map(({ version }) => version)}::integer[]))`

/** What of a record decides how and where its file is published. */
const published = (row: AssetRow) =>
  JSON.stringify([
    row.focal_point,
    row.crops,
    row.provenance,
    row.rights_expire_at,
    row.allowed_surfaces.toSorted(),
  ])

/** Those that an agent has changed in what was approved: people are asked again, as after a new file. */
export const changedUnasked = ({ caller }: Library, before: AssetRow[], after: AssetRow[]): AssetRow[] => {
  if (!isAgent(caller)) return []
  const was = new Map(before.map((row) => [row.id, published(row)]))
  return after.filter((row) => row.approval === 'approved' && published(row) !== was.get(row.id))
}

/** A version, with the name of whoever asked or decided last. */
export const versionWithApprover = (
  db: Reader,
  { clientId }: Library,
  assetId: string,
  version: number,
): Promise<VersionRow & { approver: string | null }> =>
  db
    .selectFrom('asset_versions')
    .leftJoin('users', 'users.id', 'asset_versions.approval_by')
    .selectAll('asset_versions')
    .select('users.name as approver')
    .where('client_id', '=', clientId)
    .where('asset_id', '=', assetId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()

type ApprovalRow = Pick<
  VersionRow,
  'approval' | 'approval_by' | 'approval_guest' | 'approval_at' | 'approval_note'
> & { approver: string | null }

export const toApproval = (row: ApprovalRow): Approval => ({
  state: row.approval,
  by: row.approval_by === null ? null : speaker(row.approval_by, row.approver, row.approval_guest),
  at: row.approval_at?.toISOString() ?? null,
  note: row.approval_note,
})

/** A guest is known by the name they gave, and by no id. */
export const speaker = (id: string, name: string | null, guestName: string | null): Speaker =>
  guestName === null
    ? { kind: isId('key', id) ? 'key' : 'user', id, name }
    : { kind: 'guest', id: null, name: guestName }
