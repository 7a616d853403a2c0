import { sql } from 'kysely'
import { Type } from 'typebox'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { change } from '../library.ts'
import { inChunks, section } from '../section.ts'

const AssetId = Type.String({ minLength: 1, maxLength: 16_000 })

/** By the number of a version, that of the other which it leads to; null: the current one. */
const Pins = Type.Record(
  Type.String({ pattern: '^[1-9][0-9]{0,8}$' }),
  Nullable(Type.Integer({ minimum: 1, maximum: 999_999_999 })),
)

/** Refs that lead to another asset: whoever kept one is led there on the next server, too. */
export const mergedAssetsSection = section({
  name: 'mergedAsset',
  line: Strict({ assetId: AssetId, into: AssetId, mergedAt: Timestamp, pins: Type.Optional(Nullable(Pins)) }),
  async write({ db, clientId }) {
    const rows = await db
      .selectFrom('merged_assets')
      .selectAll()
      .where('client_id', '=', clientId)
      .orderBy('id')
      .execute()
    return rows.map(({ id, into_id, merged_at, pins }) => ({
      assetId: id,
      into: into_id,
      mergedAt: merged_at.toISOString(),
      pins,
    }))
  },
  read: (library, lines, ids) =>
    inChunks(lines, (some) =>
      change(library, async (its) => {
        const moved = some
          .filter(({ into }) => ids.came(into))
          .map(({ assetId, into, mergedAt, pins }) => ({
            id: ids.of(assetId),
            into: ids.of(into),
            at: mergedAt,
            pins,
          }))
        const { rows } = await sql`
          insert into merged_assets (client_id, id, into_id, merged_at, pins)
          select ${library.clientId}, moved.id, a.id, moved.at, nullif(moved.pins, 'null')
          from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as moved (id text, "into" text, at timestamptz, pins jsonb)
            join assets a on a.client_id = ${library.clientId} and a.id = moved."into"
          where moved.id <> a.id
          on conflict do nothing returning id`.execute(its.trx)
        if (rows.length > 0)
          its.note({
            action: 'client.imported',
            thing: library.clientId,
            details: { mergedAssets: rows.length },
          })
        return { made: rows.length, there: some.length - rows.length, refused: [] }
      }),
    ),
})
