import { callerById } from '../access/callers.ts'
import type { Parts } from '../library.ts'
import type { MayPut } from '../storage/storage.ts'
import { isOver, sessionOfKey } from './session.ts'

/** A URL dies with its upload, and with the rights of whoever was given it. */
export const mayPut =
  ({ db }: Pick<Parts, 'db'>): MayPut =>
  async ({ clientId, key }, holder) => {
    const session = await db
      .selectFrom('upload_sessions')
      .select(['status', 'expires_at'])
      .where('client_id', '=', clientId)
      .where('id', '=', sessionOfKey(key))
      .executeTakeFirst()
    if (session?.status !== 'open' || isOver(session)) return false
    const found = await callerById(db, holder, clientId)
    return found?.visibleClientId === clientId && found.caller.permissions.has('assets:write')
  }
