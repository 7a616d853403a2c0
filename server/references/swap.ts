import { sql } from 'kysely'
import { type RefSwap, type RefsSwapped, surfaceOfKind, type Use } from '../../contract/references.ts'
import { ledRefs } from '../assets/merged.ts'
import { parseRef, type Ref, refOf } from '../assets/ref.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { type HeldRef, heldRefs } from '../uses/held-refs.ts'
import { named } from '../uses/use.ts'
import { refNotFound, refusedOn } from './permitted.ts'
import { type Found, findRefs } from './resolve.ts'
import { changedUse, refsNotAllowed } from './uses.ts'

/** Swaps one ref for another in every use that goes on: in all of them or, if one does not allow it, in none. */
export async function swapRef(library: Library, { from, to }: RefSwap): Promise<RefsSwapped> {
  const old = parseRef(from)
  if (!old) throw notFound('No asset')
  return changeOnce(library, async (its) => {
    const found = await findRefs(its.trx, library, [from, to], 'share')
    const refs = await heldRefs(its.trx, library, means(old, from))
    if ((!found.has(from) && refs.length === 0) || !found.has(to)) throw notFound('No asset')
    const uses = await swapUses(
      its,
      library,
      refs.map((ref) => ({ ...ref, to })),
      found,
    )
    return { uses }
  })
}

/** The same for assets that were merged: each ref becomes the one that it leads to now; a pin that leads nowhere stays. */
export async function followMerges(its: Change, library: Library, ids: string[]): Promise<Use[]> {
  const refs = await heldRefs(
    its.trx,
    library,
    sql`(r.asset_id = any(${ids}::text[]) or split_part(r.asset_ref, '@', 1) = any(${ids}::text[]))`,
  )
  const led = await ledRefs(
    its.trx,
    library,
    refs.map((ref) => ref.asset_ref),
  )
  const swaps = refs.flatMap((ref) => {
    const to = led.get(ref.asset_ref)
    return to ? [{ ...ref, to: refOf(to) }] : []
  })
  const found = await findRefs(
    its.trx,
    library,
    swaps.map(({ to }) => to),
    'share',
  )
  return swapUses(its, library, swaps, found)
}

/** Each use is changed once, however many of its refs are. */
async function swapUses(
  its: Change,
  library: Library,
  swaps: (HeldRef & { to: string })[],
  found: Map<string, Found>,
): Promise<Use[]> {
  const refusals = swaps.flatMap(({ kind, to }) => {
    const wanted = found.get(to)
    const refusal = wanted ? refusedOn(surfaceOfKind[kind], wanted) : refNotFound(to)
    return refusal ? [{ path: '/to', assetRef: to, ...refusal }] : []
  })
  if (refusals.length > 0) throw refsNotAllowed(refusals)

  const swapped: Use[] = []
  for (const some of Map.groupBy(swaps, ({ kind, external_id }) => `${kind} ${external_id}`).values()) {
    const { kind, external_id } = some[0]!
    for (const { place, to } of some)
      await its.trx
        .updateTable('use_refs')
        .set({ asset_ref: to, asset_id: found.get(to)!.asset.id })
        .where('client_id', '=', library.clientId)
        .where(named(kind, external_id))
        .where('place', '=', place)
        .execute()
    await its.trx
      .updateTable('uses')
      .set({ updated_at: new Date() })
      .where('client_id', '=', library.clientId)
      .where(named(kind, external_id))
      .execute()
    swapped.push(await changedUse(its, library, { kind, external_id }, 'use.updated'))
  }
  return swapped
}

/** A pinned ref means that pin only; an unpinned one the asset in whatever version. */
const means = ({ assetId, version }: Ref, from: string) =>
  version === undefined
    ? sql<boolean>`split_part(r.asset_ref, '@', 1) = ${assetId}`
    : sql<boolean>`r.asset_ref = ${from}`
