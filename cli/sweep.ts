import { libraryToCheck } from '../server/check/check.ts'
import { removeOrphans } from '../server/check/sweep.ts'
import { countLost, requeueLost } from '../server/requeue.ts'
import { sweepUploads, wouldSweep } from '../server/uploads/sweep.ts'
import { allClients } from './client.ts'
import { type Command, readableBytes, wholeNumber } from './command.ts'
import { withParts } from './open-parts.ts'

const day = 86_400

export const command: Command = {
  summary: 'Remove what uploads left behind and what no row knows of.',
  explain:
    'Ends uploads whose time is over and clears their bytes, as the server does every five minutes; queues\nanew what waits for a job that is gone; then removes orphans (see asset-library check). Objects of clients that the database does not know are never touched:\nwith the wrong DATABASE_URL those would be all.',
  options: {
    'dry-run': { explain: 'Only say what would be removed.' },
    grace: {
      value: 'SECONDS',
      explain: `Leave alone objects without a row that are younger. Default: ${day}, a day.`,
    },
  },
  run: (given) =>
    withParts(async (parts) => {
      const dryRun = given.flag('dry-run')
      const grace = (wholeNumber(given, 'grace') ?? day) * 1000
      const would = dryRun ? await wouldSweep(parts) : undefined
      const { expired, swept, objects, bytes } = would ?? (await sweepUploads(parts))
      const uploads = { expired, swept, objects, bytes }
      const jobs = dryRun ? await countLost(parts) : await requeueLost(parts)
      const orphans = { objects: 0, bytes: 0 }
      for (const { clientId } of await allClients(parts.db)) {
        const removed = await removeOrphans(libraryToCheck(parts, clientId), { grace, dryRun: would })
        orphans.objects += removed.objects
        orphans.bytes += removed.bytes
      }
      const be = dryRun ? 'would be ' : ''
      return {
        lines: [
          `uploads: ${expired} ${be}expired, ${swept} ${be}done with; ${objects} objects, ${readableBytes(bytes)} ${be}removed`,
          `orphans: ${orphans.objects} objects, ${readableBytes(orphans.bytes)} ${be}removed`,
          `jobs: ${jobs} ${be}queued anew`,
        ],
        json: { dryRun, uploads, orphans, jobs },
      }
    }),
}
