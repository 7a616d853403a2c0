import { sql } from 'kysely'
import { type AssetChange, mostTags } from '../../contract/assets.ts'
import type { KeepOne, KeptOne } from '../../contract/duplicates.ts'
import { type AssetRow, toAsset } from '../assets/asset.ts'
import { askAgain, editRows, heldRows, trashRows } from '../assets/assets.ts'
import { leadTo, ledRefs } from '../assets/merged.ts'
import { standIn } from '../assets/stand-ins.ts'
import { tidyTags } from '../assets/wording.ts'
import type { Trx } from '../db/database.ts'
import { isId } from '../ids.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { followMerges } from '../references/swap.ts'
import { refuseStrangers } from './alike.ts'
import { limitsOf, limitsTaken } from './limits.ts'

/**
 * Keeps one of some duplicates: whatever goes on with the others goes on with it, they go to the trash, and their refs
 * lead to it. All of it or nothing; asked again, it is done already.
 */
export async function keepOne(library: Library, { keep, others }: KeepOne): Promise<KeptOne> {
  if (others.includes(keep))
    throw new Problem('invalid-request', 'The one to keep is among the others. Name it once.')
  return changeOnce(library, async (its) => {
    const rows = await heldRows(
      its,
      library,
      [keep, ...others].filter((id) => isId('asset', id)),
    )
    const kept = rows.find(({ id }) => id === keep)
    if (!kept || kept.trashed_at || rows.length < others.length + 1) throw notFound('No asset')
    const going = await stillThere(its.trx, library, kept, rows)
    // Their refs will lead to it, also those that pin the current version: that is right of the same picture alone.
    await refuseStrangers(
      its.trx,
      library,
      keep,
      going.map(({ id }) => id),
    )
    // First the limits: uses go over only where they allow it.
    const limits = limitsTaken(kept, going)
    const asset = await takeOver(its, library, kept, { ...wordsTaken(kept, going), ...limits })
    const uses = await merge(its, library, kept, going)
    const own = Object.entries(limitsOf(kept)).filter(([field]) => field in limits)
    return { asset: toAsset(asset), before: Object.fromEntries(own), merged: others, uses }
  })
}

/** Those that are not merged into it yet. What lies in the trash for another reason is not there. */
async function stillThere(trx: Trx, library: Library, kept: AssetRow, rows: AssetRow[]): Promise<AssetRow[]> {
  const trashed = rows.filter(({ trashed_at }) => trashed_at !== null).map(({ id }) => id)
  const led = await ledRefs(trx, library, trashed)
  if (trashed.some((id) => led.get(id)?.assetId !== kept.id)) throw notFound('No asset')
  return rows.filter((row) => row !== kept && row.trashed_at === null)
}

async function merge(
  its: Change,
  library: Library,
  kept: AssetRow,
  going: AssetRow[],
): Promise<KeptOne['uses']> {
  if (going.length === 0) return []
  const ids = going.map(({ id }) => id)
  await leadTo(its.trx, library, ids, kept.id)
  const uses = await followMerges(its, library, ids)
  await standIn(its, library, kept.id, ids)
  for (const other of going) await takeDeliveries(its.trx, kept, other)
  for (const { id, title } of going) its.tell('asset.merged', id, { title, into: kept.id })
  await trashRows(its, library, ids)
  return uses
}

/** What only the others say. */
function wordsTaken(kept: AssetRow, going: AssetRow[]): AssetChange {
  const said = (word: 'alt_text' | 'description') =>
    kept[word] === '' ? going.map((other) => other[word]).find((text) => text !== '') : undefined
  const [altText, description] = [said('alt_text'), said('description')]
  const tags = tidyTags([kept, ...going].flatMap((row) => row.tags)).slice(0, mostTags)
  return {
    ...(altText && { altText }),
    ...(description && { description }),
    ...(tags.length > kept.tags.length && { tags }),
  }
}

async function takeOver(
  its: Change,
  library: Library,
  kept: AssetRow,
  change: AssetChange,
): Promise<AssetRow> {
  if (Object.keys(change).length === 0) return kept
  const edited = await editRows(its, library, [kept.id], change)
  const [row] = await askAgain(its, library, [kept], edited)
  return row!
}

/** What was delivered of the same bytes need not be delivered again, unless the one that is kept was, too. */
const takeDeliveries = (trx: Trx, kept: AssetRow, other: AssetRow) =>
  sql`update deliveries d set asset_id = ${kept.id}, version = ${kept.version}
    where d.client_id = ${kept.client_id} and d.asset_id = ${other.id} and d.version = ${other.version}
      and d.status = 'done' and d.more = '[]' and ${kept.sha256 !== null && kept.sha256 === other.sha256}
      and not exists (select from deliveries own where own.client_id = d.client_id and own.asset_id = ${kept.id}
        and own.version = ${kept.version} and own.connection_id = d.connection_id and own.rendition = d.rendition
        and own.post_key = d.post_key)`.execute(trx)
