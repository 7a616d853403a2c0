import { sql } from 'kysely'
import { Type } from 'typebox'
import { type OcrLanguage, ocrLanguages } from '../../contract/ocr-languages.ts'
import { Nullable, Strict, Surface } from '../../contract/words.ts'
import { change } from '../library.ts'
import { section } from '../section.ts'

const PortableSettings = Strict({
  approvedOnlySurfaces: Type.Array(Surface, { uniqueItems: true, maxItems: 10 }),
  ocrLanguages: Type.Optional(
    Nullable(Type.Array(Type.Enum(ocrLanguages), { uniqueItems: true, maxItems: ocrLanguages.length })),
  ),
})

/** What was settled for the client as a whole. Its name and its quota are those it has here. */
export const settingsSection = section({
  name: 'settings',
  line: PortableSettings,
  write: async ({ db, clientId }) =>
    (
      await db
        .selectFrom('clients')
        .select(['approved_only_surfaces as approvedOnlySurfaces', 'ocr_languages as ocrLanguages'])
        .where('id', '=', clientId)
        .execute()
    ).filter(({ approvedOnlySurfaces, ocrLanguages }) => approvedOnlySurfaces.length > 0 || ocrLanguages),
  /**
   * Surfaces are added and none is taken away: a move does not loosen what is wanted here. Languages that were settled here
   * stay.
   */
  read: (library, settings) =>
    change(library, async (its) => {
      const surfaces = [...new Set(settings.flatMap(({ approvedOnlySurfaces }) => approvedOnlySurfaces))]
      const languages: OcrLanguage[] | null = settings.find((one) => one.ocrLanguages)?.ocrLanguages ?? null
      const changed = await its.trx
        .updateTable('clients')
        .set({
          approved_only_surfaces: sql`array(select distinct unnest(approved_only_surfaces || ${surfaces}::text[]) order by 1)`,
          ocr_languages: sql`coalesce(ocr_languages, ${languages}::text[])`,
          updated_at: new Date(),
        })
        .where('id', '=', library.clientId)
        .where(
          sql<boolean>`(not approved_only_surfaces @> ${surfaces}::text[]
            or (ocr_languages is null and ${languages}::text[] is not null))`,
        )
        .returning(['approved_only_surfaces as approvedOnlySurfaces', 'ocr_languages as ocrLanguages'])
        .execute()
      for (const details of changed) its.note({ action: 'client.imported', thing: library.clientId, details })
      return { made: changed.length, there: settings.length - changed.length, refused: [] }
    }),
})
