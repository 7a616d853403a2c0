import { fileTypeFromBuffer } from 'file-type'
import {
  allMediaTypes,
  bearsOut,
  fullNameOfType,
  headBytes,
  isMediaType,
  type MediaType,
  typeOfHead,
} from '../../../contract/media-types.ts'
import { Refusal, unreadable } from './refusal.ts'
import type { Source } from './source.ts'

/** The declared type, once the first bytes bear it out. Decoders must agree later on. */
export async function agreedType(source: Source, declaredType: string): Promise<MediaType> {
  if (!isMediaType(declaredType)) {
    throw new Refusal(
      'unsupported-type',
      `${declaredType || 'A file without a type'} is not taken. Upload a ${taken} file.`,
    )
  }
  if (source.sizeBytes === 0) throw unreadable('The file is empty. Choose it again and upload it once more.')

  const found = await typeOf(await source.read(0, Math.min(source.sizeBytes, headBytes)))
  if (found && bearsOut(found, declaredType)) return declaredType
  if (found) throw isAnother(declaredType, found)
  const name = fullNameOfType(declaredType)
  throw new Refusal(
    'type-mismatch',
    `The file was announced as ${name}, but its bytes are something else. Export it again as ${name}.`,
  )
}

export const isAnother = (declared: MediaType, found: string) =>
  new Refusal(
    'type-mismatch',
    `The file was announced as ${fullNameOfType(declared)}, but it is ${fullNameOfType(found)}. ${
      isMediaType(found) ? `Upload it as ${found}.` : `That type is not taken: export it as ${taken}.`
    }`,
  )

const taken = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(allMediaTypes.map(fullNameOfType))

/** What is taken is told by our own table alone; the library only has names for the rest. */
export async function typeOf(head: Uint8Array): Promise<string | undefined> {
  const known = typeOfHead(head)
  if (known) return known
  const other = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  return other && isMediaType(other) ? undefined : other
}
