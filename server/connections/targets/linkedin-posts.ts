import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ConnectionSettings } from '../../../contract/connection-kinds.ts'
import { isFilm } from '../../../contract/media-types.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { accepted, read } from './answers.ts'
import type { Credentials } from './credentials.ts'
import { linkedin, linkedinApi, Upload } from './linkedin.ts'
import { path } from './path.ts'
import { poll } from './poll.ts'
import { type DeliveryTarget, type Files, type Line, type Parcel, TargetFault, Unreadable } from './target.ts'

/**
 * Posts of a company page or a person: the files are uploaded first, where nobody sees them, and the post then names
 * them. By their names it is found again (learn.microsoft.com/linkedin, Posts API and MultiImage API, read on
 * 2026-11-15).
 */
export function linkedinPosts(
  outbound: Outbound,
  settings: ConnectionSettings<'linkedin-posts'>,
  credentials: Credentials,
): DeliveryTarget {
  const { ask } = linkedinApi(outbound, credentials, settings.baseUrl)
  const uploads = linkedin(outbound, settings, credentials)
  const author = settings.ownerUrn

  /** Brings each file there once, whichever attempt it was that began. */
  async function upload(parcel: Parcel, files: Files, line: Line, begun: Begun): Promise<string[]> {
    const urns: string[] = []
    for (const [place, file] of files.entries()) {
      const steps = begun.uploads[place] ?? {}
      const remember = (these: Record<string, unknown>) => {
        begun.uploads[place] = these
        return line.remember({ ...begun })
      }
      const there = await uploads.look({ ...parcel, steps })
      const { remoteId } =
        typeof there === 'object'
          ? there
          : await uploads.send({ ...parcel, steps: there === 'not-there' ? steps : {} }, [file], {
              ...line,
              remember,
            })
      urns.push(remoteId)
    }
    return urns
  }

  async function available(urn: string, isVideo: boolean, { signal }: Line): Promise<void> {
    const kind = isVideo ? 'videos' : 'images'
    const status = await poll(async () => {
      const now = read('linkedin', Upload, await ask('GET', path`/rest/${kind}/${urn}`)).status
      return now === 'AVAILABLE' || now === 'PROCESSING_FAILED' ? now : undefined
    }, signal)
    const who = 'linkedin'
    if (!status)
      throw new TargetFault('busy', 'still-at-work', 'LinkedIn is still at work on the file.', { who })
    if (status === 'AVAILABLE') return
    throw new TargetFault('refused', 'refused', 'LinkedIn could not take the file.', { who, said: status })
  }

  return {
    settleSeconds: 60,
    check: uploads.check,

    async look({ steps }) {
      const { urns, isPosting } = begunIn(steps)
      if (!isPosting) return 'not-there'
      const finder = path`/rest/posts?author=${author}&q=author&count=50&sortBy=LAST_MODIFIED`
      const answer = await ask('GET', finder, undefined, { 'x-restli-method': 'FINDER' })
      const { elements } = read('linkedin', Posts, answer)
      const found = elements.find(({ content }) => filesIn(content).includes(urns[0]!))
      if (found) return remoteOf(found.id)
      // Where no post at all is shown, ours would not be either.
      return elements.length > 0 ? 'not-there' : 'cannot-tell'
    },

    async send(parcel, files, line) {
      const begun = begunIn(parcel.steps)
      const isVideo = isFilm(files[0].mimeType)
      const urns = await upload(parcel, files, line, begun)
      for (const urn of urns) await available(urn, isVideo, line)

      await line.remember({ ...begun, urns, isPosting: true })
      const media = urns.map((id, place) => ({ id, altText: files[place]!.altText }))
      const [only, ...others] = isVideo ? [{ id: urns[0]! }] : media
      const answer = await ask('POST', '/rest/posts', {
        author,
        commentary: littleText(parcel.text),
        visibility: 'PUBLIC',
        distribution: {
          feedDistribution: 'MAIN_FEED',
          targetEntities: [],
          thirdPartyDistributionChannels: [],
        },
        content: others.length > 0 ? { multiImage: { images: media } } : { media: only },
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
      })
      const urn = accepted('linkedin', answer).headers['x-restli-id']
      if (!urn || !linkedinPostIds().test(urn)) throw new Unreadable('linkedin')
      return remoteOf(urn)
    },
  }
}

/** The name of a post. */
export const linkedinPostIds = () => /^urn:li:(share|ugcPost):[0-9]{1,40}$/

const remoteOf = (urn: string) => ({
  remoteId: urn,
  remoteUrl: `https://www.linkedin.com/feed/update/${encodeURIComponent(urn)}/`,
})

/**
 * What a person wrote, in LinkedIn's own notation: what has a meaning there is marked as plain, but for hashtags, which
 * are meant (learn.microsoft.com/linkedin, little Text Format, read on 2026-11-15).
 */
const littleText = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}_])#(?=[\p{L}\p{N}])|([\\|{}@[\]()<>#*_~])/gu, (found, reserved?: string) =>
    reserved ? `\\${reserved}` : found,
  )

const File = Type.Object({ id: Type.Optional(Type.String()) })
const Content = Type.Object({
  media: Type.Optional(File),
  multiImage: Type.Optional(Type.Object({ images: Type.Array(File) })),
})
const Posts = Type.Object({
  elements: Type.Array(Type.Object({ id: Type.String(), content: Type.Optional(Content) })),
})
const filesIn = (content: Static<typeof Content> | undefined) =>
  [content?.media, ...(content?.multiImage?.images ?? [])].map((file) => file?.id)

const Begun = Type.Object({
  /** What is known of each upload, in the order of the files. */
  uploads: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  urns: Type.Array(Type.String()),
  isPosting: Type.Boolean(),
})
type Begun = Static<typeof Begun>
const begunIn = (steps: unknown): Begun =>
  Value.Check(Begun, steps) ? structuredClone(steps) : { uploads: [], urns: [], isPosting: false }
