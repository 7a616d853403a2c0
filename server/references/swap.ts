import { sql } from 'kysely'
import {
  openStatuses,
  type RefSwap,
  type RefsSwapped,
  surfaceOfKind,
  type Use,
} from '../../contract/references.ts'
import { parseRef, type Ref } from '../assets/ref.ts'
import { type Change, changeOnce, type Library } from '../library.ts'
import { notFound } from '../problems.ts'
import { named, usesIn } from '../uses/use.ts'
import { refusedOn } from './permitted.ts'
import { findRefs } from './resolve.ts'
import { changedUse, refsNotAllowed } from './uses.ts'

/** Swaps one ref for another in every use that goes on: in all of them or, if one does not allow it, in none. */
export async function swapRef(library: Library, { from, to }: RefSwap): Promise<RefsSwapped> {
  if (!parseRef(from)) throw notFound('No asset')
  return changeOnce(library, async (its) => ({ uses: await swapUses(its, library, { from, to }) }))
}

/** The same in a change that does more. */
export async function swapUses(its: Change, library: Library, { from, to }: RefSwap): Promise<Use[]> {
  const old = parseRef(from)!
  const found = await findRefs(its.trx, library, [from, to], 'share')
  const uses = await usesIn(its.trx, library)
    .where('status', 'in', openStatuses)
    .where(
      sql<boolean>`exists (select from use_refs r where r.client_id = uses.client_id
          and r.kind = uses.kind and r.external_id = uses.external_id and ${means(old, from)})`,
    )
    .orderBy('kind')
    .orderBy('external_id')
    .forUpdate()
    .execute()
  const wanted = found.get(to)
  if ((!found.has(from) && uses.length === 0) || !wanted) throw notFound('No asset')

  const refusals = uses.flatMap(({ kind }) => {
    const refusal = refusedOn(surfaceOfKind[kind], wanted)
    return refusal ? [{ path: '/to', assetRef: to, ...refusal }] : []
  })
  if (refusals.length > 0) throw refsNotAllowed(refusals)

  const swapped = []
  for (const use of uses) {
    await its.trx
      .updateTable('use_refs as r')
      .set({ asset_ref: to, asset_id: wanted.asset.id })
      .where('client_id', '=', library.clientId)
      .where(named(use.kind, use.external_id))
      .where(means(old, from))
      .execute()
    await its.trx
      .updateTable('uses')
      .set({ updated_at: new Date() })
      .where('client_id', '=', library.clientId)
      .where(named(use.kind, use.external_id))
      .execute()
    swapped.push(await changedUse(its, library, use, 'use.updated'))
  }
  return swapped
}

/** A pinned ref means that pin only; an unpinned one the asset in whatever version. */
const means = ({ assetId, version }: Ref, from: string) =>
  version === undefined
    ? sql<boolean>`split_part(r.asset_ref, '@', 1) = ${assetId}`
    : sql<boolean>`r.asset_ref = ${from}`
