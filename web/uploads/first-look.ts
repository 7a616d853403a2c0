import type { MediaType } from '../../contract/media-types.ts'
import type { Limits } from './limits.ts'
import { isTakenEnding, trueType } from './true-type.ts'
import type { Failure } from './upload.ts'

/** The type of a file that may be sent, or why it may not: told before any byte travels. */
export async function firstLook(file: File, limits: Limits): Promise<MediaType | Failure> {
  if (file.size === 0) return { code: 'empty' }
  const type = await trueType(file).catch(() => undefined)
  if (!type) return { code: 'unreadable-file' }
  if (typeof type === 'object')
    return isTakenEnding(type.other)
      ? { code: 'type-mismatch' } // “JPG is not supported, use JPG” helps nobody
      : { code: 'unsupported-type', values: { type: type.other } }
  const mostBytes = (await limits.read().catch(() => undefined))?.maxSizeBytes[type]
  if (mostBytes !== undefined && file.size > mostBytes) return { code: 'too-large', values: { mostBytes } }
  return type
}
