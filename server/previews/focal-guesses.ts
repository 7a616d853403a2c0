import { sql } from 'kysely'
import type { MediaType } from '../../contract/media-types.ts'
import { type VersionRow, versionIfThere } from '../assets/asset.ts'
import { isOutage } from '../http/answers.ts'
import { makeLibrary, type Parts, system } from '../library.ts'
import { say } from './make-media.ts'
import { sourceOf } from './preview.ts'

/** In one run. The next one goes on. */
const most = 100

/** Guesses what to keep in view of pictures that were uploaded before that was done: one after the other, and one of each client in turn. */
export async function guessFocalPoints(parts: Parts): Promise<void> {
  for (const { client_id, asset_id, version: number } of await unguessed(parts)) {
    const library = makeLibrary(parts, client_id, system)
    const version = await versionIfThere(library.db, library, asset_id, number)
    if (version) await say(library, version, { focal_guess: await guessOf(parts, version) })
  }
}

/** Null where there is none to be had, which is not asked again. */
async function guessOf(parts: Parts, version: VersionRow): Promise<string | null> {
  const library = makeLibrary(parts, version.client_id, system)
  try {
    const thumb = [{ size: 'thumb', format: 'webp' } as const]
    const mimeType = version.mime_type as MediaType
    const { attention } = await library.media.looks(sourceOf(library, version), mimeType, thumb)
    return attention && JSON.stringify(attention)
  } catch (error) {
    if (isOutage(error)) throw error
    return null
  }
}

/** Whose previews are still to come gets its guess with them. */
const unguessed = async ({ db }: Parts): Promise<Pick<VersionRow, 'client_id' | 'asset_id' | 'version'>[]> =>
  (
    await sql<Pick<VersionRow, 'client_id' | 'asset_id' | 'version'>>`
      select its.client_id, its.asset_id, its.version from asset_versions its
      left join assets on assets.client_id = its.client_id and assets.id = its.asset_id and assets.version = its.version
      where its.focal_guess is null and not its.focal_tried and its.mime_type like 'image/%'
        and assets.media_state is distinct from 'pending'
      order by row_number() over (partition by its.client_id order by its.asset_id, its.version), its.client_id
      limit ${most}`.execute(db)
  ).rows
