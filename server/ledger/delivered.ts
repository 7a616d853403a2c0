import type { RefRefusal } from '../../contract/references.ts'
import type { Library } from '../library.ts'
import { showsAsset } from './ledger.ts'

const mostListed = 50

/** Where an asset was delivered to, or may have been. */
export const whereDelivered = (
  library: Library,
  assetId: string,
): Promise<NonNullable<RefRefusal['deliveries']>> =>
  library.db
    .selectFrom('deliveries')
    .select([
      'id as deliveryId',
      'connection_id as connectionId',
      'remote_id as remoteId',
      'remote_url as remoteUrl',
    ])
    .where('client_id', '=', library.clientId)
    .where(showsAsset(assetId))
    .where('status', 'in', ['done', 'unknown'])
    .orderBy('created_at')
    .limit(mostListed)
    .execute()
