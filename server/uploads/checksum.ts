import { sql } from 'kysely'
import { originalKey, type VersionRow, versionIfThere } from '../assets/asset.ts'
import { cannotBeRead } from '../assets/lost-work.ts'
import { isOutage } from '../http/answers.ts'
import type { Attempt, JobData } from '../jobs/jobs.ts'
import { change, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { asSource } from '../storage/as-source.ts'
import { type Checksums, checksumsOf, refuseOtherChecksum } from './verify.ts'

/** Adds the checksums of a large file after its finalization. Done twice, it writes the same. */
export async function addChecksums(
  parts: Parts,
  { clientId, assetId, version }: JobData['checksum'],
  { last }: Attempt,
): Promise<void> {
  const library = makeLibrary(parts, clientId, system)
  const row = await versionIfThere(library.db, library, assetId, version)
  if (!row || row.sha256) return
  const source = asSource(library, originalKey(row), row.size_bytes)
  const checksums = await checksumsOf(source.scan()).catch(async (error) => {
    // In an outage it goes on waiting: the sweep queues it again.
    if (last && !isOutage(error)) await write(library, row, { problem: cannotBeRead })
    throw error
  })
  const { expected_sha256 } = await library.db
    .selectFrom('upload_sessions')
    .select('expected_sha256')
    .where('client_id', '=', clientId)
    .where('id', '=', row.upload_id)
    .executeTakeFirstOrThrow()
  const problem = problemWith(() => refuseOtherChecksum(checksums, expected_sha256))

  await write(library, row, { checksums, problem })
}

/** On the asset only of its current version. */
const write = (
  library: Library,
  { asset_id: assetId, version }: VersionRow,
  { checksums, problem }: { checksums?: Checksums; problem?: string | undefined },
) =>
  change(library, async (its) => {
    const sha256 = checksums?.sha256 ?? null
    const current = await its.trx
      .updateTable('assets')
      .set({ sha256, ...(problem && { media_state: 'failed', media_problem: problem }) })
      .set({ revision: sql`revision + 1` })
      .where('client_id', '=', library.clientId)
      .where('id', '=', assetId)
      .where('version', '=', version)
      .returning('media_state')
      .executeTakeFirst()
    // After the asset: that is the order in which everybody locks them.
    await its.trx
      .updateTable('asset_versions')
      .set({ ...checksums, ...(problem && { media_problem: problem }) })
      .where('client_id', '=', library.clientId)
      .where('asset_id', '=', assetId)
      .where('version', '=', version)
      .execute()
    if (current) its.tell('asset.media', assetId, { version, state: current.media_state, sha256 })
  })

function problemWith(check: () => void): string | undefined {
  try {
    check()
  } catch (error) {
    return (error as Error).message
  }
}
