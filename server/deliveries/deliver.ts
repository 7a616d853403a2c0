import { connectionKinds } from '../../contract/connection-kinds.ts'
import type { DeliveryStatus } from '../../contract/deliveries.ts'
import { keptUrl } from '../../contract/http-url.ts'
import { lastingCodes, type OutboundCode, shutOutCodes } from '../../contract/outbound-reasons.ts'
import { stillMay } from '../access/callers.ts'
import { assetRow } from '../assets/asset.ts'
import { openTarget, provedNotToWork, provedToWork, whatWentWrong } from '../connections/connections.ts'
import { connectionRow } from '../connections/row.ts'
import { checkedRemote } from '../connections/targets/remote.ts'
import {
  type DeliveryTarget,
  type Parcel,
  type Remote,
  TargetFault,
  Unreadable,
  type Words,
} from '../connections/targets/target.ts'
import type { JobData } from '../jobs/jobs.ts'
import {
  broughtMeanwhile,
  claimDelivery,
  claims,
  type DeliveryColumns,
  type DeliveryRow,
  type HeldDelivery,
} from '../ledger/ledger.ts'
import { type Library, makeLibrary, type Parts, system } from '../library.ts'
import { lastError, type OutboundError } from '../outbound/errors.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import { FilmInTheMaking } from '../previews/film-renditions.ts'
import { Problem } from '../problems.ts'
import { filesOf } from './files.ts'
import { sentName } from './sent-name.ts'

/**
 * Brings one delivery to its end. It may run twice and stop anywhere: before the first byte leaves, the ledger says
 * so, and a delivery of which it says so is looked for before anything is sent again.
 */
export async function deliver(parts: Parts, { clientId, deliveryId }: JobData['deliver']): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  using held = await hold(library, deliveryId)
  if (!held) return
  try {
    await attempt(parts, library, held)
  } catch (error) {
    // Whoever makes the film has this job queued again.
    if (error instanceof FilmInTheMaking) await held.write({ ...lastError(null), ...claims.givenBack })
    else await keepFailure(library, held, error)
  }
  if (held.row.status === 'done') await provedToWork(library, held.row.connection_id)
}

/** The job has failed as often as it may: what nobody can do, a person is told. */
export async function giveUp(parts: Parts, { clientId, deliveryId }: JobData['deliver']): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  using held = await hold(library, deliveryId)
  if (held) await end(held, lastStatus(held))
}

async function hold(library: Library, deliveryId: string): Promise<HeldDelivery | undefined> {
  const held = await claimDelivery(library, deliveryId)
  if (held === 'held') throw new Later('Another worker is at it.')
  return held
}

class Later extends Error {}

async function attempt(parts: Parts, library: Library, held: HeldDelivery): Promise<void> {
  if (held.row.cancel_wanted && !held.row.sent_at) return end(held, 'cancelled', null)
  const connection = await connectionRow(library.db, library, held.row.connection_id)
  const target = openTarget(parts, connection)
  const asset = await assetRow(library.db, library, held.row.asset_id)
  const words: Words = { title: asset.title, altText: asset.alt_text, description: asset.description }

  const earlier = await arrivedEarlier(library, held, target, words)
  // What went wrong says more than that it is unknown.
  if (earlier === 'cannot-tell') return end(held, 'unknown', held.row.last_error ? undefined : cannotTell)
  if (!earlier && held.row.cancel_wanted) return end(held, 'cancelled', null)

  const remote = checkedRemote(
    connection,
    earlier ?? (await sendNow(parts, library, held, target, words, connectionKinds[connection.kind].rules)),
  )
  if (held.row.remote_id !== remote.remoteId)
    await held.write({ remote_id: remote.remoteId, remote_url: remote.remoteUrl })
  await describe(held, target, remote, words)
}

/** Where a sending that began before this attempt ended up; undefined when it is sure that nothing is there. */
async function arrivedEarlier(
  library: Library,
  held: HeldDelivery,
  target: DeliveryTarget,
  words: Words,
): Promise<Remote | 'cannot-tell' | undefined> {
  const { row } = held
  if (!row.sent_at) return undefined
  if (row.remote_id) return { remoteId: row.remote_id, remoteUrl: row.remote_url }
  const found = await target.look(await parcelOf(library, row, words)).catch((error) => {
    if (row.cancel_wanted) return 'cannot-tell' as const
    throw error
  })
  if (typeof found === 'object') return found
  const mayStillArrive = row.look_after !== null && row.look_after > new Date()
  // Whoever cancels is told at once how it stands.
  if (mayStillArrive && !row.cancel_wanted) throw new Later('The target may still be busy with it.')
  if (mayStillArrive || found === 'cannot-tell') return 'cannot-tell'
  if (found === 'begin-anew') await held.write({ steps: '{}' })
  return undefined
}

async function sendNow(
  { config }: Parts,
  library: Library,
  held: HeldDelivery,
  target: DeliveryTarget,
  words: Words,
  rules: string | undefined,
): Promise<Remote> {
  await held.write({ status: 'preparing', sent_at: null, look_after: null })
  await refuseWithoutRights(library, held.row.asked_by)
  const files = await filesOf(library, config.publicUrl, held.row, rules)
  const resumes = Object.keys(held.row.steps).length > 0
  const before = (await target.prepare?.()) ?? {}

  held.signal.throwIfAborted()
  await held.write({
    status: 'sending',
    sent_at: new Date(),
    look_after: until(target.settleSeconds),
    filename: held.row.filename ?? sentName(words.title, held.row.mark, files[0].mimeType),
    sent_bytes: 0,
    total_bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    steps: JSON.stringify({ ...held.row.steps, ...before }),
  })
  const parcel = await parcelOf(library, held.row, words)
  try {
    return await target.send(parcel, files, {
      signal: held.signal,
      sent: held.sent,
      remember: async (steps) => {
        await held.write({ steps: JSON.stringify(steps) })
      },
    })
  } catch (error) {
    await held.write(whatIsKnownAfter(error, target))
    // What an earlier attempt began may have run out since.
    if (resumes && isRefusal(error)) throw new Later('It is begun anew.')
    if (!(error instanceof Unreadable)) throw error
    const found = await target.look({ ...parcel, steps: held.row.steps })
    if (typeof found !== 'object') throw error
    return found
  }
}

/** Whoever asked may have lost the right to, since. */
async function refuseWithoutRights(library: Library, askedBy: string): Promise<void> {
  if (await stillMay(library, askedBy, 'deliveries:write')) return
  throw new TargetFault(
    'refused',
    'asker-may-not',
    'Whoever asked for it may no longer deliver for this client. Try again.',
  )
}

const until = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** It is there; words that could not be set, for whatever reason, are told and change nothing about that. */
async function describe(
  held: HeldDelivery,
  target: DeliveryTarget,
  remote: Remote,
  words: Words,
): Promise<void> {
  let [described, error]: [Remote, OutboundError | null] = [remote, null]
  try {
    described = (await target.describe?.(remote, words)) ?? remote
  } catch (fault) {
    const { text, reason } = reasonOf(fault)
    error = {
      text: `It is there, but its words could not be set. ${text}`,
      reason: { code: 'words-not-set', values: reason.values },
    }
  }
  await end(held, 'done', error, { remote_url: keptUrl(described.remoteUrl) })
}

/** A refusal, theirs or our own, ends the delivery, and so does an answer that nobody understands; all else is tried again, later and later. */
async function keepFailure(library: Library, held: HeldDelivery, error: unknown): Promise<void> {
  const final = isRefusal(error) || error instanceof Unreadable || isGone(error) || isLasting(error)
  if (final) {
    const wrong = whatWentWrong(error)
    await end(held, lastStatus(held), wrong)
    if (shutOutCodes.includes(wrong.reason.code))
      await provedNotToWork(library, held.row.connection_id, wrong)
    return
  }
  const why = error instanceof Later ? {} : lastError(reasonOf(error))
  // The next attempt need not wait for the claim to run out.
  await held.write({ ...why, ...claims.givenBack }).catch(() => {})
  throw error
}

/** What is there is done, whatever went wrong after; what may have arrived is not called failed. */
const lastStatus = ({ row }: HeldDelivery): DeliveryStatus =>
  row.remote_id ? 'done' : row.sent_at ? 'unknown' : 'failed'

const end = async (
  held: HeldDelivery,
  status: DeliveryStatus,
  error?: OutboundError | null,
  more: object = {},
): Promise<void> => {
  await held.write({
    status,
    ...(error !== undefined && lastError(error)),
    cancel_wanted: false,
    // What a finished delivery says of its bytes is the whole of them.
    ...(status === 'done' && { sent_bytes: held.row.total_bytes ?? 0 }),
    ...more,
    ...claims.givenBack,
  })
}

const parcelOf = async (library: Library, row: DeliveryRow, words: Words): Promise<Parcel> => ({
  mark: row.mark,
  filename: row.filename!,
  words,
  text: row.post_text ?? '',
  steps: row.steps,
  sentAt: row.sent_at!,
  sizeBytes: row.total_bytes ?? 0,
  others: await broughtMeanwhile(library, row),
})

const isRefusal = (error: unknown) => error instanceof TargetFault && error.fault === 'refused'

const nothingSent = { sent_at: null, look_after: null } as const

/** What a sending that failed leaves behind there. What was begun and is refused is not gone on with. */
function whatIsKnownAfter(error: unknown, target: DeliveryTarget): DeliveryColumns {
  const fault = error instanceof TargetFault ? error.fault : undefined
  if (isRefusal(error)) return { ...nothingSent, steps: '{}' }
  if (fault === 'busy' || (error instanceof OutboundFailure && error.reached !== 'all')) return nothingSent
  return { look_after: fault === 'ended' ? null : until(target.settleSeconds) }
}

/** The connection, the asset or its file is no more. */
const isGone = (error: unknown) => error instanceof Problem && error.status < 500

/** We do not call such an address. */
const isLasting = (error: unknown) =>
  (error instanceof OutboundFailure || error instanceof TargetFault) &&
  lastingCodes.includes(error.reason.code)

function reasonOf(error: unknown): OutboundError {
  try {
    return whatWentWrong(error)
  } catch {
    return ours('our-fault', 'Something went wrong on our side.')
  }
}

const ours = (code: OutboundCode, text: string): OutboundError => ({ text, reason: { code, values: {} } })

const cannotTell = ours(
  'cannot-tell',
  'It was sent, and it cannot be told whether it arrived. Look there, then settle it.',
)
