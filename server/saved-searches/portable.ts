import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { AssetSearch } from '../../contract/search.ts'
import { Nullable, plainName, Strict, Timestamp } from '../../contract/words.ts'
import { movedPeople, PortablePerson, peopleToMove } from '../access/portable.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'

const PortableSavedSearch = Strict({
  savedSearchId: Type.String({ minLength: 1, maxLength: 100 }),
  name: Type.String({ minLength: 1, maxLength: 120, pattern: plainName }),
  search: AssetSearch,
  /** Whose it is; everybody's without one. */
  owner: Nullable(PortablePerson),
  createdBy: PortablePerson,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
type PortableSavedSearch = Static<typeof PortableSavedSearch>

export const savedSearchesSection = section({
  name: 'savedSearch',
  line: PortableSavedSearch,
  write: writeSearches,
  async read(library, searches, ids) {
    await ids.settle(
      'search',
      searches.map(({ savedSearchId }) => savedSearchId),
      (some) =>
        library.db
          .selectFrom('saved_searches')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(searches, (some) => takeIn(library, some, ids))
  },
})

/** A key does not move, nor does what was its own. */
async function writeSearches({ db, clientId }: Library): Promise<PortableSavedSearch[]> {
  const rows = await db
    .selectFrom('saved_searches')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('key_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const person = await peopleToMove(
    db,
    rows.flatMap(({ user_id, created_by }) => [user_id, created_by]),
  )
  return rows.map((row) => ({
    savedSearchId: row.id,
    name: row.name,
    search: row.search,
    owner: row.user_id === null ? null : person(row.user_id),
    createdBy: person(row.created_by),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}

const takeIn = (library: Library, searches: PortableSavedSearch[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const done: TakenIn = { made: 0, there: 0, refused: [] }
    const here = await movedPeople(
      its.trx,
      searches.flatMap(({ owner, createdBy }) => [owner, createdBy]),
      ids,
    )
    for (const line of searches) {
      const owner = line.owner && here(line.owner)
      if (owner && !owner.hasAccount) {
        done.refused.push(ofNobody(line))
        continue
      }
      const made = await its.trx
        .insertInto('saved_searches')
        .values({
          client_id: library.clientId,
          id: ids.of(line.savedSearchId),
          user_id: owner?.id ?? null,
          key_id: null,
          name: line.name,
          search: JSON.stringify(moved(line.search, ids)),
          created_by: here(line.createdBy).id,
          created_at: line.createdAt,
          updated_at: line.updatedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made) done.made++
      else done.there++
    }
    if (done.made > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { savedSearches: done.made } })
    return done
  })

/** What it names is called here as it came. */
const moved = ({ folderId, collectionId, ...rest }: AssetSearch, ids: MovedIds): AssetSearch => ({
  ...rest,
  ...(folderId !== undefined && { folderId: ids.of(folderId) }),
  ...(collectionId !== undefined && { collectionId: ids.of(collectionId) }),
})

const ofNobody = ({ name, owner }: PortableSavedSearch) => ({
  file: `“${name}”`,
  code: 'not-found',
  detail: `It is for ${owner?.name ?? 'somebody'} alone, who has no account here. Add one with the same e-mail, then import again.`,
})
