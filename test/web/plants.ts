import { newId } from '../../server/ids.ts'
import { plainDetails } from '../plain-details.ts'
import type { World } from '../world.ts'

/** Assets without files, the first one the oldest. */
export async function plants(
  world: World,
  clientId: string,
  count: number,
  row: object = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('asset'))
  for (let at = 0; at < count; at += 1000) {
    const rows = ids.slice(at, at + 1000).map((id, i) => ({
      client_id: clientId,
      id,
      title: `Picture ${at + i + 1}.`,
      alt_text: 'A picture',
      original_filename: 'planted.png',
      mime_type: 'image/png',
      size_bytes: 1000 + at + i,
      details: plainDetails,
      media_state: 'failed',
      created_at: new Date(1_700_000_000_000 + 1000 * (at + i)),
      created_by: 'tests',
      ...row,
    }))
    await world.parts.db
      .insertInto('assets')
      .values(rows as never)
      .execute()
  }
  return ids
}
