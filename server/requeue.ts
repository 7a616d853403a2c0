import { lostBatches } from './assets/batches.ts'
import { lostChecksums, lostMedia, lostProxies } from './assets/lost-work.ts'
import type { JobData, JobName } from './jobs/jobs.ts'
import { lostDeliveries } from './ledger/lost-deliveries.ts'
import { change, makeLibrary, type Parts, system } from './library.ts'
import { lostRemovals } from './removal/removals.ts'
import { lostRuns } from './suggestions/runs.ts'

/**
 * Gives a new job to whatever waits for one that is gone: given up in an outage that outlasted every attempt, or lost
 * with an older copy of the database. Says how many.
 */
export const requeueLost = async (parts: Parts): Promise<number> =>
  (await requeue(parts, 'media', () => lostMedia(parts.db))) +
  (await requeue(parts, 'proxy', () => lostProxies(parts.db))) +
  (await requeue(parts, 'checksum', () => lostChecksums(parts.db))) +
  (await requeue(parts, 'deliver', () => lostDeliveries(parts.db))) +
  (await requeue(parts, 'batch', () => lostBatches(parts.db))) +
  (await requeue(parts, 'suggest', () => lostRuns(parts.db))) +
  (await requeue(parts, 'remove-client', () => lostRemovals(parts.db)))

/** How many there are now, as far as one look goes. */
export const countLost = async ({ db }: Parts): Promise<number> =>
  (await lostMedia(db)).length +
  (await lostProxies(db)).length +
  (await lostChecksums(db)).length +
  (await lostDeliveries(db)).length +
  (await lostBatches(db)).length +
  (await lostRuns(db)).length +
  (await lostRemovals(db)).length

async function requeue<Name extends JobName>(
  parts: Parts,
  name: Name,
  lost: () => Promise<(JobData[Name] & { clientId: string })[]>,
): Promise<number> {
  let queued = 0
  for (let page = 0; page < mostPages; page++) {
    const some = await lost()
    if (some.length === 0) break
    for (const [clientId, its] of Map.groupBy(some, (data) => data.clientId)) {
      const library = makeLibrary(parts, clientId, system)
      await change(library, async ({ trx }) => {
        for (const data of its) await library.jobs.send(trx, name, data)
      })
      queued += its.length
    }
  }
  return queued
}

// What is left, the next sweep finds.
const mostPages = 200
