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
export const lostMedia = (db: Reader, within: Within = {}): Promise<JobData['media'][]> =>
  assetsWithout(db, 'media', within).where('media_state', '=', 'pending').execute()

/** Films that wait for a copy that browsers play while no job is there to make it. */
export const lostProxies = (db: Reader, within: Within = {}): Promise<JobData['proxy'][]> =>
  assetsWithout(db, 'proxy', within).where('proxy_state', '=', 'waiting').execute()

const assetsWithout = (db: Reader, job: 'media' | 'proxy', { clientId, assetId }: Within) =>
  db
    .selectFrom('assets')
    .select(['client_id as clientId', 'id as assetId', 'version'])
    .where(
      jobIsGone([job], { clientId: 'assets.client_id', assetId: 'assets.id', version: 'assets.version' }),
    )
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId!))
    .$if(assetId !== undefined, (query) => query.where('id', '=', assetId!))
    .orderBy('client_id')
    .limit(most)

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
