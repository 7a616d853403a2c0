import { callerById } from '../access/callers.ts'
import type { Db } from '../db/database.ts'
import type { Caller, Parts } from '../library.ts'
import type { MayPut } from '../storage/storage.ts'
import { isOver, sessionOfKey, stagingKey } from './session.ts'

/** Whom a URL is given to, and when. */
export const holderOf = ({ id }: Pick<Caller, 'id'>) => `${id} ${Date.now()}`

/**
 * A URL dies with its upload, and with the rights and the password of whoever was given it. A guest has neither: what
 * asked for the file says whether it still does.
 */
export const mayPut =
  (
    { db, config }: Pick<Parts, 'db' | 'config'>,
    isAskedFor: (clientId: string, uploadRequestId: string) => Promise<boolean>,
  ): MayPut =>
  async ({ clientId, key }, holder) => {
    const session = await db
      .selectFrom('upload_sessions')
      .select(['id', 'status', 'expires_at', 'in_parts', 'upload_request_id', 'received_as'])
      .where('client_id', '=', clientId)
      .where('id', '=', sessionOfKey(key))
      .executeTakeFirst()
    if (session?.status !== 'open' || isOver(session)) return false
    if (session.received_as !== null) return false
    if (session.in_parts && key === stagingKey(session)) return false
    if (session.upload_request_id !== null) return isAskedFor(clientId, session.upload_request_id)
    const [callerId = '', givenAt] = holder.split(' ')
    const found = await callerById({ db, config }, callerId, clientId)
    return (
      found?.visibleClientId === clientId &&
      found.caller.permissions.has('assets:write') &&
      !(await endedSince(db, callerId, new Date(Number(givenAt ?? 0))))
    )
  }

const endedSince = (db: Db, userId: string, time: Date) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('sessions_ended_at', '>=', time)
    .executeTakeFirst()
