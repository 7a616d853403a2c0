import type { EventType } from '../../contract/events.ts'
import type { MessageOf, WebhookTestMessage } from '../../contract/webhooks.ts'
import type { Parts } from '../library.ts'
import { type OutboundError, outboundError } from '../outbound/errors.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import { signed } from '../outbound/signatures.ts'

export type Message = { id: string } & (MessageOf<EventType> | WebhookTestMessage)

/** Posts one message, signed by the Standard Webhooks rules. Anything but a 2xx is an error. */
export async function post(
  { outbound, sealer }: Parts,
  { url, sealed_secret }: { url: string; sealed_secret: string },
  { id, ...message }: Message,
  signal?: AbortSignal,
): Promise<{ status: number | null; error: OutboundError | null }> {
  const body = JSON.stringify(message)
  try {
    const { status } = await outbound.send({
      method: 'POST',
      url,
      body,
      headers: { 'content-type': 'application/json', ...signed(sealer.open(sealed_secret), id, body) },
      idleSeconds: 15,
      totalSeconds: 15,
      wants: 'status',
      ...(signal && { signal }),
    })
    const good = status >= 200 && status < 300
    return { status, error: good ? null : answered(status) }
  } catch (error) {
    const known = error instanceof OutboundFailure && outboundError(error)
    if (!known) throw error
    return { status: null, error: known }
  }
}

const answered = (status: number): OutboundError => ({
  text: `The receiver answered ${status}.`,
  reason: { code: status >= 500 ? 'failed' : 'refused', values: { who: 'receiver', status } },
})
