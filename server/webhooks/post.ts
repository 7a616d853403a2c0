import type { EventType } from '../../contract/events.ts'
import type { MessageOf, WebhookTestMessage } from '../../contract/webhooks.ts'
import type { Parts } from '../library.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import { signed } from '../outbound/signatures.ts'

export type Message = { id: string } & (MessageOf<EventType> | WebhookTestMessage)

/** Posts one message, signed by the Standard Webhooks rules. Anything but a 2xx is an error. */
export async function post(
  { outbound, sealer }: Parts,
  { url, sealed_secret }: { url: string; sealed_secret: string },
  { id, ...message }: Message,
  signal?: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
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
    return { status, error: good ? null : `The receiver answered ${status}.` }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { status: null, error: error.message }
  }
}
