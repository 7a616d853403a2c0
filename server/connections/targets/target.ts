import type { Readable } from 'node:stream'
import { vendors } from '../../../contract/connection-kinds.ts'
import type { Answerer, OutboundCode, OutboundReason } from '../../../contract/outbound-reasons.ts'
import type { ByteRange } from '../../storage/storage.ts'

/** One client's account at another system, where files can be put. */
export interface DeliveryTarget {
  /** How long after a cut line it may still be busy with what it has received. */
  settleSeconds: number
  /** Throws when nothing could be delivered now. Changes nothing there. */
  check(): Promise<void>
  /** What must be known before anything is sent, to tell afterwards what is new there. Kept as steps. */
  prepare?(): Promise<Record<string, unknown>>
  /**
   * Whether an earlier sending of this parcel arrived, though we did not hear of it. `not-there` only if it would have
   * been seen; `begin-anew` if, besides, what was begun there cannot be gone on with.
   */
  look(parcel: Parcel): Promise<Remote | 'not-there' | 'begin-anew' | 'cannot-tell'>
  /**
   * Puts the file there, or the files of a post. Done twice, it makes two: whoever calls has looked first. A refusal says that nothing is
   * there, so once it is there nothing more is asked for here.
   */
  send(parcel: Parcel, files: Files, line: Line): Promise<Remote>
  /** Gives what is there its words, and reads it back. Done twice, it does the same. */
  describe?(remote: Remote, words: Words): Promise<Remote>
  /** Done when it is gone, whoever took it away. What is there and does not show that it is ours stays there. */
  remove?(remoteId: string, brought: Pick<Parcel, 'mark' | 'steps'>): Promise<void>
}

export interface Parcel {
  /** Ours alone, the same for every attempt: how the other system's copy is found again. */
  mark: string
  filename: string
  words: Words
  /** What a post says. */
  text: string
  /** What the other system told us on the way, in this attempt or an earlier one. */
  steps: Record<string, unknown>
  sentAt: Date
  sizeBytes: number
  /** What else was brought there meanwhile. */
  others: { mark: string; remoteId: string | null }[]
}

export interface Words {
  title: string
  altText: string
  description: string
}

/** The file, or all the files of a post in their order. */
export type Files = [Payload, ...Payload[]]

export interface Content {
  sizeBytes: number
  mimeType: string
  open(range?: ByteRange): Promise<Readable>
}

export interface Payload extends Content {
  altText: string
  /** Wholly or in part, as people or the file say. */
  isMadeByAi: boolean
  /** Makes an address from which it can be fetched for as long as the delivery is under way. */
  address(): Promise<string>
}

/** What a sending tells while it runs. */
export interface Line {
  signal: AbortSignal
  sent(bytes: number): void
  /** Kept for the next attempt before the sending goes on. */
  remember(steps: Record<string, unknown>): Promise<void>
}

export interface Remote {
  remoteId: string
  remoteUrl: string | null
}

/**
 * The other system answered, and not with yes. `refused`: no, and nothing was made. `busy`: not now, and nothing
 * was made. `ended`: it has ended its work, and it cannot be told what was made. `broken`: nor whether it is still
 * at work.
 */
export class TargetFault extends Error {
  readonly fault: 'refused' | 'busy' | 'ended' | 'broken'

  readonly reason: OutboundReason

  /** Not sooner is it to be asked again. */
  readonly retrySeconds: number | undefined

  constructor(
    fault: TargetFault['fault'],
    code: OutboundCode,
    message: string,
    values: OutboundReason['values'] = {},
    retrySeconds?: number,
  ) {
    super(message)
    this.name = 'TargetFault'
    this.fault = fault
    this.reason = { code, values }
    this.retrySeconds = retrySeconds
  }
}

/** What each is called in a sentence. */
export const named: Record<Answerer, string> = {
  ...vendors,
  receiver: 'The receiver',
  system: 'The other system',
}

/** Under the id that we hold lies something that we did not bring, so it is not ours to take away. */
export class NotOurs extends TargetFault {
  constructor(who: Answerer) {
    const detail = `${named[who]} does not show that it is ours, so nothing was removed. Remove it there by hand.`
    super('refused', 'not-ours', detail, { who })
  }
}

/** What it answered cannot be understood, so asking again would not help. */
export class Unreadable extends TargetFault {
  constructor(
    who: Answerer,
    code: OutboundCode = 'unreadable-answer',
    detail = `${named[who]} answered with something that cannot be understood.`,
    values: OutboundReason['values'] = {},
  ) {
    super('broken', code, detail, { who, ...values })
  }
}
