import { sql } from 'kysely'
import { keptUrl } from '../../contract/http-url.ts'
import {
  surfaceOfKind,
  type Use,
  type UseInput,
  type UseKind,
  type UsePage,
  type UseQuery,
} from '../../contract/references.ts'
import { assetRow } from '../assets/asset.ts'
import { tidyTitle } from '../assets/wording.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Trx } from '../db/database.ts'
import { holdTree } from '../folders/tree.ts'
import { type Change, change, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { featuredPlace, named, pointsTo, toUse, type UseRow, usesIn } from '../uses/use.ts'
import { type Refusal, refNotFound, refusedOn } from './permitted.ts'
import { filePosted } from './posted.ts'
import { type Found, findRefs } from './resolve.ts'

export interface Recorded {
  use: Use
  made: boolean
}

/** Says where assets are used: all of it or, when one may not be used there, nothing. Said twice, it is recorded once. */
export async function recordUse(
  library: Library,
  kind: UseKind,
  externalId: string,
  input: UseInput,
): Promise<Recorded> {
  const refs = refsOf(input)
  const posts = kind === 'social-post' && input.status === 'done'
  return change(library, async (its) => {
    // In the order in which all hold them: tree, assets, use.
    if (posts) await holdTree(its.trx, library)
    const found = await findRefs(
      its.trx,
      library,
      refs.map(({ assetRef }) => assetRef),
      posts ? 'update' : 'share',
    )
    const made = await insertUse(its.trx, library, kind, externalId, input)
    const before = await heldUse(its.trx, library, kind, externalId)
    refuseRefs(kind, uncheckedRefs(input, refs, made ? undefined : before), found)

    const filed = posts ? await filePosted(its, library, [...found.values()], before.filed_asset_ids) : []
    if (!made && filed.length === 0 && saysTheSame(before, input, refs)) return { use: toUse(before), made }
    await writeUse(its.trx, before, input, filed)
    await writeRefs(its.trx, before, refs, found)
    return { use: await changedUse(its, library, before, made ? 'use.created' : 'use.updated'), made }
  })
}

export async function readUse(library: Library, kind: UseKind, externalId: string): Promise<Use> {
  const row = await usesIn(library.db, library).where(named(kind, externalId)).executeTakeFirst()
  if (!row) throw notFound('No use')
  return toUse(row)
}

/** The newest first; of one asset if one is named. */
export async function listUses(library: Library, query: UseQuery, assetId?: string): Promise<UsePage> {
  const { kind, status, cursor, limit = 50 } = query
  const asset = assetId === undefined ? undefined : await assetRow(library.db, library, assetId)
  const rows = await usesIn(library.db, library)
    .$if(asset !== undefined, (uses) => uses.where(pointsTo([asset!.id])))
    .$if(kind !== undefined, (uses) => uses.where('kind', '=', kind!))
    .$if(status !== undefined, (uses) => uses.where('status', '=', status!))
    .$if(cursor !== undefined, (uses) => uses.where(behind(cursor!)))
    .orderBy('created_at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('external_id', 'desc')
    .limit(limit + 1)
    .execute()
  const uses = rows.slice(0, limit).map(toUse)
  const last = uses.at(-1)
  return {
    uses,
    nextCursor: rows.length > limit ? writeCursor([last!.createdAt, last!.kind, last!.externalId]) : null,
  }
}

function behind(cursor: string) {
  const [createdAt, kind, externalId] = readCursor(cursor, ['time', 'text', 'text'])
  return sql<boolean>`(created_at, kind, external_id) < (${createdAt}::timestamptz, ${kind}::text, ${externalId}::text)`
}

interface PlacedRef {
  place: number
  assetRef: string
  /** Where in the body it stands. */
  path: string
}

const refsOf = ({ featuredAssetRef, assetRefs = [] }: UseInput): PlacedRef[] => [
  ...(featuredAssetRef
    ? [{ place: featuredPlace, assetRef: featuredAssetRef, path: '/featuredAssetRef' }]
    : []),
  ...assetRefs.map((assetRef, index) => ({
    place: featuredPlace + 1 + index,
    assetRef,
    path: `/assetRefs/${index}`,
  })),
]

/** Ending a use never fails for what became of its assets meanwhile: those it had were allowed then. */
function uncheckedRefs(input: UseInput, refs: PlacedRef[], before: UseRow | undefined): PlacedRef[] {
  if (input.status !== 'done' && input.status !== 'cancelled') return refs
  const known = new Set(before?.refs.map(({ assetRef }) => assetRef))
  return refs.filter(({ assetRef }) => !known.has(assetRef))
}

function refuseRefs(kind: UseKind, refs: PlacedRef[], found: Map<string, Found>): void {
  const surface = surfaceOfKind[kind]
  const refusals = refs.flatMap(({ path, assetRef }) => {
    const its = found.get(assetRef)
    const refusal = its ? refusedOn(surface, its) : refNotFound(assetRef)
    return refusal ? [{ path, assetRef, ...refusal }] : []
  })
  if (refusals.length > 0) throw refsNotAllowed(refusals)
}

export const refsNotAllowed = (refusals: (Refusal & { assetRef: string; path: string })[]) =>
  new Problem('refs-not-allowed', `Nothing was stored. ${refusals[0]!.detail} ${refusals[0]!.fix}`, {
    extra: { refusals, errors: refusals.map(({ path, detail }) => ({ path, message: detail })) },
  })

/** Makes the row so that it can be locked; false when it was there. */
async function insertUse(
  trx: Trx,
  library: Library,
  kind: UseKind,
  externalId: string,
  { status }: UseInput,
): Promise<boolean> {
  const made = await trx
    .insertInto('uses')
    .values({
      client_id: library.clientId,
      kind,
      external_id: externalId,
      status,
      created_by: library.caller.id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return made !== undefined
}

const heldUse = (trx: Trx, library: Library, kind: UseKind, externalId: string): Promise<UseRow> =>
  usesIn(trx, library).where(named(kind, externalId)).forUpdate().executeTakeFirstOrThrow()

const wordsOf = ({ status, scheduledFor, title, url }: UseInput) => ({
  status,
  scheduled_for: scheduledFor ? new Date(scheduledFor) : null,
  title: (title && tidyTitle(title)) ?? null,
  url: keptUrl(url ?? null),
})

function saysTheSame(before: UseRow, input: UseInput, refs: PlacedRef[]): boolean {
  const { status, scheduled_for, title, url } = before
  const words = JSON.stringify({ status, scheduled_for, title, url })
  const places = (list: Pick<PlacedRef, 'place' | 'assetRef'>[]) =>
    list.map(({ place, assetRef }) => `${place} ${assetRef}`).join()
  return words === JSON.stringify(wordsOf(input)) && places(before.refs) === places(refs)
}

const writeUse = (trx: Trx, use: UseRow, input: UseInput, filed: string[]) =>
  trx
    .updateTable('uses')
    .set({ ...wordsOf(input), filed_asset_ids: [...use.filed_asset_ids, ...filed], updated_at: new Date() })
    .where('client_id', '=', use.client_id)
    .where(named(use.kind, use.external_id))
    .execute()

async function writeRefs(trx: Trx, use: UseRow, refs: PlacedRef[], found: Map<string, Found>): Promise<void> {
  await trx
    .deleteFrom('use_refs')
    .where('client_id', '=', use.client_id)
    .where(named(use.kind, use.external_id))
    .execute()
  if (refs.length === 0) return
  await trx
    .insertInto('use_refs')
    .values(
      refs.map(({ place, assetRef }) => ({
        client_id: use.client_id,
        kind: use.kind,
        external_id: use.external_id,
        place,
        asset_ref: assetRef,
        asset_id: found.get(assetRef)?.asset.id ?? null,
      })),
    )
    .execute()
}

export async function changedUse(
  its: Change,
  library: Library,
  { kind, external_id }: Pick<UseRow, 'kind' | 'external_id'>,
  type: 'use.created' | 'use.updated',
): Promise<Use> {
  const use = toUse(await heldUse(its.trx, library, kind, external_id))
  its.tell(type, `${kind}/${external_id}`, { use })
  return use
}
