import { change, type Library, libraryOf, type Parts, system } from '../library.ts'
import { finalPrefix, type SessionRow, stagingPrefix } from './session.ts'

const slack = 60_000

/**
 * Ends sessions whose time is over and removes what uploads left behind: bytes nobody finalized, copies of
 * attempts that died. A session is done with when its last URL has expired and its staging is empty.
 */
export async function sweepUploads(parts: Parts): Promise<{ expired: number; swept: number }> {
  let expired = 0
  let swept = 0
  for (;;) {
    const due = await parts.db
      .selectFrom('upload_sessions')
      .selectAll()
      .where('swept', '=', false)
      .where('sweep_at', '<=', new Date())
      .orderBy('sweep_at')
      .limit(100)
      .execute()
    if (due.length === 0) return { expired, swept }
    for (const session of due) {
      const library = libraryOf(parts, session.client_id, system)
      if (session.status === 'open') expired += await expire(library, session)
      else swept += await sweepSession(library, session)
    }
  }
}

/** How many sessions the next sweep would look at. */
export async function dueUploads({ db }: Pick<Parts, 'db'>): Promise<number> {
  const { due } = await db
    .selectFrom('upload_sessions')
    .select(({ fn }) => fn.countAll<number>().as('due'))
    .where('swept', '=', false)
    .where('sweep_at', '<=', new Date())
    .executeTakeFirstOrThrow()
  return due
}

async function expire(library: Library, session: SessionRow): Promise<number> {
  return change(library, async (its) => {
    // Somebody may be finalizing it this very moment; then it is looked at again when the claim has run out.
    const row = await its.trx
      .selectFrom('upload_sessions')
      .select(['claimed_until', 'status'])
      .where('client_id', '=', session.client_id)
      .where('id', '=', session.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const claimed = row.claimed_until !== null && row.claimed_until > new Date()
    if (row.status !== 'open') return 0
    await its.trx
      .updateTable('upload_sessions')
      .set(claimed ? { sweep_at: row.claimed_until! } : { status: 'expired', sweep_at: new Date() })
      .where('client_id', '=', session.client_id)
      .where('id', '=', session.id)
      .execute()
    if (claimed) return 0
    its.tell('upload.expired', session.id, { originalFilename: session.original_filename })
    its.count({ reserved: -session.expected_size_bytes })
    return 1
  })
}

async function sweepSession(library: Library, session: SessionRow): Promise<number> {
  await clearStaging(library, session)
  await clearAttempts(library, session)
  const lastUrl = session.urls_expire_at.getTime() + slack
  const over = lastUrl <= Date.now()
  await library.db
    .updateTable('upload_sessions')
    .set(over ? { swept: true } : { sweep_at: new Date(lastUrl) })
    .where('client_id', '=', session.client_id)
    .where('id', '=', session.id)
    .execute()
  return over ? 1 : 0
}

export const clearStaging = (library: Library, session: { id: string }) =>
  removeBelow(library, stagingPrefix(session))

/** Copies that finalization made and did not keep. What an asset stands on is told by its version's row. */
async function clearAttempts(library: Library, session: SessionRow): Promise<void> {
  const kept = await library.db
    .selectFrom('asset_versions')
    .select('object_prefix')
    .where('client_id', '=', library.clientId)
    .where('asset_id', '=', session.asset_id)
    .where('upload_id', '=', session.id)
    .executeTakeFirst()
  await removeBelow(library, finalPrefix(session), kept && `${kept.object_prefix}/`)
}

export async function removeBelow(library: Library, prefix: string, except?: string): Promise<void> {
  const keys: string[] = []
  for await (const { key } of library.storage.list(prefix))
    if (!except || !key.startsWith(except)) keys.push(key)
  if (keys.length > 0) await library.storage.delete(keys)
}
