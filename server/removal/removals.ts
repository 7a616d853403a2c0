import type { Selectable } from 'kysely'
import type { ClientRemoval, ClientRemovals } from '../../contract/clients.ts'
import type { Reader } from '../db/database.ts'
import type { ClientRemovalsTable } from '../db/schema.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { JobData } from '../jobs/jobs.ts'

export type Removal = Selectable<ClientRemovalsTable>

/** The newest first; of one client if it is named. */
export async function listRemovals(db: Reader, clientId?: string): Promise<ClientRemovals> {
  const rows = await db
    .selectFrom('client_removals')
    .selectAll()
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId!))
    .orderBy('asked_at', 'desc')
    .limit(mostListed)
    .execute()
  return { removals: rows.map(toRemoval) }
}

const mostListed = 200

/** Those under way that no job is at. */
export const lostRemovals = (db: Reader): Promise<JobData['remove-client'][]> =>
  db
    .selectFrom('client_removals')
    .select('client_id as clientId')
    .where('finished_at', 'is', null)
    .where(jobIsGone(['remove-client'], { clientId: 'client_removals.client_id' }))
    .limit(500)
    .execute()

export const toRemoval = (row: Removal): ClientRemoval => ({
  clientId: row.client_id,
  askedAt: row.asked_at.toISOString(),
  askedBy: row.asked_by,
  finishedAt: row.finished_at?.toISOString() ?? null,
  storedBytes: row.stored_bytes,
  rows: row.rows,
  objects: row.objects,
  objectBytes: row.object_bytes,
})
