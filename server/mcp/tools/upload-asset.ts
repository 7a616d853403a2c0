import { type Static, Type } from 'typebox'
import { HttpUrl } from '../../../contract/http-url.ts'
import {
  Finalize,
  type FinalizedAsset,
  NewUploadSession,
  PartsRequest,
  type UploadProgress,
} from '../../../contract/uploads.ts'
import { Strict } from '../../../contract/words.ts'
import { toAsset } from '../../assets/asset.ts'
import { readAsset } from '../../assets/assets.ts'
import type { Library } from '../../library.ts'
import { finalizeSession } from '../../uploads/finalize.ts'
import { ifSoon, uploadFromUrl } from '../../uploads/from-url.ts'
import { abortSession, openSession, partUrls, sessionProgress } from '../../uploads/sessions.ts'
import { type Agent, libraryFor } from '../agent.ts'
import { wholeAsset } from '../brief.ts'
import { type Answer, ClientId, needed, tool } from '../tool.ts'

/** How long a fetch is waited for, and where the client can be given a task instead. */
const soon = { answer: 20, task: 2 }
const mostParts = 20
type Multipart = NonNullable<UploadProgress['multipart']>
const { originalFilename, mimeType, expectedSizeBytes, sha256, replacesAssetId } = NewUploadSession.properties
const { uploadToken, ...words } = Finalize.properties

const Input = Strict({
  clientId: ClientId,
  action: Type.Enum(['from_url', 'begin', 'parts', 'finish', 'status', 'abort']),
  url: Type.Optional(HttpUrl),
  originalFilename: Type.Optional(originalFilename),
  mimeType: Type.Optional(mimeType),
  expectedSizeBytes: Type.Optional(expectedSizeBytes),
  sha256,
  replacesAssetId,
  uploadToken: Type.Optional(uploadToken),
  uploadSessionId: Type.Optional(Type.String({ maxLength: 100 })),
  partNumbers: Type.Optional(
    Type.Array(PartsRequest.properties.partNumbers.items, { minItems: 1, maxItems: mostParts }),
  ),
  ...words,
})
type Input = Static<typeof Input>

export const uploadAsset = tool({
  name: 'upload_asset',
  title: 'Upload an asset',
  description:
    'from_url: the library fetches a public file itself (url, any words). Or send a file that you have: begin (originalFilename, mimeType, expectedSizeBytes) answers with an uploadUrl; PUT the bytes there, without any header or key (curl -T file "<uploadUrl>"); then finish (uploadToken, any words) makes the asset. parts: addresses for the parts of a large file. status, abort: of one upload (uploadSessionId). With replacesAssetId it becomes a new version of that asset. Bytes never go into arguments.',
  permission: 'assets:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  budget: 12_000,
  input: Input,
  async run(agent, input) {
    const library = await libraryFor(agent, input.clientId)
    switch (input.action) {
      case 'from_url':
        return fromUrl(agent, library, input)
      case 'begin':
        return begin(library, input)
      case 'parts': {
        const asked = { uploadToken: needed(input, 'uploadToken'), partNumbers: needed(input, 'partNumbers') }
        return { answer: await partUrls(library, asked) }
      }
      case 'finish': {
        const body = { ...wordsIn(input), uploadToken: needed(input, 'uploadToken') }
        return made((await finalizeSession(library, body)).asset)
      }
      case 'status':
        return toldOfUpload(library, needed(input, 'uploadSessionId'))
      case 'abort': {
        const uploadSessionId = needed(input, 'uploadSessionId')
        await abortSession(library, uploadSessionId)
        return { answer: { uploadSessionId, status: 'aborted' } }
      }
    }
  },
})

async function begin(library: Library, input: Input): Promise<Answer> {
  const session = await openSession(library, {
    originalFilename: needed(input, 'originalFilename'),
    mimeType: needed(input, 'mimeType'),
    expectedSizeBytes: needed(input, 'expectedSizeBytes'),
    ...(input.folderId !== undefined && { folderId: input.folderId }),
    ...(input.sha256 !== undefined && { sha256: input.sha256 }),
    ...(input.replacesAssetId !== undefined && { replacesAssetId: input.replacesAssetId }),
  })
  const { multipart } = session
  const parts = multipart && Math.ceil(input.expectedSizeBytes! / multipart.partSizeBytes)
  return { answer: { ...session, ...(multipart && { multipart: { ...multipart, parts } }) } }
}

async function fromUrl(agent: Agent, library: Library, input: Input): Promise<Answer> {
  const fetching = await uploadFromUrl(library, agent.parts.outbound, {
    url: needed(input, 'url'),
    ...wordsIn(input),
    ...(input.originalFilename !== undefined && { originalFilename: input.originalFilename }),
    ...(input.replacesAssetId !== undefined && { replacesAssetId: input.replacesAssetId }),
  })
  const finalized = await ifSoon(fetching, agent.takesTasks ? soon.task : soon.answer)
  if (finalized) return made(finalized.asset)
  const { uploadSessionId: id } = fetching
  return { ...(await toldOfUpload(library, id)), goesOn: { clientId: library.clientId, id } }
}

/** How far an upload is, and the asset once it is one. */
export async function toldOfUpload(library: Library, id: string): Promise<Answer> {
  const { expectedSizeBytes, problem, assetId, multipart, ...session } = await sessionProgress(library, id)
  const progress = { ...session, ...(multipart && { multipart: missingIn(multipart, expectedSizeBytes) }) }
  if (assetId)
    return { answer: { ...progress, asset: wholeAsset(toAsset(await readAsset(library, assetId))) } }
  return {
    answer: { ...progress, ...(problem && { problem: { code: problem.code, detail: problem.detail } }) },
  }
}

/** The parts that are still to be sent; of many, the first. */
function missingIn({ partSizeBytes, uploadedPartNumbers }: Multipart, sizeBytes: number) {
  const there = new Set(uploadedPartNumbers)
  const parts = Math.ceil(sizeBytes / partSizeBytes)
  const missing = Array.from({ length: parts }, (_, index) => index + 1).filter((part) => !there.has(part))
  return {
    partSizeBytes,
    parts,
    missingParts: missing.length,
    missingPartNumbers: missing.slice(0, mostParts),
  }
}

const made = ({ duplicateOf, ...asset }: FinalizedAsset): Answer => ({
  answer: { asset: wholeAsset(asset), ...(duplicateOf && { duplicateOf }) },
})

const wordsIn = (input: Input) =>
  Object.fromEntries(
    Object.keys(words).flatMap((name) => {
      const value = input[name as keyof Input]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Omit<Finalize, 'uploadToken'>
