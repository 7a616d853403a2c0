import { sql } from 'kysely'
import type { ClientRemoval, RemoveClient } from '../../contract/clients.ts'
import { openStatuses } from '../../contract/deliveries.ts'
import { removeUsers } from '../access/delete-user.ts'
import { forgetPrincipals } from '../changes/audit-trail.ts'
import { forgetAnswersTo } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import { connectionRows } from '../connections/row.ts'
import { queueWithdrawal } from '../connections/sign-in/withdraw.ts'
import type { Trx } from '../db/database.ts'
import { knownId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { clientTables, deleteRows, openedByTokens } from './client-tables.ts'
import { toRemoval } from './removals.ts'

/**
 * Takes a client out of everybody's reach, and lets a job remove what it had. A client is open for as long as it has
 * its counters: every change ends with them, so one that is under way is either before this, or refused.
 */
export const removeClient = (
  parts: Pick<Parts, 'db' | 'jobs' | 'config'>,
  asker: Caller,
  clientId: string,
  { confirmName }: RemoveClient,
): Promise<ClientRemoval> =>
  changePlatform(parts.db, asker, async ({ trx, note }) => {
    const client = await trx
      .selectFrom('client_counters')
      .innerJoin('clients', 'clients.id', 'client_counters.client_id')
      .select(['clients.id', 'clients.name', 'stored_bytes'])
      .where('clients.id', '=', knownId('client', clientId))
      .forUpdate()
      .executeTakeFirst()
    if (!client) throw notFound('No client')
    if (confirmName.trim() !== client.name)
      throw new Problem('invalid-request', 'confirmName is not the name of this client.', {
        extra: { errors: [{ path: '/confirmName', message: 'must be the name of the client' }] },
      })
    await refuseHeld(trx, client.id)
    await refuseSending(trx, client.id)

    for (const connection of await connectionRows(trx, { clientId: client.id }).execute())
      await queueWithdrawal(parts, trx, connection)
    const lastUrl = await lastUploadUrl(trx, client.id)
    const rows = { ...(await endAccess(trx, client.id)), ...(await removeTokens(trx, client.id)) }
    const removal = await trx
      .insertInto('client_removals')
      .values({
        client_id: client.id,
        asked_by: asker.id,
        stored_bytes: client.stored_bytes,
        rows: JSON.stringify(rows),
        look_again_at: lastUrl,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await parts.jobs.send(trx, 'remove-client', { clientId: client.id })
    await rightsChanged(trx)
    note({ action: 'client.removal-asked', thing: client.id, clientId: client.id })
    return toRemoval(removal)
  })

async function refuseHeld(trx: Trx, clientId: string): Promise<void> {
  const held = await trx
    .selectFrom('assets')
    .select(['title', 'hold_reason as reason'])
    .where('client_id', '=', clientId)
    .where('held_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (held)
    throw new Problem(
      'legal-hold',
      'Something of it is under a legal hold. Lift all holds of the client first.',
      { extra: { params: held } },
    )
}

async function refuseSending(trx: Trx, clientId: string): Promise<void> {
  const open = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('client_id', '=', clientId)
    .where('status', 'in', openStatuses)
    .limit(1)
    .executeTakeFirst()
  if (open)
    throw new Problem('in-use', `The delivery ${open.id} is under way. Wait for its end, or cancel it first.`)
}

const longestPut = 24 * 3600

/** When the last URL that was given out can have brought something; null without any. */
async function lastUploadUrl(trx: Trx, clientId: string): Promise<Date | null> {
  const row = await trx
    .selectFrom('upload_sessions')
    .select(sql<Date | null>`max(urls_expire_at) + make_interval(secs => ${longestPut})`.as('at'))
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Its people and keys: those that see nothing else go with it, all others lose sight of it. */
async function endAccess(trx: Trx, clientId: string): Promise<Record<string, number>> {
  await trx.deleteFrom('client_counters').where('client_id', '=', clientId).execute()
  const users = await trx
    .selectFrom('users')
    .innerJoin('user_clients', 'user_clients.user_id', 'users.id')
    .select('users.id')
    .where('user_clients.client_id', '=', clientId)
    .where('users.role', '=', 'client')
    .execute()
  await removeUsers(
    trx,
    users.map(({ id }) => id),
  )
  const keys = await trx
    .deleteFrom('api_keys')
    .where(
      sql<boolean>`exists (select from api_key_clients c where c.key_id = api_keys.id and c.client_id = ${clientId})
        and not exists (select from api_key_clients c where c.key_id = api_keys.id and c.client_id <> ${clientId})`,
    )
    .returning('id')
    .execute()
  const keyIds = keys.map(({ id }) => id)
  await forgetAnswersTo(trx, keyIds)
  await forgetPrincipals(trx, keyIds)
  const others = await deleteRows(trx, 'user_clients', clientId)
  const otherKeys = await deleteRows(trx, 'api_key_clients', clientId)
  return {
    users: users.length,
    user_clients: others + users.length,
    api_keys: keys.length,
    api_key_clients: otherKeys + keys.length,
  }
}

/** Whatever is opened by a secret of its own, and by no login. */
async function removeTokens(trx: Trx, clientId: string): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const { name } of openedByTokens(await clientTables(trx)))
    gone[name] = await deleteRows(trx, name, clientId)
  return gone
}
