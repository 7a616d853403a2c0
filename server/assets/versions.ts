import { sql } from 'kysely'
import type { Asset, AssetVersions } from '../../contract/assets.ts'
import { changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { askedAgain, tellAsked, toApproval } from './approval.ts'
import {
  type AssetRow,
  assetColumns,
  assetETag,
  assetRow,
  nothingMadeYet,
  toAsset,
  type VersionRow,
  versionIfThere,
} from './asset.ts'
import { heldRow } from './assets.ts'
import { copyPictureText } from './picture-text.ts'

export async function listVersions(library: Library, assetId: string): Promise<AssetVersions> {
  const { id } = await assetRow(library.db, library, assetId)
  const rows = await library.db
    .selectFrom('asset_versions')
    .leftJoin('users', 'users.id', 'asset_versions.approval_by')
    .selectAll('asset_versions')
    .select('users.name as approver')
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
  return {
    versions: rows.map((row) => ({
      version: row.version,
      assetRef: `${id}@${row.version}`,
      originalFilename: row.original_filename,
      mimeType: row.mime_type,
      sizeBytes: row.size_bytes,
      sha256: row.sha256,
      width: row.width,
      height: row.height,
      approval: toApproval(row),
      createdAt: row.created_at.toISOString(),
      createdBy: row.created_by,
    })),
  }
}

/**
 * The file of an old version as version N+1 under the same ref. A stored original never changes, so both versions
 * stand on the same object: nothing is copied, and nothing is lost. Asked again while it is the current one,
 * nothing happens.
 */
export const restoreVersion = (
  library: Library,
  assetId: string,
  version: number,
  past?: RestoredElsewhere,
): Promise<Answer> =>
  changeOnce(library, async (its) => {
    const now = await heldRow(its, library, assetId)
    if (now.trashed_at && !past) throw notFound('No asset outside the trash')
    const old = await versionIfThere(its.trx, library, now.id, version)
    if (!old) throw notFound('No such version')
    const current = await versionIfThere(its.trx, library, now.id, now.version)
    if (current?.object_prefix === old.object_prefix && !past) return answer(now)

    const approval = askedAgain(old.approval, now.approval)
    const { original_filename, mime_type, size_bytes, sha256, width, height, duration_seconds } = old
    const row = await its.trx
      .updateTable('assets')
      .set({ original_filename, mime_type, size_bytes, sha256, width, height, duration_seconds, approval })
      .set({
        ...jsonOf({ ...old, ...past?.framing }),
        ...nothingMadeYet,
        updated_at: past?.updatedAt ?? new Date(),
        version: past?.version ?? sql`version + 1`,
        revision: sql`revision + 1`,
      })
      .where('client_id', '=', library.clientId)
      .where('id', '=', now.id)
      .returning(assetColumns)
      .executeTakeFirstOrThrow()
    const { media_problem: _, created_at: __, ...file } = old
    await its.trx
      .insertInto('asset_versions')
      .values({
        ...file,
        ...jsonOf({ ...old, ...past?.framing }),
        ...(past?.createdAt && { created_at: past.createdAt }),
        version: row.version,
        approval,
        created_by: library.caller.id,
      })
      .execute()
    await copyPictureText(its.trx, library, { assetId: row.id, from: old.version, to: row.version })
    const job = { clientId: row.client_id, assetId: row.id, version: row.version }
    await library.jobs.send(its.trx, 'media', job)
    if (!old.sha256) await library.jobs.send(its.trx, 'checksum', job)
    its.tell('asset.replaced', row.id, { asset: toAsset(row), restoredVersion: version })
    if (approval !== old.approval) tellAsked(its, row)
    return answer(row)
  })

/** How it was done before the library moved in here. No request can say so. */
interface RestoredElsewhere {
  version: number
  createdAt?: Date | undefined
  updatedAt?: Date | undefined
  framing: Pick<VersionRow, 'focal_point' | 'crops'>
}

const jsonOf = ({
  details,
  focal_guess,
  focal_point,
  crops,
  evidence,
}: Pick<VersionRow, 'details' | 'focal_guess' | 'focal_point' | 'crops' | 'evidence'>) => ({
  details: JSON.stringify(details),
  focal_guess: focal_guess && JSON.stringify(focal_guess),
  focal_point: focal_point && JSON.stringify(focal_point),
  crops: JSON.stringify(crops),
  evidence: evidence && JSON.stringify(evidence),
})

/** What is kept under an Idempotency-Key is an answer, not a row. */
interface Answer {
  asset: Asset
  etag: string
}
const answer = (row: AssetRow): Answer => ({ asset: toAsset(row), etag: assetETag(row) })
