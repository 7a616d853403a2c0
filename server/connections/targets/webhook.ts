import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/connection-kinds.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { keyIn, signatureHeaders, signed, signing } from '../../outbound/signatures.ts'
import { accepted, readIfThere } from './answers.ts'
import { between, multipart } from './multipart.ts'
import { type Content, type DeliveryTarget, NotOurs } from './target.ts'

/**
 * Any system that takes a signed POST, by the Standard Webhooks rules: a multipart body of what it is (`message`, with
 * the SHA-256 of the file in it) and the `file`, or one JSON text with the file in base64. An answer `{id, url}` says
 * where it went.
 */
export function webhook(
  outbound: Outbound,
  { url, honoursIdempotencyKey = false, asJson = false }: ConnectionSettings<'webhook'>,
  { signingSecret }: ConnectionSecrets<'webhook'>,
): DeliveryTarget {
  const secrets = [keyIn(signingSecret)]
  const notify = async (id: string, message: object) => {
    const text = JSON.stringify(message)
    const headers = { 'content-type': 'application/json', ...signed([signingSecret], id, text) }
    accepted(
      'receiver',
      await outbound.send({ method: 'POST', url, headers, body: text, secrets, totalSeconds: 60 }),
    )
  }

  return {
    settleSeconds: 2,
    check: () => notify(`test_${Date.now()}`, { type: 'connection.test', timestamp: new Date(), data: {} }),

    // There is nowhere to look. A receiver that knows our key answers a repeat with what it has.
    look: async () => (honoursIdempotencyKey ? 'not-there' : 'cannot-tell'),

    async send({ mark, filename, words, sentAt }, [file], line) {
      const message = {
        type: 'asset.delivered',
        timestamp: sentAt,
        data: {
          ...words,
          filename,
          mimeType: file.mimeType,
          sizeBytes: file.sizeBytes,
          sha256: await sha256Of(file),
        },
      }
      const body = asJson
        ? jsonBody(message, file)
        : multipart(`file-${mark}`, { message }, { name: 'file', filename, content: file })
      const answer = accepted(
        'receiver',
        await outbound.send({
          method: 'POST',
          url,
          headers: {
            'content-type': body.mimeType,
            'idempotency-key': mark,
            ...(await signedBody(signingSecret, mark, body, asJson ? undefined : JSON.stringify(message))),
          },
          body,
          secrets,
          idleSeconds: 120,
          signal: line.signal,
          sent: line.sent,
        }),
      )
      const { id, url: remoteUrl = null } = readIfThere(Taken, answer) ?? {}
      return { remoteId: id !== undefined && webhookIds().test(String(id)) ? String(id) : mark, remoteUrl }
    },

    async remove(remoteId, { steps }) {
      // It cannot be asked what lies there, so its own word for it is needed.
      if (steps.settled) throw new NotOurs('receiver')
      await notify(`remove_${remoteId}`, {
        type: 'asset.removed',
        timestamp: new Date(),
        data: { id: remoteId },
      })
    },
  }
}

const Taken = Type.Object({
  id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  url: Type.Optional(Type.String()),
})

/** Whatever the receiver calls it, as long as it can stand in a header. */
export const webhookIds = () => /^[\x21-\x7e]{1,200}$/

interface Delivered {
  data: object
}

/** The body as it goes over the line, and the message alone: most libraries check a text, and a file is none. */
async function signedBody(secret: string, mark: string, body: Content, message?: string) {
  const at = new Date()
  const whole = signing(secret, mark, at)
  for await (const chunk of await body.open()) whole.update(chunk)
  const alone = message === undefined ? [] : [signing(secret, mark, at).update(message)]
  return signatureHeaders(mark, at, [...alone, whole])
}

/** The same message with the file in it, in base64: text from end to end, as most libraries want what they check. */
function jsonBody(message: Delivered, file: Content): Content {
  const [before, after] = JSON.stringify({ ...message, data: { ...message.data, file: '' } }).split(
    /(?<="file":")(?="}}$)/,
  )
  const base64 = {
    mimeType: file.mimeType,
    sizeBytes: Math.ceil(file.sizeBytes / 3) * 4,
    open: async () => Readable.from(inBase64(await file.open())),
  }
  return between('application/json', before!, base64, after!)
}

async function* inBase64(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk])
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    yield Buffer.from(all.subarray(0, whole).toString('base64'))
  }
  yield Buffer.from(rest.toString('base64'))
}

async function sha256Of(file: Content): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await file.open()) hash.update(chunk)
  return hash.digest('hex')
}
