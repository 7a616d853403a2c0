import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Library } from '../library.ts'
import type { Inspection } from '../media/pictures/inspection.ts'
import { objectMissing, Problem } from '../problems.ts'
import { asSource } from '../storage/as-source.ts'
import type { StoredSource } from '../storage/scratch.ts'
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
 * Looks at bytes that no presigned URL can reach any more; what is true of them now stays true. They are read from their
 * store once: for the checksums and for whoever scans them, and then they are at hand for the decoders.
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

  const source = asSource(library, key, sizeBytes)
  try {
    return { ...(await lookedAt(library, source, session)), sizeBytes }
  } catch (error) {
    source.release()
    throw error
  }
}

async function lookedAt(library: Library, source: StoredSource, session: SessionRow) {
  const isReadNow = source.sizeBytes <= largestReadAtOnce || library.malware.isOn
  const reading = isReadNow ? checksumsOf(library.malware.passing(source.scan())) : null
  if (!source.path) await reading
  const [inspection, checksums] = await Promise.all([
    library.media.inspect(source, session.mime_type),
    reading,
  ])
  if (checksums) refuseOtherChecksum(checksums, session.expected_sha256)
  return { ...inspection, checksums }
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
