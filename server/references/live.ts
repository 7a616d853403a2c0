import type { RefRefusal } from '../../contract/references.ts'
import type { Library } from '../library.ts'
import { liveUses } from './use.ts'

const mostListed = 50

/** Where an asset is to be seen, or soon will be: for whoever has to take it away. */
export async function whereLive(
  library: Library,
  assetId: string,
): Promise<Required<Pick<RefRefusal, 'uses' | 'deliveries'>>> {
  const deliveries = await library.db
    .selectFrom('deliveries')
    .select([
      'id as deliveryId',
      'connection_id as connectionId',
      'remote_id as remoteId',
      'remote_url as remoteUrl',
    ])
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', assetId)
    .where('status', 'in', ['done', 'unknown'])
    .orderBy('created_at')
    .limit(mostListed)
    .execute()
  return { uses: await liveUses(library.db, library, assetId), deliveries }
}
