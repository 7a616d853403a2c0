import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { hashToken, newToken } from '../../secrets.ts'

/** Takes what a person began in this session. It is there once: from now on under a name that nobody else knows. */
export const takePending = (db: Db, state: string, session: string) =>
  db
    .updateTable('connection_sign_ins')
    .set({ state_hash: hashToken(newToken()) })
    .where('state_hash', '=', hashToken(state))
    .where('session_hash', '=', hashToken(session))
    .returning(['client_id', 'connection_id', 'provider', 'sealed_verifier', 'state_hash'])
    .returning(sql<boolean>`expires_at < now()`.as('isLate'))
    .executeTakeFirst()

/** False when it was ended while the vendor was asked. */
export const finishPending = async (trx: Trx, { state_hash }: { state_hash: string }): Promise<boolean> =>
  (await trx
    .deleteFrom('connection_sign_ins')
    .where('state_hash', '=', state_hash)
    .returning('state_hash')
    .executeTakeFirst()) !== undefined

/** Whoever is at the vendor for this connection comes back in vain: they meant it as it was. */
export const endPending = (trx: Trx, clientId: string, connectionId: string) =>
  trx
    .deleteFrom('connection_sign_ins')
    .where('client_id', '=', clientId)
    .where('connection_id', '=', connectionId)
    .execute()

export const forgetOldSignIns = (db: Db) =>
  db.deleteFrom('connection_sign_ins').where('expires_at', '<', sql<Date>`now()`).execute()
