import { type Selectable, sql } from 'kysely'
import type { MergedInto } from '../../contract/assets.ts'
import type { Reader, Trx } from '../db/database.ts'
import type { KeptMerge, Schema } from '../db/schema.ts'
import type { Change, Library } from '../library.ts'
import { heldRefs } from '../uses/held-refs.ts'
import { parseRef, type Ref } from './ref.ts'
import { standIn, standNoMore } from './stand-ins.ts'

/** Longer than anybody merges one after the other; and an end, should they ever go round. */
const farthest = 20

/**
 * From now on refs to these lead to the other, until they are restored: pinned ones to the version with the same bytes,
 * and the current version to the current one in any case, for that is what somebody has decided.
 */
export const leadTo = (trx: Trx, { clientId }: Library, ids: string[], into: string) =>
  sql`insert into merged_assets (client_id, id, into_id, pins)
    select gone.client_id, gone.id, kept.id, coalesce((
      select jsonb_object_agg(version, same) from (
        select distinct on (own.version) own.version, its.version as same
        from asset_versions own join asset_versions its
          on its.client_id = own.client_id and its.asset_id = kept.id and its.sha256 = own.sha256
        where own.client_id = gone.client_id and own.asset_id = gone.id
        order by own.version, its.version = kept.version desc, its.version desc) as pairs
      ), '{}') || jsonb_build_object(gone.version, kept.version)
    from assets gone join assets kept on kept.client_id = gone.client_id and kept.id = ${into}
    where gone.client_id = ${clientId} and gone.id = any(${ids}::text[])
    on conflict (client_id, id) do update
      set into_id = excluded.into_id, pins = excluded.pins, merged_at = now()`.execute(trx)

/** What led to others before a restore does so again, as it did then. */
export async function mergeAgain(
  its: Change,
  library: Library,
  merges: (KeptMerge & { id: string; title: string })[],
): Promise<void> {
  if (merges.length === 0) return
  await sql`insert into merged_assets (client_id, id, into_id, pins, merged_at)
    select ${library.clientId}, id, "into", nullif(pins, 'null'), "mergedAt"
    from jsonb_to_recordset(${JSON.stringify(merges)}::jsonb)
      as was (id text, "into" text, pins jsonb, "mergedAt" timestamptz)
    on conflict do nothing`.execute(its.trx)
  const ids = merges.map(({ id }) => id)
  const led = await mergesFrom(its.trx, library, ids)
  for (const { id, title, into } of merges) {
    const way = wayOf(led, id)
    for (const [step, next] of way.entries()) await standIn(its, library, next, [way[step - 1] ?? id])
    its.tell('asset.merged', id, { title, into })
  }
  await bindUses(its.trx, library, ids)
}

/** Those that one leads to, the nearest first. */
export function wayOf(merges: Map<string, Merge>, id: string): string[] {
  const way: string[] = []
  for (let at = merges.get(id); at && way.length < farthest; at = merges.get(at.into_id)) way.push(at.into_id)
  return way
}

/** Each of these is itself again, and whoever took its place in collections and shared selections leaves them. */
export async function leadNoMore(its: Change, library: Library, ids: string[]): Promise<void> {
  const merges = await mergesFrom(its.trx, library, ids)
  const led = await its.trx
    .deleteFrom('merged_assets')
    .where('client_id', '=', library.clientId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .returning('into_id')
    .execute()
  const standIns = [...new Set(led.map(({ into_id }) => into_id))]
  if (standIns.length === 0) return
  await standNoMore(its, library, standIns, ids)
  await bindUses(
    its.trx,
    library,
    [...merges.values()].map(({ into_id }) => into_id),
  )
}

/** Uses that go on and hold one of these for a ref of another hold what that ref means now. */
async function bindUses(trx: Trx, library: Library, assetIds: string[]): Promise<void> {
  const refs = await heldRefs(trx, library, sql`r.asset_id = any(${assetIds}::text[])`)
  const led = await ledRefs(
    trx,
    library,
    refs.map((ref) => ref.asset_ref),
  )
  const meant = refs.map(({ asset_ref: ref, ...at }) => ({
    ...at,
    id: (led.get(ref) ?? parseRef(ref))?.assetId,
  }))
  await sql`update use_refs r set asset_id = a.id
    from jsonb_to_recordset(${JSON.stringify(meant)}::jsonb)
      as meant (kind text, external_id text, place integer, id text)
      join assets a on a.client_id = ${library.clientId} and a.id = meant.id
    where r.client_id = ${library.clientId} and r.kind = meant.kind and r.external_id = meant.external_id
      and r.place = meant.place and r.asset_id <> a.id`.execute(trx)
}

/** What the refs of merged assets mean now, by ref. A pin that leads nowhere is left out. */
export async function ledRefs(db: Reader, library: Library, assetRefs: string[]): Promise<Map<string, Ref>> {
  const refs = assetRefs.flatMap((assetRef) => {
    const ref = parseRef(assetRef)
    return ref ? [{ assetRef, ref }] : []
  })
  const merges = await mergesFrom(
    db,
    library,
    refs.map(({ ref }) => ref.assetId),
  )
  return new Map(
    refs.flatMap(({ assetRef, ref }) => {
      const led = merges.has(ref.assetId) ? follow(merges, ref) : undefined
      return led ? [[assetRef, led] as const] : []
    }),
  )
}

function follow(merges: Map<string, Merge>, ref: Ref, steps = 0): Ref | undefined {
  const merge = merges.get(ref.assetId)
  if (!merge || steps === farthest) return ref
  const { into_id: assetId, pins } = merge
  if (ref.version === undefined || pins === null) return follow(merges, { assetId }, steps + 1)
  const version = pins[ref.version]
  if (version === undefined) return undefined
  return follow(merges, version === null ? { assetId } : { assetId, version }, steps + 1)
}

/** Where the refs of these lead in the end, by asset; those that were not merged are left out. */
export async function mergedInto(
  db: Reader,
  library: Library,
  ids: string[],
): Promise<Map<string, MergedInto>> {
  const merges = await mergesFrom(db, library, ids)
  const ends = new Map(
    ids.flatMap((id) =>
      wayOf(merges, id)
        .slice(-1)
        .map((end) => [id, end] as const),
    ),
  )
  if (ends.size === 0) return new Map()
  const { rows } = await sql<MergedInto>`
    select id as "assetId", title, folder_id as "folderId", trashed_at is not null as trashed
    from assets where client_id = ${library.clientId} and id = any(${[...new Set(ends.values())]}::text[])`.execute(
    db,
  )
  const byId = new Map(rows.map((row) => [row.assetId, row]))
  return new Map([...ends].flatMap(([id, end]) => (byId.has(end) ? [[id, byId.get(end)!] as const] : [])))
}

export type Merge = Pick<Selectable<Schema['merged_assets']>, 'id' | 'into_id' | 'pins' | 'merged_at'>

/** The merges of these, and of those that they were merged into. */
export async function mergesFrom(
  db: Reader,
  { clientId }: Library,
  ids: string[],
): Promise<Map<string, Merge>> {
  const { rows } = await sql<Merge>`
    with recursive led as (
      select id, into_id, pins, merged_at, 1 as steps from merged_assets
        where client_id = ${clientId} and id = any(${ids}::text[])
      union all
      select m.id, m.into_id, m.pins, m.merged_at, led.steps + 1 from led join merged_assets m
        on m.client_id = ${clientId} and m.id = led.into_id where led.steps < ${farthest}
    )
    select distinct on (id) id, into_id, pins, merged_at from led`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** All pinned refs that mean this version: its own, and those of merged assets. */
export async function pinsOf(
  db: Reader,
  { clientId }: Library,
  assetId: string,
  version: number,
): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    with recursive pins as (
      select ${assetId}::text collate "C" as id, ${version}::integer as version, 0 as steps
      union all
      select m.id, pin.key::integer, pins.steps + 1 from pins
        join merged_assets m on m.client_id = ${clientId} and m.into_id = pins.id
        cross join jsonb_each(m.pins) as pin
        where pin.value = to_jsonb(pins.version) and pins.steps < ${farthest}
    )
    select id || '@' || version as ref from pins`.execute(db)
  return rows.map(({ ref }) => ref)
}
