import type { Reader } from '../db/database.ts'
import { knownId } from '../ids.ts'
import { notFound } from '../problems.ts'

/** The clients a body names, each of them there. */
export async function namedClients(db: Reader, clientIds: string[]): Promise<string[]> {
  const wanted = [...new Set(clientIds.map((id) => knownId('client', id)))]
  if (wanted.length === 0) return []
  const found = await db
    .selectFrom('client_counters')
    .select('client_id')
    .where('client_id', 'in', wanted)
    .execute()
  if (found.length < wanted.length) throw notFound('No client')
  return wanted
}
