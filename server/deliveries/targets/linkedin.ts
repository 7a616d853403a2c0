import type { ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import type { Outbound, OutboundRequest } from '../../outbound.ts'
import { path } from './path.ts'
import { type DeliveryTarget, goodAnswer, type Line, type Payload, TargetFault } from './target.ts'

/**
 * LinkedIn gives an upload its name before it takes the bytes. The name is kept, so every attempt fills the same
 * one; a name that was never filled is nothing that anybody sees.
 */
export function linkedin(
  outbound: Outbound,
  { ownerUrn, baseUrl = 'https://api.linkedin.com' }: ConnectionSettings<'linkedin'>,
  { accessToken }: ConnectionSecrets<'linkedin'>,
): DeliveryTarget {
  const base = baseUrl.replace(/\/+$/, '')
  const authorization = `Bearer ${accessToken}`
  const ask = async (method: OutboundRequest['method'], path: string, body?: object) =>
    goodAnswer(
      'LinkedIn',
      await outbound.send({
        method,
        url: `${base}${path}`,
        totalSeconds: 60,
        headers: {
          authorization,
          'linkedin-version': apiVersion,
          'x-restli-protocol-version': '2.0.0',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const begin = async (kind: Kind, request: object) =>
    (await ask('POST', `/rest/${kind}?action=initializeUpload`, { initializeUploadRequest: request }))
      .value as Begun
  const put = async (url: string, file: Payload, part: Part, line: Line): Promise<string> => {
    const answer = await outbound.send({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/octet-stream', ...(isTheirs(url, base) && { authorization }) },
      body: { sizeBytes: part.lastByte - part.firstByte + 1, open: () => file.open(rangeOf(part, file)) },
      idleSeconds: 120,
      signal: line.signal,
      sent: line.sent,
    })
    goodAnswer('LinkedIn', answer)
    return (answer.headers.etag ?? '').replaceAll('"', '')
  }

  return {
    settleSeconds: 5,

    async check() {
      await ask('GET', '/v2/userinfo')
    },

    async look({ steps }) {
      const { urn, kind } = steps as { urn?: string; kind?: Kind }
      if (!urn || !kind) return 'not-there'
      const { status } = await ask('GET', path`/rest/${kind}/${urn}`)
      return status === 'AVAILABLE' || status === 'PROCESSING'
        ? { remoteId: urn, remoteUrl: null }
        : 'not-there'
    },

    async send({ steps }, file, line) {
      const kind: Kind = file.mimeType === 'video/mp4' ? 'videos' : 'images'
      const earlier = steps as Partial<Begun> & { urn?: string }
      const begun =
        earlier.urn && !isOver(earlier)
          ? (earlier as Begun)
          : await begin(kind, {
              owner: ownerUrn,
              ...(kind === 'videos' && {
                fileSizeBytes: file.sizeBytes,
                uploadCaptions: false,
                uploadThumbnail: false,
              }),
            })
      const urn = begun.image ?? begun.video
      if (!urn) throw new TargetFault('broken', 'LinkedIn began no upload that could be filled.')
      await line.remember({ ...begun, urn, kind })

      const parts = begun.uploadInstructions ?? [
        { uploadUrl: begun.uploadUrl!, firstByte: 0, lastByte: file.sizeBytes - 1 },
      ]
      const partIds: string[] = []
      for (const part of parts) partIds.push(await put(part.uploadUrl, file, part, line))
      if (kind === 'videos')
        await ask('POST', '/rest/videos?action=finalizeUpload', {
          finalizeUploadRequest: {
            video: urn,
            uploadToken: begun.uploadToken ?? '',
            uploadedPartIds: partIds,
          },
        })
      return { remoteId: urn, remoteUrl: null }
    },
  }
}

/** The name that LinkedIn gave the upload. */
export const linkedinIds = () => /^urn:li:(image|video):[A-Za-z0-9_-]{1,200}$/

const apiVersion = '202609'

type Kind = 'images' | 'videos'
interface Part {
  uploadUrl: string
  firstByte: number
  lastByte: number
}
interface Begun {
  image?: string
  video?: string
  uploadUrl?: string
  uploadUrlExpiresAt?: number
  uploadToken?: string
  uploadInstructions?: Part[]
}

const isOver = ({ uploadUrlExpiresAt = Infinity }: Partial<Begun>) => uploadUrlExpiresAt < Date.now() + 60_000

/** The token goes to LinkedIn alone, wherever the bytes are to be put. */
const isTheirs = (url: string, base: string) =>
  URL.canParse(url) &&
  (new URL(url).host === new URL(base).host || /(^|\.)linkedin\.com$/.test(new URL(url).hostname))

const rangeOf = ({ firstByte, lastByte }: Part, { sizeBytes }: Payload) =>
  firstByte === 0 && lastByte === sizeBytes - 1 ? undefined : { start: firstByte, end: lastByte }
