import { forgetOldAttempts } from './access/throttle.ts'
import { deliver, giveUp } from './deliveries/deliver.ts'
import type { JobHandlers } from './jobs/jobs.ts'
import { libraryOf, type Parts, system } from './library.ts'
import { makeMedia } from './previews/make-media.ts'
import { requeueLost } from './requeue.ts'
import { purgeTrash } from './trash/purge.ts'
import { addChecksums } from './uploads/checksum.ts'
import { removeBelow, sweepUploads } from './uploads/sweep.ts'

/** What each kind of job does. */
export const jobHandlers = (parts: Parts): JobHandlers => ({
  sweep: () => allOf([() => requeueLost(parts), () => sweep(parts)]),
  purge: () => allOf([() => purgeTrash(parts), () => forgetOld(parts)]),
  media: (data, attempt) => makeMedia(parts, data, attempt),
  checksum: (data, attempt) => addChecksums(parts, data, attempt),
  deliver: (data) => deliver(parts, data),
  'delivery-failed': (data) => giveUp(parts, data),
  'remove-objects': async ({ clientId, prefix }) => {
    await removeBelow(libraryOf(parts, clientId, system), prefix)
  },
})

async function sweep(parts: Parts): Promise<void> {
  const { objects, bytes } = await sweepUploads(parts)
  parts.metrics.sweptObjects.inc(objects)
  parts.metrics.sweptBytes.inc(bytes)
}

/** What fails does not keep the rest from being done. */
async function allOf(works: (() => Promise<unknown>)[]): Promise<void> {
  const failures: Error[] = []
  for (const work of works) await work().catch((error) => failures.push(error))
  const [first, ...more] = failures
  if (first) throw more.length === 0 ? first : new AggregateError(failures, first.message)
}

const day = 86_400_000

/** Rows that have served their time. */
async function forgetOld(parts: Parts): Promise<void> {
  const { db } = parts
  await forgetOldAttempts(db)
  await db.deleteFrom('login_sessions').where('expires_at', '<', new Date()).execute()
  await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', new Date(Date.now() - day))
    .execute()
  await db
    .deleteFrom('events')
    .where('created_at', '<', new Date(Date.now() - 30 * day))
    .execute()
  await db
    .deleteFrom('pull_grants')
    .where('expires_at', '<', new Date(Date.now() - 30 * day))
    .execute()
  await db
    .deleteFrom('mcp_subscriptions')
    .where('touched_at', '<', new Date(Date.now() - day))
    .execute()
  // A finalized session stays: repeating its finalization must find its asset.
  await db
    .deleteFrom('upload_sessions')
    .where('swept', '=', true)
    .where('status', '!=', 'finalized')
    .where('created_at', '<', new Date(Date.now() - 30 * day))
    .execute()
}
