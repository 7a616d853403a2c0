import { sql } from 'kysely'
import { type Asset, type Batch, type BatchResult, mostTags } from '../../contract/assets.ts'
import type { BatchRefusal } from '../../contract/batches.ts'
import type { Surface } from '../../contract/words.ts'
import type { KeptChange } from '../db/schema.ts'
import { holdTree, keepFolder } from '../folders/tree.ts'
import { isId } from '../ids.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { Problem } from '../problems.ts'
import { inUseAmong } from '../uses/in-use.ts'
import { type AssetRow, toAsset } from './asset.ts'
import { askAgain, editRows, heldRows, restoreRows, trashRows, writeRows } from './assets.ts'
import { contradiction } from './contradiction.ts'
import { type Merge, mergesFrom } from './merged.ts'
import { changedSince, gone, heldByUse, keptOf } from './undo.ts'
import { tagKey, tidySurfaces, tidyTags } from './wording.ts'

type Refusal = { code: string; detail: string }

interface Action {
  /** Holds what must not change meanwhile, before the assets are held. */
  hold?(its: Change): Promise<unknown>
  /** Why this asset cannot have it done, if so. */
  refuses(row: AssetRow): Refusal | undefined
  /** The same, for what takes a question to the database. */
  refusesAmong?:
    | ((its: Change, library: Library, rows: AssetRow[]) => Promise<Map<string, Refusal>>)
    | undefined
  /** Whether it is so already: what nobody changes keeps its revision. */
  isDone?(row: AssetRow): boolean
  /** What is lost by it, and needed to take it back. */
  merges?(its: Change, ids: string[]): Promise<Map<string, Merge>>
  perform(its: Change, ids: string[]): Promise<AssetRow[]>
}

/** Does one thing to many assets in one transaction, and says of each how it went. */
export async function runBatch(library: Library, batch: Batch): Promise<BatchResult> {
  const action = whereStill(batch.still, actionOf(library, batch))
  const assetIds = [...new Set(batch.assetIds)]
  return changeOnce(library, async (its) => {
    const { before, after, refusals } = await perform(its, library, action, assetIds)
    const done = new Map(after.map((row) => [row.id, row]))
    const was = new Map(before.map((row) => [row.id, toAsset(row)]))
    return {
      results: assetIds.map((assetId) => {
        const row = done.get(assetId)
        return row
          ? { assetId, ok: true, asset: toAsset(row), before: asItWas(was.get(assetId)!) }
          : { assetId, ok: false, problem: refusals.get(assetId) ?? gone }
      }),
    }
  })
}

export interface Done {
  changed: KeptChange[]
  refused: BatchRefusal[]
}

/** The same to a part of very many, in the transaction of whoever asks: what is held is refused by itself. */
export async function performBatch(its: Change, library: Library, batch: Batch): Promise<Done> {
  const action = actionOf(library, batch)
  const oneByOne: Action = { ...action, refusesAmong: batch.action === 'trash' ? inUse : undefined }
  const { before, merges, after, refusals } = await perform(its, library, oneByOne, batch.assetIds)
  const done = new Set(after.map((row) => row.id))
  return {
    changed: keptOf(batch.action, before, after, merges),
    refused: batch.assetIds
      .filter((assetId) => !done.has(assetId))
      .map((assetId) => ({ assetId, ...(refusals.get(assetId) ?? gone) })),
  }
}

async function perform(its: Change, library: Library, action: Action, assetIds: string[]) {
  await action.hold?.(its)
  const before = await heldRows(
    its,
    library,
    assetIds.filter((id) => isId('asset', id)),
  )
  const among = await action.refusesAmong?.(its, library, before)
  const refusals = new Map(before.map((row) => [row.id, action.refuses(row) ?? among?.get(row.id)]))
  const taken = before.filter((row) => !refusals.get(row.id))
  const done = taken.filter((row) => action.isDone?.(row))
  const ids = taken.filter((row) => !done.includes(row)).map((row) => row.id)
  const merges = await action.merges?.(its, ids)
  const performed = await action.perform(its, ids)
  return { before, merges, after: [...(await askAgain(its, library, before, performed)), ...done], refusals }
}

async function inUse(its: Change, library: Library, rows: AssetRow[]): Promise<Map<string, Refusal>> {
  const held = await inUseAmong(
    its.trx,
    library,
    rows.map(({ id }) => id),
  )
  return new Map([...held].map((id) => [id, heldByUse]))
}

const asItWas = ({ folderId, tags, allowedSurfaces, rightsExpireAt, provenance }: Asset) => ({
  folderId,
  tags,
  allowedSurfaces,
  rightsExpireAt,
  provenance,
})

function actionOf(library: Library, batch: Batch): Action {
  switch (batch.action) {
    case 'move': {
      const folderId = needed(batch, 'folderId')
      return {
        hold: (its) => keepFolder(its.trx, library, folderId),
        refuses: trashed,
        isDone: (row) => row.folder_id === folderId,
        perform: (its, ids) => editRows(its, library, ids, { folderId }),
      }
    }
    case 'surfaces': {
      const { addSurfaces, removeSurfaces } = batch
      if (addSurfaces || removeSurfaces)
        return changeSurfaces(library, addSurfaces ?? [], removeSurfaces ?? [])
      const allowedSurfaces = needed(batch, 'allowedSurfaces')!
      return {
        refuses: trashed,
        isDone: (row) => tidySurfaces(allowedSurfaces).join() === row.allowed_surfaces.join(),
        perform: (its, ids) => editRows(its, library, ids, { allowedSurfaces }),
      }
    }
    case 'rights': {
      const rightsExpireAt = needed(batch, 'rightsExpireAt')
      return {
        refuses: trashed,
        isDone: (row) => sameTime(row.rights_expire_at, rightsExpireAt),
        perform: (its, ids) => editRows(its, library, ids, { rightsExpireAt }),
      }
    }
    case 'provenance': {
      const provenance = needed(batch, 'provenance')!
      return {
        refuses(row) {
          const contradicted = contradiction(row.evidence, provenance)
          return trashed(row) ?? (contradicted && { code: contradicted.code, detail: contradicted.message })
        },
        isDone: (row) => row.provenance === provenance,
        perform: (its, ids) => editRows(its, library, ids, { provenance }),
      }
    }
    case 'tag': {
      const tags = tidyTags(needed(batch, 'tags')!)
      const all = sql<
        string[]
      >`tags || array(select t from unnest(${tags}::text[]) t where lower(t) <> all(tag_keys))`
      return {
        refuses: (row) =>
          trashed(row) ?? (tidyTags([...row.tags, ...tags]).length > mostTags ? tooManyTags : undefined),
        isDone: (row) => tidyTags([...row.tags, ...tags]).length === row.tags.length,
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
        isDone: (row) => !row.tags.some((tag) => unwanted.includes(tagKey(tag))),
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
        merges: (its, ids) => mergesFrom(its.trx, library, ids),
        perform: (its, ids) => restoreRows(its, library, ids),
      }
  }
}

/** What somebody has changed since is left alone. */
const whereStill = (still: Batch['still'] = {}, action: Action): Action => ({
  ...action,
  refuses(row) {
    const { folderId = row.folder_id, provenance = row.provenance, allowedSurfaces, rightsExpireAt } = still
    const surfaces = allowedSurfaces ? tidySurfaces(allowedSurfaces) : row.allowed_surfaces
    const isStill =
      folderId === row.folder_id &&
      provenance === row.provenance &&
      surfaces.join() === row.allowed_surfaces.join() &&
      (rightsExpireAt === undefined || sameTime(row.rights_expire_at, rightsExpireAt))
    return action.refuses(row) ?? (isStill ? undefined : changedSince)
  },
})

const sameTime = (one: Date | null, other: string | null) =>
  (one === null ? null : one.getTime()) === (other === null ? null : Date.parse(other))

/** Only these, whatever else each of them allows: a mixed selection keeps what nobody touched. */
const changeSurfaces = (library: Library, added: Surface[], removed: Surface[]): Action => ({
  refuses: trashed,
  isDone: ({ allowed_surfaces: now }) =>
    added.every((surface) => now.includes(surface)) && !removed.some((surface) => now.includes(surface)),
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

const trashed = (row: AssetRow) =>
  row.trashed_at ? { ...gone, detail: 'The asset is in the trash. Restore it first.' } : undefined
const notTrashed = (row: AssetRow) =>
  row.trashed_at ? undefined : { ...gone, detail: 'The asset is not in the trash.' }
const tooManyTags = {
  code: 'invalid-request',
  detail: `An asset has ${mostTags} tags at most. Remove some first.`,
}

/** Refuses a batch that lacks what its action needs. */
export function neededFor(batch: BatchChange): void {
  if (batch.action === 'move') needed(batch, 'folderId')
  if (batch.action === 'tag' || batch.action === 'untag') needed(batch, 'tags')
  if (batch.action === 'surfaces' && !batch.addSurfaces && !batch.removeSurfaces)
    needed(batch, 'allowedSurfaces')
  if (batch.action === 'rights') needed(batch, 'rightsExpireAt')
  if (batch.action === 'provenance') needed(batch, 'provenance')
}

type BatchChange = Omit<Batch, 'assetIds'>

type NeededField = 'folderId' | 'tags' | 'allowedSurfaces' | 'rightsExpireAt' | 'provenance'

function needed<Field extends NeededField>(batch: BatchChange, field: Field) {
  const value = batch[field]
  if (value !== undefined) return value as Exclude<Batch[Field], undefined>
  throw new Problem('invalid-request', `The action ${batch.action} needs ${field}.`, {
    extra: { errors: [{ path: `/${field}`, message: `is needed for the action ${batch.action}` }] },
  })
}
