import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import { contentDisposition } from '../../http/file-answers.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { signed } from '../../outbound/signatures.ts'
import { accepted, readIfThere } from './answers.ts'
import { type DeliveryTarget, NotOurs, type Payload } from './target.ts'

/**
 * Any system that takes a signed POST: a multipart body of what it is (`message`, signed by the Standard Webhooks
 * rules, with the SHA-256 of the file in it) and the `file`. An answer `{id, url}` says where it went.
 */
export function webhook(
  outbound: Outbound,
  { url, honoursIdempotencyKey = false }: ConnectionSettings<'webhook'>,
  { signingSecret }: ConnectionSecrets<'webhook'>,
): DeliveryTarget {
  const notify = async (id: string, message: object) => {
    const text = JSON.stringify(message)
    const headers = { 'content-type': 'application/json', ...signed(signingSecret, id, text) }
    accepted('receiver', await outbound.send({ method: 'POST', url, headers, body: text, totalSeconds: 60 }))
  }

  return {
    settleSeconds: 2,
    check: () => notify(`test_${Date.now()}`, { type: 'connection.test', timestamp: new Date(), data: {} }),

    // There is nowhere to look. A receiver that knows our key answers a repeat with what it has.
    look: async () => (honoursIdempotencyKey ? 'not-there' : 'cannot-tell'),

    async send({ mark, filename, words, sentAt }, file, line) {
      const message = JSON.stringify({
        type: 'asset.delivered',
        timestamp: sentAt,
        data: {
          ...words,
          filename,
          mimeType: file.mimeType,
          sizeBytes: file.sizeBytes,
          sha256: await sha256Of(file),
        },
      })
      const answer = accepted(
        'receiver',
        await outbound.send({
          method: 'POST',
          url,
          headers: {
            'content-type': `multipart/form-data; boundary=${boundaryOf(mark)}`,
            'idempotency-key': mark,
            ...signed(signingSecret, mark, message),
          },
          body: multipart(boundaryOf(mark), message, filename, file),
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

const boundaryOf = (mark: string) => `file-${mark}`

function multipart(boundary: string, message: string, filename: string, file: Payload): Payload {
  const disposition = contentDisposition('attachment', filename).replace(
    'attachment',
    'form-data; name="file"',
  )
  const before = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="message"\r\ncontent-type: application/json\r\n\r\n` +
      `${message}\r\n--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${file.mimeType}\r\n\r\n`,
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    mimeType: 'multipart/form-data',
    sizeBytes: before.length + file.sizeBytes + after.length,
    open: async () => {
      const bytes = await file.open()
      return Readable.from(
        (async function* () {
          yield before
          yield* bytes
          yield after
        })(),
      )
    },
  }
}

async function sha256Of(file: Payload): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await file.open()) hash.update(chunk)
  return hash.digest('hex')
}
