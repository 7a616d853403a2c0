import { allMediaTypes } from '../../contract/media-types.ts'
import type { UploadLimits } from '../../contract/uploads.ts'
import { clientById } from '../clients/clients.ts'
import type { Config } from '../config.ts'
import type { Library } from '../library.ts'
import { Problem } from '../problems.ts'

// S3 and R2 take no more in one PUT.
export const largestPut = 5 * 1024 ** 3 - 5 * 1024 ** 2
export const mostParts = 10_000

export async function uploadLimits(library: Library, config: Config): Promise<UploadLimits> {
  const { limits } = library
  const { quotaBytes, storedBytes, reservedBytes } = await clientById(library.db, library.clientId)
  return {
    maxSizeBytes: largestOfEach(library),
    sessionLifetimeSeconds: limits.sessionSeconds,
    urlLifetimeSeconds: limits.urlSeconds,
    multipartFromBytes: limits.multipartFromBytes,
    uploadsHere: uploadsHere(config),
    trashDays: limits.trashDays,
    quota: { quotaBytes, storedBytes, reservedBytes },
  }
}

const uploadsHere = ({ storage, publicUrl }: Config) =>
  storage.kind === 'disk' && new URL(storage.url).origin === new URL(publicUrl).origin

/** How large a file of each type may be. */
export const largestOfEach = (library: Library): Record<string, number> =>
  Object.fromEntries(allMediaTypes.map((type) => [type, largest(library, type)]))

/** Of a type we do not take anyway, the larger limit counts: it is refused for its type, at finalization. */
export function refuseTooLarge(library: Library, mimeType: string, sizeBytes: number): void {
  const most = largest(library, mimeType)
  if (sizeBytes > most)
    throw new Problem(
      'too-large',
      `A file of this type may have ${most} bytes at most; this one has ${sizeBytes}. Make it smaller.`,
      { extra: { params: { mostBytes: most, sizeBytes } } },
    )
}

function largest({ limits }: Library, mimeType: string): number {
  if (mimeType.startsWith('image/')) return limits.maxImageBytes
  if (mimeType.startsWith('video/')) return limits.maxVideoBytes
  return Math.max(limits.maxImageBytes, limits.maxVideoBytes)
}

/** Parts large enough that there are not too many of them. */
export function partSize({ limits }: Library, sizeBytes: number): number | null {
  if (sizeBytes <= limits.multipartFromBytes) return null
  const MiB = 1024 ** 2
  return Math.max(limits.partSizeBytes, Math.ceil(sizeBytes / (mostParts - 1) / MiB) * MiB)
}
