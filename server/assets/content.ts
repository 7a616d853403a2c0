import type { ContentQuery } from '../../contract/assets.ts'
import type { LongFile } from '../http/file-answers.ts'
import { downloaded, type Library } from '../library.ts'
import { assetRow, originalKey, versionRow } from './asset.ts'
import { filenameOf } from './filenames.ts'

/** The original as it was uploaded, of this version or the one asked for. */
export async function originalFile(
  library: Library,
  assetId: string,
  query: ContentQuery,
): Promise<LongFile> {
  const asset = await assetRow(library.db, library, assetId)
  const version = await versionRow(library.db, library, asset.id, query.version ?? asset.version)
  return {
    sizeBytes: version.size_bytes,
    mimeType: version.mime_type,
    // What lies under a version's key never changes, so the key itself tells states apart.
    etag: `"${version.upload_id}"`,
    filename: filenameOf(asset.title, version.mime_type),
    disposition: query.download ? 'attachment' : 'inline',
    // Whoever only looks at it in a page takes no copy home.
    begins: query.download
      ? () =>
          downloaded(library, {
            action: 'asset.downloaded',
            thing: asset.id,
            name: asset.title,
            details: { version: version.version },
          })
      : undefined,
    scan: (range, signal) => library.storage.scan(originalKey(version), range, signal),
  }
}
