import { type Selectable, sql } from 'kysely'
import { nameKey } from '../../contract/folding.ts'
import {
  mostSavedSearches,
  type NewSavedSearch,
  type SavedSearch,
  type SavedSearchChange,
  type SavedSearches,
} from '../../contract/saved-searches.ts'
import type { AssetSearch } from '../../contract/search.ts'
import { refuseElsewhere } from '../assets/orders.ts'
import type { Reader, Trx } from '../db/database.ts'
import type { SavedSearchesTable } from '../db/schema.ts'
import { knownId, newId } from '../ids.ts'
import { change, changeOnce, type Library } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { goneFrom } from './gone.ts'

type Row = Selectable<SavedSearchesTable>

/** One's own, and those of the client. */
export async function listSavedSearches(library: Library): Promise<SavedSearches> {
  const rows = await seen(library.db, library).orderBy(sql`lower(name)`).orderBy('id').execute()
  return { savedSearches: await toRecords(library.db, library, rows) }
}

/** What was saved under an id that the caller sees. */
export async function savedSearchById(library: Library, savedSearchId: string): Promise<AssetSearch> {
  const row = await seen(library.db, library)
    .where('id', '=', knownId('search', savedSearchId))
    .executeTakeFirst()
  if (!row) throw notFound('No saved search')
  return row.search
}

export async function saveSearch(library: Library, input: NewSavedSearch): Promise<SavedSearch> {
  const owner = ownerOf(library, input.for ?? 'me')
  const name = input.name.trim()
  refuseElsewhere(input.search)
  return changeOnce(library, async (its) => {
    const there = await searchesOf(its.trx, library, owner)
    refuseTooMany(there)
    refuseTaken(there, name)
    const row = await its.trx
      .insertInto('saved_searches')
      .values({
        client_id: library.clientId,
        id: newId('search'),
        ...owner,
        name,
        search: JSON.stringify(input.search),
        created_by: library.caller.id,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    its.note({ action: 'saved-search.created', thing: row.id, name: row.name })
    return toRecord(its.trx, library, row)
  })
}

export const changeSavedSearch = (
  library: Library,
  savedSearchId: string,
  input: SavedSearchChange,
): Promise<SavedSearch> =>
  change(library, async (its) => {
    const before = await heldSearch(its.trx, library, savedSearchId)
    const owner = input.for ? ownerOf(library, input.for) : before
    const name = input.name?.trim() ?? before.name
    if (input.search) refuseElsewhere(input.search)
    const moves = input.for !== undefined && isShared(before) !== (input.for === 'client')
    if (moves || name !== before.name) {
      const there = await searchesOf(its.trx, library, owner)
      if (moves) refuseTooMany(there)
      refuseTaken(
        there.filter(({ id }) => id !== before.id),
        name,
      )
    }
    const row = await its.trx
      .updateTable('saved_searches')
      .set({
        user_id: owner.user_id,
        key_id: owner.key_id,
        name,
        ...(input.search && { search: JSON.stringify(input.search) }),
        updated_at: new Date(),
      })
      .where('client_id', '=', library.clientId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    its.note({ action: 'saved-search.updated', thing: row.id, name: row.name })
    return toRecord(its.trx, library, row)
  })

export const deleteSavedSearch = (library: Library, savedSearchId: string): Promise<SavedSearch> =>
  change(library, async (its) => {
    const row = await heldSearch(its.trx, library, savedSearchId)
    await its.trx
      .deleteFrom('saved_searches')
      .where('client_id', '=', library.clientId)
      .where('id', '=', row.id)
      .execute()
    its.note({ action: 'saved-search.deleted', thing: row.id, name: row.name })
    return toRecord(its.trx, library, row)
  })

const nobodys = { user_id: null, key_id: null }

/** Whose it is to be. What all see, only who may change assets may say. */
function ownerOf({ caller }: Library, wanted: SavedSearch['for']) {
  if (wanted === 'me')
    return caller.kind === 'key' ? { ...nobodys, key_id: caller.id } : { ...nobodys, user_id: caller.id }
  if (!caller.permissions.has('assets:write')) throw notForAll()
  return nobodys
}

const seen = (db: Reader, { clientId, caller }: Library) =>
  db
    .selectFrom('saved_searches')
    .selectAll()
    .where('client_id', '=', clientId)
    .where(sql<boolean>`coalesce(user_id, key_id, ${caller.id}) = ${caller.id}`)

async function heldSearch(trx: Trx, library: Library, savedSearchId: string): Promise<Row> {
  const row = await seen(trx, library)
    .where('id', '=', knownId('search', savedSearchId))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('No saved search')
  if (!mayChange(library, row)) throw notYours()
  return row
}

/** What all find belongs to whoever made it and to the operators: nobody else takes it from everybody. */
function mayChange({ caller }: Library, row: Row): boolean {
  if (!isShared(row)) return true
  if (!caller.permissions.has('assets:write')) return false
  return row.created_by === caller.id || (caller.kind === 'user' && caller.clientId === null)
}

const isShared = ({ user_id, key_id }: Row) => user_id === null && key_id === null

/** All of one owner: a person, a key, or the client. Nobody adds or renames one in this client until the transaction ends. */
async function searchesOf(
  trx: Trx,
  { clientId }: Library,
  { user_id, key_id }: Pick<Row, 'user_id' | 'key_id'>,
) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved searches ${clientId}`}, 0))`.execute(trx)
  return trx
    .selectFrom('saved_searches')
    .select(['id', 'name'])
    .where('client_id', '=', clientId)
    .where(
      sql<boolean>`user_id is not distinct from ${user_id}::text and key_id is not distinct from ${key_id}::text`,
    )
    .execute()
}

function refuseTooMany(there: unknown[]): void {
  if (there.length >= mostSavedSearches)
    throw new Problem('too-many-searches', `There are ${mostSavedSearches} saved searches. Delete one first.`)
}

/** Those of before, or of another library, may have the same name. */
function refuseTaken(there: Pick<Row, 'name'>[], name: string): void {
  if (there.some((other) => nameKey(other.name) === nameKey(name)))
    throw new Problem(
      'search-name-taken',
      `There is a saved search "${name}" already. Choose another name.`,
      {
        extra: { params: { name } },
      },
    )
}

const notForAll = () =>
  new Problem('forbidden', 'What all who see the client find here takes the permission assets:write.')

const notYours = () =>
  new Problem(
    'forbidden',
    'Only whoever made it and the operators may change or delete what all find here. Save one of your own instead.',
  )

const toRecord = async (db: Reader, library: Library, row: Row) => (await toRecords(db, library, [row]))[0]!

async function toRecords(db: Reader, library: Library, rows: Row[]): Promise<SavedSearch[]> {
  const gone = await goneFrom(
    db,
    library,
    rows.map(({ search }) => search),
  )
  return rows.map((row, at) => ({
    savedSearchId: row.id,
    name: row.name,
    search: row.search,
    for: isShared(row) ? 'client' : 'me',
    gone: gone[at]!,
    mayChange: mayChange(library, row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
}
