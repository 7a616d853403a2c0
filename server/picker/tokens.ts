import { sql } from 'kysely'
import type { NewPickerToken, PickerToken } from '../../contract/picker.ts'
import { newPickerToken } from '../access/callers.ts'
import { visibleClient } from '../access/visible.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import type { Caller, Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { hashToken } from '../secrets.ts'

/** A working day: who picks again tomorrow says so again. */
const hours = 8
/** Of one login; the oldest go. */
const mostTokens = 20

/** Lets a person pick from one client's assets on a page of one other site, for as long as this login lasts. */
export async function allowPicker(
  { db, config }: Parts,
  person: Caller,
  sessionToken: string,
  { embedder, clientId }: NewPickerToken,
  idempotencyKey?: IdempotencyKey,
): Promise<PickerToken> {
  if (!config.embedOrigins.includes(embedder)) throw notAllowed(embedder)
  const client = await clientNamed(db, person, clientId)
  return changePlatform(
    db,
    person,
    async ({ trx, note }) => {
      const pickerToken = newPickerToken()
      const sessionHash = hashToken(sessionToken)
      const expiresAt = new Date(Date.now() + hours * 3_600_000)
      await trx
        .insertInto('picker_tokens')
        .values({
          token_hash: hashToken(pickerToken),
          session_hash: sessionHash,
          client_id: client.id,
          embedder,
          expires_at: expiresAt,
        })
        .execute()
      await sql`delete from picker_tokens where token_hash in (select token_hash from picker_tokens
        where session_hash = ${sessionHash} order by created_at desc, token_hash offset ${mostTokens})`.execute(
        trx,
      )
      const details = { embedder }
      note({
        action: 'login.picker-opened',
        thing: person.id,
        clientId: client.id,
        name: person.name,
        details,
      })
      const library = person.role === 'client' ? '/portal' : `/admin/clients/${client.id}`
      return {
        pickerToken,
        clientId: client.id,
        clientName: client.name,
        library,
        expiresAt: expiresAt.toISOString(),
      }
    },
    idempotencyKey,
  )
}

async function clientNamed(db: Db, person: Caller, asked: string | undefined) {
  const clientId = asked ?? person.clientId
  if (!clientId)
    throw new Problem('invalid-request', 'Say by its clientId whose assets are picked from.', {
      extra: { errors: [{ path: '/clientId', message: 'is needed' }] },
    })
  const id = await visibleClient(db, person, clientId)
  const client = await db.selectFrom('clients').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
  if (!client) throw notFound()
  return client
}

export const forgetOldPickerTokens = (db: Db) =>
  db.deleteFrom('picker_tokens').where('expires_at', '<', sql<Date>`now()`).execute()

const notAllowed = (embedder: string) =>
  new Problem(
    'embedding-not-allowed',
    `Pages at ${embedder} may not show this library. An administrator can name them in EMBED_ORIGINS.`,
  )
