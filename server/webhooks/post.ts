import type { EventType } from '../../contract/events.ts'
import type { MessageOf, WebhookTestMessage } from '../../contract/webhooks.ts'
import { unturned } from '../../contract/words.ts'
import { keepable } from '../db/keepable.ts'
import type { Parts } from '../library.ts'
import { type OutboundError, outboundError } from '../outbound/errors.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import { retryAfter } from '../outbound/retry-after.ts'
import { keyIn, signed } from '../outbound/signatures.ts'
import { type Answer, type LoggedMessage, logAttempt, longestText } from './attempts.ts'

export type Message = LoggedMessage & (MessageOf<EventType> | WebhookTestMessage)

export interface Receiver {
  id: string
  url: string
  sealed_secret: string
  previous_sealed_secret: string | null
  previous_secret_ends_at: Date | null
}

/** Posts one message, signed by the Standard Webhooks rules, and writes down what came back. */
export async function post(
  parts: Parts,
  receiver: Receiver,
  message: Message,
  signal?: AbortSignal,
): Promise<Answer> {
  const started = performance.now()
  const answer = await answerTo(parts, receiver, message, signal)
  await logAttempt(parts.db, receiver.id, message, answer, performance.now() - started)
  return answer
}

async function answerTo(
  { outbound, sealer }: Parts,
  receiver: Receiver,
  { id, clientId: _client, eventId: _event, ...message }: Message,
  signal?: AbortSignal,
): Promise<Answer> {
  const body = JSON.stringify(message)
  try {
    const secrets = sealedSecrets(receiver).map((sealed) => sealer.open(sealed))
    const { status, headers, text } = await outbound.send({
      method: 'POST',
      url: receiver.url,
      body,
      headers: { 'content-type': 'application/json', ...signed(secrets, id, body) },
      secrets: secrets.map(keyIn),
      idleSeconds: 15,
      totalSeconds: 15,
      wants: 'beginning',
      ...(signal && { signal }),
    })
    const good = status >= 200 && status < 300
    return {
      status,
      error: good ? null : answered(status),
      text: keepable(unturned(text), longestText),
      retryAfter: good ? undefined : retryAfter(headers['retry-after']),
    }
  } catch (error) {
    const known = error instanceof OutboundFailure && outboundError(error)
    if (!known) throw error
    return { status: null, error: known, text: null }
  }
}

/** The one it has, and the one before for as long as that counts. */
const sealedSecrets = ({ sealed_secret, previous_sealed_secret, previous_secret_ends_at }: Receiver) =>
  previous_sealed_secret && previous_secret_ends_at && previous_secret_ends_at > new Date()
    ? [sealed_secret, previous_sealed_secret]
    : [sealed_secret]

const answered = (status: number): OutboundError => ({
  text: `The receiver answered ${status}.`,
  reason: { code: status >= 500 ? 'failed' : 'refused', values: { who: 'receiver', status } },
})
