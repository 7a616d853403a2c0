import { sql } from 'kysely'
import { Type } from 'typebox'
import { Strict, Surface } from '../../contract/words.ts'
import { change } from '../library.ts'
import { section } from '../section.ts'

const PortableSettings = Strict({
  approvedOnlySurfaces: Type.Array(Surface, { uniqueItems: true, maxItems: 10 }),
})

/** What was settled for the client as a whole. Its name and its quota are those it has here. */
export const settingsSection = section({
  name: 'settings',
  line: PortableSettings,
  write: async ({ db, clientId }) =>
    (
      await db
        .selectFrom('clients')
        .select('approved_only_surfaces as approvedOnlySurfaces')
        .where('id', '=', clientId)
        .execute()
    ).filter(({ approvedOnlySurfaces }) => approvedOnlySurfaces.length > 0),
  /** Surfaces are added and none is taken away: a move does not loosen what is wanted here. */
  read: (library, settings) =>
    change(library, async (its) => {
      const wanted = [...new Set(settings.flatMap(({ approvedOnlySurfaces }) => approvedOnlySurfaces))]
      const changed = await its.trx
        .updateTable('clients')
        .set({
          approved_only_surfaces: sql`array(select distinct unnest(approved_only_surfaces || ${wanted}::text[]) order by 1)`,
          updated_at: new Date(),
        })
        .where('id', '=', library.clientId)
        .where(sql<boolean>`not approved_only_surfaces @> ${wanted}::text[]`)
        .returning('approved_only_surfaces as approvedOnlySurfaces')
        .execute()
      for (const { approvedOnlySurfaces } of changed)
        its.note({ action: 'client.imported', thing: library.clientId, details: { approvedOnlySurfaces } })
      return { made: changed.length, there: settings.length - changed.length, refused: [] }
    }),
})
