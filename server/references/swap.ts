import { type RawBuilder, sql } from 'kysely'
import {
  openStatuses,
  type RefSwap,
  type RefsSwapped,
  surfaceOfKind,
  type Use,
  type UseKind,
} from '../../contract/references.ts'
import { ledRefs } from '../assets/merged.ts'
import { parseRef, type Ref, refOf } from '../assets/ref.ts'
import type { Trx } from '../db/database.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
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

interface HeldRef {
  kind: UseKind
  external_id: string
  place: number
  asset_ref: string
}

/** Those refs of uses that go on; the uses are locked in one order. */
async function heldRefs(trx: Trx, { clientId }: Library, which: RawBuilder<unknown>): Promise<HeldRef[]> {
  const { rows } = await sql<HeldRef>`
    select r.kind, r.external_id, r.place, r.asset_ref from uses join use_refs r on r.client_id = uses.client_id
      and r.kind = uses.kind and r.external_id = uses.external_id
    where uses.client_id = ${clientId} and uses.status = any(${openStatuses}::text[]) and ${which}
    order by uses.kind, uses.external_id, r.place for update of uses`.execute(trx)
  return rows
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
