import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { mostShared } from '../../contract/shares.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { peopleToMove } from '../access/portable.ts'
import { linksToMake, PortableLink, toPortableLink } from '../access/portable-links.ts'
import type { Trx } from '../db/database.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { isOfSomething } from './share-link.ts'

const PortableShareLink = Strict({
  ...PortableLink.properties,
  collectionId: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
  assetIds: Type.Array(Type.String({ minLength: 1, maxLength: 16_000 }), { maxItems: mostShared }),
  // Only of the strength that is made here: a check of any other could take all the memory there is.
  passwordHash: Nullable(
    Type.String({ pattern: '^\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[\\w+/]{16,100}\\$[\\w+/]{16,100}$' }),
  ),
  allows: Type.Enum(['view', 'download']),
  files: Type.Enum(['original', 'rendition']),
  review: Type.Boolean(),
  watermark: Nullable(Type.String({ maxLength: 60 })),
  openCount: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
  lastOpenedAt: Nullable(Timestamp),
  visits: Type.Array(
    Strict({
      at: Timestamp,
      network: Type.String({ maxLength: 100 }),
      browser: Type.String({ maxLength: 100 }),
    }),
    { maxItems: 50 },
  ),
})
type PortableShareLink = Static<typeof PortableShareLink>

export const shareLinksSection = section({
  name: 'shareLink',
  line: PortableShareLink,
  write: writeLinks,
  async read(library, links, ids) {
    await ids.settle(
      'share',
      links.map(({ linkId }) => linkId),
      (some) =>
        library.db
          .selectFrom('share_links')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(links, (some) => takeIn(library, some, ids))
  },
})

async function writeLinks({ db, clientId }: Library): Promise<PortableShareLink[]> {
  const links = await db
    .selectFrom('share_links')
    .selectAll()
    .where('client_id', '=', clientId)
    .where(isOfSomething)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const chosen = await db
    .selectFrom('share_link_assets')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('place')
    .execute()
  const visits = await db
    .selectFrom('share_link_visits')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('id')
    .execute()
  const person = await peopleToMove(
    db,
    links.map(({ created_by }) => created_by),
  )
  const assetsOf = Map.groupBy(chosen, ({ share_link_id }) => share_link_id)
  const visitsOf = Map.groupBy(visits, ({ share_link_id }) => share_link_id)
  return links.map((row) => ({
    ...toPortableLink(row, person(row.created_by)),
    assetIds: (assetsOf.get(row.id) ?? []).map(({ asset_id }) => asset_id),
    collectionId: row.collection_id,
    passwordHash: row.password_hash,
    allows: row.allows,
    files: row.files,
    review: row.allows_review,
    watermark: row.watermark,
    openCount: row.open_count,
    lastOpenedAt: row.last_opened_at?.toISOString() ?? null,
    visits: (visitsOf.get(row.id) ?? []).map(({ visited_at, network, browser }) => ({
      at: visited_at.toISOString(),
      network,
      browser,
    })),
  }))
}

const takeIn = (library: Library, links: PortableShareLink[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const { fresh, there, refused } = await linksToMake(its.trx, 'share_links', library, links, ids)
    const here = await collectionsHere(its.trx, library, links, ids)
    let made = 0
    for (const { line, columns } of fresh) {
      const collectionId = line.collectionId ?? null
      if (collectionId !== null && !here.has(ids.of(collectionId))) {
        refused.push(withoutCollection(line))
        continue
      }
      made++
      await its.trx
        .insertInto('share_links')
        .values({
          ...columns,
          collection_id: collectionId && ids.of(collectionId),
          password_hash: line.passwordHash,
          allows: line.allows,
          // Never more than was shared: an original has no watermark.
          files: line.watermark === null ? line.files : 'rendition',
          watermark: line.watermark,
          allows_review: line.review,
          open_count: line.openCount,
          last_opened_at: line.lastOpenedAt,
        })
        .execute()
      await shareAssets(its.trx, library, columns.id, line, ids)
      if (line.visits.length > 0)
        await its.trx
          .insertInto('share_link_visits')
          .values(
            line.visits.map(({ at, network, browser }) => ({
              client_id: library.clientId,
              share_link_id: columns.id,
              visited_at: at,
              network,
              browser,
            })),
          )
          .execute()
    }
    if (made > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { shareLinks: made } })
    return { made, there, refused }
  })

/** Of those that came along. */
async function collectionsHere(
  trx: Trx,
  { clientId }: Library,
  links: PortableShareLink[],
  ids: MovedIds,
): Promise<Set<string>> {
  const wanted = links.flatMap(({ collectionId }) =>
    collectionId && ids.came(collectionId) ? [ids.of(collectionId)] : [],
  )
  const rows = await trx
    .selectFrom('collections')
    .select('id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id = any(${wanted}::text[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const withoutCollection = ({ title }: PortableShareLink) => ({
  file: `“${title}”`,
  code: 'in-use',
  detail: 'The collection it is for did not come along. Make a new link.',
})

/** Those that came along and are here. */
async function shareAssets(
  trx: Trx,
  { clientId }: Library,
  shareLinkId: string,
  { assetIds }: PortableShareLink,
  ids: MovedIds,
): Promise<void> {
  const chosen = assetIds.filter(ids.came).map(ids.of)
  await sql`insert into share_link_assets (client_id, share_link_id, asset_id, place)
    select ${clientId}, ${shareLinkId}, a.id, chosen.place - 1
    from unnest(${chosen}::text[]) with ordinality as chosen (id, place)
      join assets a on a.client_id = ${clientId} and a.id = chosen.id
    on conflict do nothing`.execute(trx)
}
