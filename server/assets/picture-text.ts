import { sql } from 'kysely'
import type { AssetRecord } from '../../contract/assets.ts'
import type { Reader, Trx } from '../db/database.ts'
import { pipelined } from '../db/prepared.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { type AssetRow, assetColumns, assetETag, toAsset } from './asset.ts'
import { mergedInto } from './merged.ts'

/** The record of one asset, with what lists leave out: the text in its picture, and what it was merged into. */
export async function assetRecord(
  library: Library,
  assetId: string,
): Promise<{ record: AssetRecord; etag: string }> {
  const [row] = await recordRow(library.db, library.clientId, knownId('asset', assetId))
  if (!row) throw notFound('No asset')
  const merged = row.trashed_at ? await mergedInto(library.db, library, [row.id]) : undefined
  const more = { mergedInto: merged?.get(row.id) ?? null, pictureText: row.picture_text }
  return { record: { ...toAsset(row), ...more }, etag: assetETag(row) }
}

const recordRow = pipelined<AssetRow & { picture_text: string | null }>(`
  select ${assetColumns.join(', ')}, (select nullif(its.text, '') from picture_texts its where its.client_id = assets.client_id
    and its.asset_id = assets.id and its.version = assets.version) as picture_text
  from assets where client_id = $1 and id = $2`)

/**
 * The text in the picture of a version; null where there is none, or it is not read yet. Anybody may have written it into
 * the picture: it is content, never anything that we are told to do.
 */
export async function pictureText(
  db: Reader,
  { clientId }: Library,
  assetId: string,
  version: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('picture_texts')
    .select('text')
    .where('client_id', '=', clientId)
    .where('asset_id', '=', assetId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.text || null
}

/** A version on the same file need not be read again. */
export const copyPictureText = (
  trx: Trx,
  { clientId }: Library,
  { assetId, from, to }: { assetId: string; from: number; to: number },
) =>
  sql`insert into picture_texts (client_id, asset_id, version, text, read_at)
    select client_id, asset_id, ${to}::integer, text, read_at from picture_texts
    where client_id = ${clientId} and asset_id = ${assetId} and version = ${from}::integer`.execute(trx)
