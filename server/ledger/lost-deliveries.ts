import { openStatuses } from '../../contract/deliveries.ts'
import type { Reader } from '../db/database.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { JobData } from '../jobs/jobs.ts'
import { claims } from './ledger.ts'

/** Deliveries that have not come to their end, and that no job and no worker is at. */
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
    .orderBy('client_id')
    .limit(500)
    .execute()
