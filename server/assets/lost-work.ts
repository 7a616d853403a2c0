import { sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { JobData } from '../jobs/jobs.ts'

/** Of all clients, of one, or of one asset. */
export interface Within {
  clientId?: string
  assetId?: string
}

/** Said of a file that its checksum cannot be taken: from then on it waits for a person, and for no job. */
export const cannotBeRead =
  'The stored file cannot be read whole, so its checksum is not known. Try again, or upload it again.'

const most = 500

/** Assets that wait for their previews while no job is there to make them. */
export const lostMedia = (db: Reader, { clientId, assetId }: Within = {}): Promise<JobData['media'][]> =>
  db
    .selectFrom('assets')
    .select(['client_id as clientId', 'id as assetId', 'version'])
    .where('media_state', '=', 'pending')
    .where(
      jobIsGone(['media'], { clientId: 'assets.client_id', assetId: 'assets.id', version: 'assets.version' }),
    )
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId!))
    .$if(assetId !== undefined, (query) => query.where('id', '=', assetId!))
    .orderBy('client_id')
    .limit(most)
    .execute()

/** Films that wait for a copy that browsers play while no job is there to make it. */
export const lostProxies = (db: Reader, { clientId, assetId }: Within = {}): Promise<JobData['proxy'][]> =>
  db
    .selectFrom('assets')
    .select(['client_id as clientId', 'id as assetId', 'version'])
    .where('proxy_state', '=', 'waiting')
    .where(
      jobIsGone(['proxy'], { clientId: 'assets.client_id', assetId: 'assets.id', version: 'assets.version' }),
    )
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId!))
    .$if(assetId !== undefined, (query) => query.where('id', '=', assetId!))
    .orderBy('client_id')
    .limit(most)
    .execute()

/** Where a version's row holds what its checksum job carries. */
export const checksumData = {
  clientId: 'asset_versions.client_id',
  assetId: 'asset_versions.asset_id',
  version: 'asset_versions.version',
}

/** Versions whose checksum is not known while no job is there to take it. */
export const lostChecksums = (
  db: Reader,
  { clientId, assetId }: Within = {},
): Promise<JobData['checksum'][]> =>
  db
    .selectFrom('asset_versions')
    .select(['client_id as clientId', 'asset_id as assetId', 'version'])
    .where('sha256', 'is', null)
    .where(sql<boolean>`media_problem is distinct from ${cannotBeRead}`)
    .where(jobIsGone(['checksum'], checksumData))
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId!))
    .$if(assetId !== undefined, (query) => query.where('asset_id', '=', assetId!))
    .orderBy('client_id')
    .limit(most)
    .execute()
