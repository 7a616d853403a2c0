import type { Selectable } from 'kysely'
import type { Reader } from '../db/database.ts'
import type { ConnectionsTable } from '../db/schema.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'

export type ConnectionRow = Selectable<ConnectionsTable>

export async function connectionRow(
  db: Reader,
  library: Library,
  connectionId: string,
): Promise<ConnectionRow> {
  const row = await connectionRows(db, library)
    .where('id', '=', knownId('connection', connectionId))
    .executeTakeFirst()
  if (!row) throw notFound('No connection')
  return row
}

export const connectionRows = (db: Reader, library: Pick<Library, 'clientId'>) =>
  db
    .selectFrom('connections')
    .selectAll()
    .where('client_id', '=', library.clientId)
    .where('removed_at', 'is', null)
