import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { Strict } from '../../contract/words.ts'
import { bodyReader } from '../http/requests.ts'
import { Problem } from '../problems.ts'
import { PortableAsset } from './portable-asset.ts'
import { allSections } from './sections.ts'
import { FirstLine, PathsAsIds } from './without-ids.ts'

/** Beside the files of an exported library: one JSON object a line, the heading first, then section by section. */
export const manifestName = 'library.jsonl'

const heading = { format: 'client-asset-library', formatVersion: 2 } as const

export interface PortableLibrary {
  assets: PortableAsset[]
  /** The lines of each section, by its name. */
  sections: Record<string, unknown[]>
}

const readLine = bodyReader(
  Type.Union([
    Strict({ format: Type.Literal(heading.format), formatVersion: Type.Literal(heading.formatVersion) }),
    Strict({ asset: PortableAsset }),
    ...allSections.map(({ name, line }) => Strict({ [name]: line })),
  ]),
) as (line: unknown) => object
const readFirst = bodyReader(FirstLine)

export async function readManifest(dir: string): Promise<PortableLibrary> {
  const library: PortableLibrary = { assets: [], sections: {} }
  const paths = new PathsAsIds()
  let number = 0
  let isFirst = false
  for await (const text of createInterface({ input: createReadStream(join(dir, manifestName), 'utf8') })) {
    number++
    if (number === 1) isFirst = /"formatVersion"\s*:\s*1\b/.test(text)
    const line = isFirst ? lineOf(readFirst, text, number) : lineOf(readLine, text, number)
    if ((number === 1) !== 'format' in line) throw unreadable(number, 'the heading must come first')
    if (isFirst) addFirst(library, paths, line as ReturnType<typeof readFirst>)
    else if ('asset' in line) library.assets.push(line.asset as PortableAsset)
    else if (number > 1) addTo(library.sections, line)
  }
  if (number === 0) throw unreadable(1, 'it is empty')
  return isFirst ? { ...library, sections: { folder: paths.folders } } : library
}

function addTo(sections: PortableLibrary['sections'], line: object): void {
  for (const [name, its] of Object.entries(line)) {
    sections[name] ??= []
    sections[name].push(its)
  }
}

function addFirst(library: PortableLibrary, paths: PathsAsIds, line: ReturnType<typeof readFirst>): void {
  if ('folder' in line) paths.folder(line.folder)
  if ('asset' in line) library.assets.push(paths.asset(line.asset))
}

/** Whole or not at all, and for its owner alone: it says more than the files do. */
export async function writeManifest(dir: string, { assets, sections }: PortableLibrary): Promise<void> {
  const path = join(dir, manifestName)
  function* lines() {
    yield textOf(heading)
    for (const { name } of allSections)
      for (const line of sections[name] ?? []) yield textOf({ [name]: line })
    for (const asset of assets) yield textOf({ asset })
  }
  await pipeline(Readable.from(lines()), createWriteStream(`${path}.part`, { flush: true, mode: 0o600 }))
  await rename(`${path}.part`, path)
}

const textOf = (line: object) => `${JSON.stringify(line)}\n`

function lineOf<Line>(read: (line: unknown) => Line, text: string, number: number): Line {
  try {
    return read(JSON.parse(text))
  } catch (error) {
    throw unreadable(number, (error as Error).message)
  }
}

const unreadable = (number: number, why: string) =>
  new Problem('invalid-request', `Line ${number} of ${manifestName} cannot be read: ${why}`)
