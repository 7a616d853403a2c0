import type { Db } from '../db/database.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound } from '../problems.ts'

/** For a client named elsewhere than in the path: it must be there and visible to the caller. */
export async function visibleClient(db: Db, caller: Caller, clientId: string): Promise<string> {
  if (!isId('client', clientId)) throw notFound()
  const found = await db
    .selectFrom('client_counters')
    .select('client_id as id')
    .where('client_id', '=', clientId)
    .$if(!caller.allClients, (query) => query.where('client_id', 'in', clientsOf(db, caller)))
    .executeTakeFirst()
  if (!found) throw notFound()
  return found.id
}

export const namedClientsOf = (db: Db, caller: Caller) =>
  db
    .selectFrom('clients')
    .select(['id as clientId', 'name'])
    .where('id', 'in', clientsOf(db, caller))
    .orderBy('id')
    .execute()

/** The clients named for a caller who does not see all. */
export const clientsOf = (db: Db, caller: Caller) =>
  caller.kind === 'key'
    ? db.selectFrom('api_key_clients').select('client_id').where('key_id', '=', caller.id)
    : db.selectFrom('user_clients').select('client_id').where('user_id', '=', caller.id)
