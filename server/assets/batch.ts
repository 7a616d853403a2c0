import { sql } from 'kysely'
import { type Asset, type Batch, type BatchResult, mostTags } from '../../contract/assets.ts'
import type { Surface } from '../../contract/words.ts'
import { holdTree, keepFolder } from '../folders/tree.ts'
import { isId } from '../ids.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { type AssetRow, toAsset } from './asset.ts'
import { askAgain, editRows, heldRows, restoreRows, trashRows, writeRows } from './assets.ts'
import { tagKey, tidyTags } from './wording.ts'

interface Action {
  /** Holds what must not change meanwhile, before the assets are held. */
  hold?(its: Change): Promise<unknown>
  /** Why this asset cannot have it done, if so. */
  refuses(row: AssetRow): { code: string; detail: string } | undefined
  perform(its: Change, ids: string[]): Promise<AssetRow[]>
}

/** Does one thing to many assets in one transaction, and says of each how it went. */
export async function runBatch(library: Library, batch: Batch): Promise<BatchResult> {
  const action = actionOf(library, batch)
  const assetIds = [...new Set(batch.assetIds)]
  return changeOnce(library, async (its) => {
    await action.hold?.(its)
    const rows = await heldRows(
      its,
      library,
      assetIds.filter((id) => isId('asset', id)),
    )
    const refusals = new Map(rows.map((row) => [row.id, action.refuses(row)]))
    const performed = await action.perform(
      its,
      rows.filter((row) => !refusals.get(row.id)).map((row) => row.id),
    )
    const done = await askAgain(its, library, rows, performed)
    const byId = new Map(done.map((row) => [row.id, row]))
    const before = new Map(rows.map((row) => [row.id, toAsset(row)]))
    return {
      results: assetIds.map((assetId) => {
        const row = byId.get(assetId)
        return row
          ? { assetId, ok: true, asset: toAsset(row), before: asItWas(before.get(assetId)!) }
          : { assetId, ok: false, problem: refusals.get(assetId) ?? gone }
      }),
    }
  })
}

const asItWas = ({ folderId, tags, allowedSurfaces }: Asset) => ({ folderId, tags, allowedSurfaces })

function actionOf(library: Library, batch: Batch): Action {
  switch (batch.action) {
    case 'move': {
      const folderId = needed(batch, 'folderId')
      return {
        hold: (its) => keepFolder(its.trx, library, folderId),
        refuses: trashed,
        perform: (its, ids) => editRows(its, library, ids, { folderId }),
      }
    }
    case 'surfaces': {
      const { addSurfaces, removeSurfaces } = batch
      if (addSurfaces || removeSurfaces)
        return changeSurfaces(library, addSurfaces ?? [], removeSurfaces ?? [])
      const allowedSurfaces = needed(batch, 'allowedSurfaces')!
      return { refuses: trashed, perform: (its, ids) => editRows(its, library, ids, { allowedSurfaces }) }
    }
    case 'tag': {
      const tags = tidyTags(needed(batch, 'tags')!)
      const all = sql<
        string[]
      >`tags || array(select t from unnest(${tags}::text[]) t where lower(t) <> all(tag_keys))`
      return {
        refuses: (row) =>
          trashed(row) ?? (tidyTags([...row.tags, ...tags]).length > mostTags ? tooManyTags : undefined),
        perform: (its, ids) =>
          writeRows(its, library, ids, { tags: all }, { type: 'asset.updated', changed: ['tags'] }),
      }
    }
    case 'untag': {
      const unwanted = needed(batch, 'tags')!.map(tagKey)
      const rest = sql<string[]>`array(select t from unnest(tags) with ordinality as own (t, place)
        where lower(t) <> all(${unwanted}::text[]) order by place)`
      return {
        refuses: trashed,
        perform: (its, ids) =>
          writeRows(its, library, ids, { tags: rest }, { type: 'asset.updated', changed: ['tags'] }),
      }
    }
    case 'trash':
      return { refuses: trashed, perform: (its, ids) => trashRows(its, library, ids) }
    case 'restore':
      return {
        hold: (its) => holdTree(its.trx, library),
        refuses: notTrashed,
        perform: (its, ids) => restoreRows(its, library, ids),
      }
  }
}

/** Only these, whatever else each of them allows: a mixed selection keeps what nobody touched. */
const changeSurfaces = (library: Library, added: Surface[], removed: Surface[]): Action => ({
  refuses: trashed,
  perform: (its, ids) =>
    writeRows(
      its,
      library,
      ids,
      {
        allowed_surfaces: sql<
          Surface[]
        >`array(select distinct s from unnest(allowed_surfaces || ${added}::text[]) s
          where s <> all(${removed}::text[]) order by s)`,
      },
      { type: 'asset.updated', changed: ['allowedSurfaces'] },
    ),
})

const gone = { code: 'not-found', detail: 'No asset was found here under that id.' }
const trashed = (row: AssetRow) =>
  row.trashed_at ? { ...gone, detail: 'The asset is in the trash. Restore it first.' } : undefined
const notTrashed = (row: AssetRow) =>
  row.trashed_at ? undefined : { ...gone, detail: 'The asset is not in the trash.' }
const tooManyTags = {
  code: 'invalid-request',
  detail: `An asset has ${mostTags} tags at most. Remove some first.`,
}

function needed<Field extends 'folderId' | 'tags' | 'allowedSurfaces'>(batch: Batch, field: Field) {
  const value = batch[field]
  if (value !== undefined) return value as Exclude<Batch[Field], undefined>
  throw new Problem('invalid-request', `The action ${batch.action} needs ${field}.`, {
    extra: { errors: [{ path: `/${field}`, message: `is needed for the action ${batch.action}` }] },
  })
}
