import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound, OutboundRequest } from '../../outbound/outbound.ts'
import { accepted, read } from './answers.ts'
import { authorized, type Credentials } from './credentials.ts'
import { path, withoutSlash } from './path.ts'
import { type DeliveryTarget, type Line, type Payload, Unreadable } from './target.ts'

/**
 * LinkedIn gives an upload its name before it takes the bytes. The name is kept, so every attempt fills the same
 * one; a name that was never filled is nothing that anybody sees.
 */
export function linkedin(
  outbound: Outbound,
  { ownerUrn, baseUrl }: ConnectionSettings<'linkedin'>,
  credentials: Credentials,
): DeliveryTarget {
  const { base, signedIn, ask } = linkedinApi(outbound, credentials, baseUrl)
  const begin = async (kind: Kind, request: object) => {
    const action = await ask('POST', `/rest/${kind}?action=initializeUpload`, {
      initializeUploadRequest: request,
    })
    return read('linkedin', Type.Object({ value: Begun }), action).value
  }
  const put = async (url: string, file: Payload, part: Part, line: Line): Promise<string> => {
    // The token goes to LinkedIn alone, wherever the bytes are to be put.
    const answer = await (isTheirs(url, base) ? signedIn : outbound).send({
      method: 'PUT',
      url,
      headers: { 'content-type': 'application/octet-stream' },
      body: { sizeBytes: part.lastByte - part.firstByte + 1, open: () => file.open(rangeOf(part, file)) },
      idleSeconds: 120,
      signal: line.signal,
      sent: line.sent,
    })
    accepted('linkedin', answer)
    return (answer.headers.etag ?? '').replaceAll('"', '')
  }

  return {
    settleSeconds: 5,

    async check() {
      accepted('linkedin', await ask('GET', '/v2/userinfo'))
    },

    async look({ steps }) {
      if (!isBegun(steps)) return 'not-there'
      const urn = urnOf(steps)
      const kind: Kind = steps.video ? 'videos' : 'images'
      const answer = await ask('GET', path`/rest/${kind}/${urn}`)
      if (answer.status === 404 || answer.status === 410) return 'begin-anew'
      const { status } = read('linkedin', Upload, answer)
      if (status === 'AVAILABLE' || status === 'PROCESSING') return { remoteId: urn, remoteUrl: null }
      if (status === 'PROCESSING_FAILED') return 'begin-anew'
      return status === 'WAITING_UPLOAD' ? 'not-there' : 'cannot-tell'
    },

    async send({ steps }, [file], line) {
      const kind: Kind = isFilm(file.mimeType) ? 'videos' : 'images'
      const begun =
        isBegun(steps) && !isOver(steps)
          ? steps
          : await begin(kind, {
              owner: ownerUrn,
              ...(kind === 'videos' && {
                fileSizeBytes: file.sizeBytes,
                uploadCaptions: false,
                uploadThumbnail: false,
              }),
            })
      const urn = urnOf(begun)
      await line.remember(Value.Clean(Begun, structuredClone(begun)) as Begun)

      const parts = begun.uploadInstructions ?? [
        { uploadUrl: begun.uploadUrl!, firstByte: 0, lastByte: file.sizeBytes - 1 },
      ]
      const partIds: string[] = []
      for (const part of parts) partIds.push(await put(part.uploadUrl, file, part, line))
      if (kind === 'videos')
        accepted(
          'linkedin',
          await ask('POST', '/rest/videos?action=finalizeUpload', {
            finalizeUploadRequest: {
              video: urn,
              uploadToken: begun.uploadToken ?? '',
              uploadedPartIds: partIds,
            },
          }),
        )
      return { remoteId: urn, remoteUrl: null }
    },
  }
}

/** Every request says which version of the API it means. */
export function linkedinApi(
  outbound: Outbound,
  credentials: Credentials,
  baseUrl = 'https://api.linkedin.com',
) {
  const base = withoutSlash(baseUrl)
  const signedIn = authorized('linkedin', outbound, credentials)
  const ask = (
    method: OutboundRequest['method'],
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) =>
    signedIn.send({
      method,
      url: `${base}${path}`,
      totalSeconds: 60,
      headers: {
        'linkedin-version': credentials.apiVersion,
        'x-restli-protocol-version': '2.0.0',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { base, signedIn, ask }
}

/** The name that LinkedIn gave the upload. */
export const linkedinIds = () => /^urn:li:(image|video):[A-Za-z0-9_-]{1,200}$/

type Kind = 'images' | 'videos'
const Urn = Type.String({ pattern: linkedinIds().source })
const Address = Type.String({ pattern: '^https?://', maxLength: 4000 })
const Part = Type.Object({
  uploadUrl: Address,
  firstByte: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  lastByte: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
type Part = Static<typeof Part>
const Begun = Type.Object({
  image: Type.Optional(Urn),
  video: Type.Optional(Urn),
  uploadUrl: Type.Optional(Address),
  uploadUrlExpiresAt: Type.Optional(Type.Number()),
  uploadUrlsExpireAt: Type.Optional(Type.Number()),
  uploadToken: Type.Optional(Type.String({ maxLength: 10_000 })),
  uploadInstructions: Type.Optional(Type.Array(Part, { minItems: 1, maxItems: 1000 })),
})
type Begun = Static<typeof Begun>
export const Upload = Type.Object({ status: Type.String() })

/** An upload that has a name, and places for its bytes. */
const isBegun = (steps: unknown): steps is Begun =>
  Value.Check(Begun, steps) &&
  !!(steps.image ?? steps.video) &&
  !!(steps.uploadUrl ?? steps.uploadInstructions)

function urnOf(begun: Begun): string {
  if (!isBegun(begun)) throw new Unreadable('linkedin')
  return (begun.image ?? begun.video)!
}

// Of a picture and of a film: learn.microsoft.com/linkedin, Images API and Videos API, read on 15 November 2026.
const isOver = ({ uploadUrlExpiresAt, uploadUrlsExpireAt }: Begun) =>
  (uploadUrlExpiresAt ?? uploadUrlsExpireAt ?? Infinity) < Date.now() + 60_000

const isTheirs = (url: string, base: string) =>
  URL.canParse(url) &&
  (new URL(url).host === new URL(base).host || /(^|\.)linkedin\.com$/.test(new URL(url).hostname))

const rangeOf = ({ firstByte, lastByte }: Part, { sizeBytes }: Payload) =>
  firstByte === 0 && lastByte === sizeBytes - 1 ? undefined : { start: firstByte, end: lastByte }
