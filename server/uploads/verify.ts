import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Library } from '../library.ts'
import type { Inspection } from '../media/pictures/inspection.ts'
import { objectMissing, Problem } from '../problems.ts'
import { asSource } from '../storage/as-source.ts'
import type { SessionRow } from './session.ts'

/** Larger files get their checksums from a job, so that finalization stays quick. */
const largestReadAtOnce = 64 * 1024 ** 2

export interface Checksums {
  sha256: string
  crc32: number
}

export interface Verified extends Inspection {
  sizeBytes: number
  checksums: Checksums | null
}

/**
 * Looks at bytes that no presigned URL can reach any more; what is true of them now stays true. Where a scanner looks
 * through them, they are read but once.
 */
export async function verify(library: Library, key: string, session: SessionRow): Promise<Verified> {
  const stored = await library.storage.head(key)
  if (!stored) throw objectMissing()
  const { sizeBytes } = stored
  if (sizeBytes !== session.expected_size_bytes)
    throw new Problem(
      'size-mismatch',
      `The file has ${sizeBytes} bytes, not the ${session.expected_size_bytes} announced. Open a new session for it.`,
    )

  const [inspection, checksums] = await Promise.all([
    library.media.inspect(asSource(library.storage, key, sizeBytes), session.mime_type),
    sizeBytes <= largestReadAtOnce || library.malware.isOn
      ? checksumsOf(library.malware.passing(library.storage.scan(key)))
      : null,
  ])
  if (checksums) refuseOtherChecksum(checksums, session.expected_sha256)
  return { ...inspection, sizeBytes, checksums }
}

/** Both in one pass. */
export async function checksumsOf(bytes: AsyncIterable<Uint8Array>): Promise<Checksums> {
  const sha256 = createHash('sha256')
  let crc = 0
  for await (const chunk of bytes) {
    sha256.update(chunk)
    crc = crc32(chunk, crc)
  }
  return { sha256: sha256.digest('hex'), crc32: crc }
}

export function refuseOtherChecksum({ sha256 }: Checksums, expected: string | null): void {
  if (expected !== null && expected !== sha256)
    throw new Problem(
      'checksum-mismatch',
      'The file does not have the SHA-256 announced. Send it again in a new session.',
    )
}
