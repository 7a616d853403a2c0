import type { Readable } from 'node:stream'
import type { OutboundAnswer } from '../../outbound.ts'
import type { ByteRange } from '../../storage/storage.ts'

/** One client's account at another system, where files can be put. */
export interface DeliveryTarget {
  /** How long after a cut line it may still be busy with what it has received. */
  settleSeconds: number
  /** Throws when nothing could be delivered now. Changes nothing there. */
  check(): Promise<void>
  /** Whether an earlier sending of this parcel arrived, though we did not hear of it. */
  look(parcel: Parcel): Promise<Remote | 'not-there' | 'cannot-tell'>
  /** Puts the file there. Done twice, it makes two: whoever calls has looked first. */
  send(parcel: Parcel, file: Payload, line: Line): Promise<Remote>
  /** Gives what is there its words, and reads it back. Done twice, it does the same. */
  describe?(remote: Remote, words: Words): Promise<Remote>
  /** Done when it is gone, whoever took it away. */
  remove?(remoteId: string): Promise<void>
}

export interface Parcel {
  /** Ours alone, the same for every attempt: how the other system's copy is found again. */
  mark: string
  filename: string
  words: Words
  /** What the other system told us on the way, in this attempt or an earlier one. */
  steps: Record<string, unknown>
  sentAt: Date
}

export interface Words {
  title: string
  altText: string
  description: string
}

export interface Payload {
  sizeBytes: number
  mimeType: string
  open(range?: ByteRange): Promise<Readable>
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
 * was made. `broken`: it cannot be told what was made.
 */
export class TargetFault extends Error {
  readonly fault: 'refused' | 'busy' | 'broken'

  constructor(fault: TargetFault['fault'], message: string) {
    super(message)
    this.name = 'TargetFault'
    this.fault = fault
  }
}

/** The JSON of a good answer; a fault for any other. */
export function goodAnswer(who: string, answer: OutboundAnswer): Record<string, unknown> {
  const { status } = answer
  if (status >= 200 && status < 300) return jsonOf(answer)
  if (status >= 300 && status < 400)
    throw new TargetFault(
      'refused',
      `${who} sends us elsewhere (${status}). Redirects are not followed; correct the address of the connection.`,
    )
  const said = reasonOf(answer)
  if (status === 429) throw new TargetFault('busy', `${who} asks us to slow down (429${said}).`)
  if (status >= 500) throw new TargetFault('broken', `${who} failed (${status}${said}).`)
  throw new TargetFault('refused', `${who} refused (${status}${said}).`)
}

function jsonOf({ text }: OutboundAnswer): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

// What others write is shown to people, so it is kept short and plain.
function reasonOf(answer: OutboundAnswer): string {
  const { message, error, code } = jsonOf(answer) as Record<string, unknown>
  const nested = (error as { message?: unknown } | undefined)?.message
  const reason = [message, nested, error, code].find((value) => typeof value === 'string') as
    | string
    | undefined
  return reason
    ? `: ${reason
        .replace(/<[^>]*>|\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 200)}`
    : ''
}
