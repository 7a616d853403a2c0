import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { assetWords } from '../../contract/assets.ts'
import { Crops, FocalPoint } from '../../contract/crops.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { bodyReader } from '../http/requests.ts'
import { Problem } from '../problems.ts'

/** Beside the files of an exported library: one JSON object a line, the heading first, then folders, then assets. */
export const manifestName = 'library.jsonl'

const heading = { format: 'client-asset-library', formatVersion: 1 } as const

const Path = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 64 })

const PortableVersion = Strict({
  file: Type.String({ minLength: 1, maxLength: 16_000, description: 'Where it lies, from the manifest on.' }),
  originalFilename: Type.String({ minLength: 1, maxLength: 4096 }),
  mimeType: Type.String({ minLength: 1, maxLength: 255 }),
  sizeBytes: Type.Integer({ minimum: 1 }),
  sha256: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  createdAt: Nullable(Timestamp),
  // What a person set; the guess is made anew.
  focalPoint: Type.Optional(FocalPoint),
  crops: Type.Optional(Crops),
})
export type PortableVersion = Static<typeof PortableVersion>

export const PortableAsset = Strict({
  folder: Path,
  ...assetWords,
  updatedAt: Nullable(Timestamp),
  // From the first to the one that counts now.
  versions: Type.Array(PortableVersion, { minItems: 1 }),
})
export type PortableAsset = Static<typeof PortableAsset>

export interface PortableLibrary {
  /** Every folder by its names from the top, parents first. */
  folders: string[][]
  assets: PortableAsset[]
}

const readLine = bodyReader(
  Type.Union([
    Strict({ format: Type.Literal(heading.format), formatVersion: Type.Literal(heading.formatVersion) }),
    Strict({ folder: Path }),
    Strict({ asset: PortableAsset }),
  ]),
)

export async function readManifest(dir: string): Promise<PortableLibrary> {
  const library: PortableLibrary = { folders: [], assets: [] }
  let number = 0
  for await (const text of createInterface({ input: createReadStream(join(dir, manifestName), 'utf8') })) {
    number++
    const line = lineOf(text, number)
    if ((number === 1) !== 'format' in line) throw unreadable(number, 'the heading must come first')
    if ('folder' in line) library.folders.push(line.folder)
    if ('asset' in line) library.assets.push(line.asset)
  }
  if (number === 0) throw unreadable(1, 'it is empty')
  return library
}

/** Whole or not at all. */
export async function writeManifest(dir: string, { folders, assets }: PortableLibrary): Promise<void> {
  const path = join(dir, manifestName)
  function* lines() {
    for (const line of [heading, ...folders.map((folder) => ({ folder }))]) yield `${JSON.stringify(line)}\n`
    for (const asset of assets) yield `${JSON.stringify({ asset })}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`, { flush: true }))
  await rename(`${path}.part`, path)
}

function lineOf(text: string, number: number): ReturnType<typeof readLine> {
  try {
    return readLine(JSON.parse(text))
  } catch (error) {
    throw unreadable(number, (error as Error).message)
  }
}

const unreadable = (number: number, why: string) =>
  new Problem('invalid-request', `Line ${number} of ${manifestName} cannot be read: ${why}`)
