import { sql } from 'kysely'
import { openStatuses } from '../../contract/deliveries.ts'
import type { Reader } from '../db/database.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { JobData } from '../jobs/jobs.ts'
import { claims, waitsForFilm } from './ledger.ts'

/** Deliveries that have not come to their end, and that no job and no worker is at, nor at the film they wait for. */
export const lostDeliveries = (db: Reader): Promise<JobData['deliver'][]> =>
  db
    .selectFrom('deliveries')
    .select(['client_id as clientId', 'id as deliveryId'])
    .where('status', 'in', openStatuses)
    .where(claims.isFree)
    .where(
      jobIsGone(['deliver', 'delivery-failed'], {
        clientId: 'deliveries.client_id',
        deliveryId: 'deliveries.id',
      }),
    )
    .where(
      sql<boolean>`not exists (select 1 from jobs.job as job where job.name = 'film' and job.state < 'completed'
        and job.data ->> 'clientId' = deliveries.client_id and ${waitsForFilm(sql`job.data ->> 'name'`)})`,
    )
    .orderBy('client_id')
    .limit(500)
    .execute()
