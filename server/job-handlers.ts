import { sendResetLink } from './access/forgotten.ts'
import { forgetOldLinks } from './access/links.ts'
import { forgetOldSteps } from './access/second-factor/steps.ts'
import { forgetEndedSessions } from './access/sessions.ts'
import { forgetOldAttempts } from './access/throttle.ts'
import { forgetOldAgents } from './agent-sign-in/agents.ts'
import { forgetUnusedApps } from './agent-sign-in/registration.ts'
import { forgetSilentAgents } from './agents/agents.ts'
import { versionIfThere } from './assets/asset.ts'
import { forgetOldBatches, runBatchJob } from './assets/batches.ts'
import { forgetOldLooks } from './assets/looks.ts'
import { forgetOldAnswers } from './changes/idempotency.ts'
import { forgetDeletedCollections } from './collections/collections.ts'
import { renewDue } from './connections/renew-due.ts'
import { forgetOldSignIns } from './connections/sign-in/pending.ts'
import { withdraw } from './connections/sign-in/withdraw.ts'
import { deliver, giveUp } from './deliveries/deliver.ts'
import { forgetOldGrants } from './deliveries/pull-grants.ts'
import { goOnDelivering } from './deliveries/waiting-for-film.ts'
import { forgetOldDownloads } from './downloads/selection-archive.ts'
import { forgetOldEvents } from './events/stream.ts'
import { allOf } from './jobs/all-of.ts'
import type { JobData, JobHandlers } from './jobs/jobs.ts'
import { makeLibrary, type Parts, system } from './library.ts'
import { sendQueued } from './mail/queue.ts'
import { forgetIdleSubscriptions } from './mcp/subscriptions.ts'
import { sendDigests } from './notifications/digest.ts'
import { forgetOldNotifications } from './notifications/notifications.ts'
import { forgetOldPickerTokens } from './picker/tokens.ts'
import { makeFilm } from './previews/film-renditions.ts'
import { guessFocalPoints } from './previews/focal-guesses.ts'
import { makeMedia } from './previews/make-media.ts'
import { makeProxy } from './previews/proxies.ts'
import { checkSignature, readEvidence } from './previews/read-evidence.ts'
import { queueReading, readBacklog, readText } from './previews/read-text.ts'
import { finishRemoval, removeLateUploads } from './removal/finish-removal.ts'
import { requeueLost } from './requeue.ts'
import { forgetOldShareLinks } from './shares/share-links.ts'
import { forgetOldSuggestions, runSuggestions, suggestForUpload } from './suggestions/runs.ts'
import { purgeTrash } from './trash/purge.ts'
import { forgetOldUploadRequests } from './upload-requests/upload-requests.ts'
import { addChecksums } from './uploads/checksum.ts'
import { forgetSweptSessions, removeBelow, sweepUploads } from './uploads/sweep.ts'
import { forgetOldWebhookAttempts } from './webhooks/attempts.ts'
import { forgetEndedSecrets } from './webhooks/webhooks.ts'

/** What each kind of job does. */
export const jobHandlers = (parts: Parts): JobHandlers => ({
  sweep: () => allOf([() => requeueLost(parts), () => sweep(parts), () => removeLateUploads(parts)]),
  purge: () =>
    allOf([
      () => purgeTrash(parts),
      () => forgetOldAttempts(parts.db),
      () => forgetSilentAgents(parts.db),
      () => forgetOldLooks(parts.db),
      () => forgetEndedSessions(parts.db),
      () => forgetOldPickerTokens(parts.db),
      () => forgetOldAgents(parts.db),
      () => forgetUnusedApps(parts.db),
      () => forgetOldLinks(parts.db),
      () => forgetOldSteps(parts.db),
      () => forgetOldAnswers(parts.db),
      () => forgetOldEvents(parts.db),
      () => forgetOldGrants(parts.db),
      () => forgetOldDownloads(parts.db),
      () => forgetOldBatches(parts.db),
      () => forgetOldSuggestions(parts.db),
      () => forgetOldShareLinks(parts.db),
      () => forgetDeletedCollections(parts.db),
      () => forgetOldUploadRequests(parts.db),
      () => forgetOldSignIns(parts.db),
      () => forgetIdleSubscriptions(parts.db),
      () => forgetSweptSessions(parts.db),
      () => forgetOldNotifications(parts.db),
      () => forgetOldWebhookAttempts(parts.db),
      () => forgetEndedSecrets(parts.db),
    ]),
  renew: () => renewDue(parts),
  digest: () => sendDigests(parts),
  focal: () => allOf([() => guessFocalPoints(parts), () => readEvidence(parts)]),
  'ocr-backlog': () => readBacklog(parts),
  media: (data, attempt) =>
    onVersion(parts, data, async () => {
      await makeMedia(parts, data, attempt)
      await queueReading(parts, data)
      await suggestForUpload(parts, data)
    }),
  ocr: (data) => onVersion(parts, data, () => readText(parts, data)),
  proxy: (data, attempt) => onVersion(parts, data, () => makeProxy(parts, data, attempt)),
  film: (data, attempt) =>
    onVersion(parts, data, () => makeFilm(parts, data, attempt)).finally(() => goOnDelivering(parts, data)),
  checksum: (data, attempt) =>
    onVersion(parts, data, async () => {
      await checkSignature(parts, data)
      await addChecksums(parts, data, attempt)
    }),
  batch: (data) => runBatchJob(parts, data),
  suggest: (data, attempt) => runSuggestions(parts, data, attempt),
  deliver: (data) => deliver(parts, data),
  'delivery-failed': (data) => giveUp(parts, data),
  withdraw: (data) => withdraw(parts, data),
  forgotten: (data) => sendResetLink(parts, data),
  mail: (data) => sendQueued(parts, data),
  'remove-client': (data) => finishRemoval(parts, data),
  'remove-objects': async ({ clientId, prefix }) => {
    await removeBelow(makeLibrary(parts, clientId, system), prefix)
  },
})

/** Whatever fails because the version was purged meanwhile is no failure. */
async function onVersion(
  parts: Parts,
  { clientId, assetId, version }: JobData['media'],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (await versionIfThere(parts.db, makeLibrary(parts, clientId, system), assetId, version)) throw error
  }
}

async function sweep(parts: Parts): Promise<void> {
  const { objects, bytes } = await sweepUploads(parts)
  parts.metrics.sweptObjects.inc(objects)
  parts.metrics.sweptBytes.inc(bytes)
}
