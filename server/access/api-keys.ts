import type { ApiKey, ApiKeyWithSecret, NewApiKey } from '../../contract/access.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { forgetAnswersTo } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Reader } from '../db/database.ts'
import { knownId, newId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound } from '../problems.ts'
import { hashToken, newToken } from '../secrets.ts'
import { namedClients } from './named-clients.ts'

export async function createApiKey(
  db: Db,
  maker: Caller,
  input: NewApiKey,
  idempotencyKey?: IdempotencyKey,
): Promise<ApiKeyWithSecret> {
  return changePlatform(
    db,
    maker,
    async ({ trx, note }) => {
      const clientIds = await namedClients(trx, input.clientIds)
      const keyId = newId('key')
      const apiKey = newToken('cal_')
      await trx
        .insertInto('api_keys')
        .values({
          id: keyId,
          name: input.name.trim(),
          role: input.role,
          token_hash: hashToken(apiKey),
          created_by: maker.id,
        })
        .execute()
      await trx
        .insertInto('api_key_clients')
        .values(clientIds.map((client_id) => ({ client_id, key_id: keyId })))
        .execute()
      const key = toApiKey(await keyRows(trx).where('id', '=', keyId).executeTakeFirstOrThrow())
      note({ ...about(key), action: 'key.created' })
      return { ...key, apiKey }
    },
    idempotencyKey,
  )
}

export const listApiKeys = async (db: Db): Promise<ApiKey[]> =>
  (await keyRows(db).orderBy('created_at').orderBy('id').execute()).map(toApiKey)

export const deleteApiKey = (db: Db, remover: Caller, keyId: string): Promise<void> =>
  changePlatform(db, remover, async ({ trx, note }) => {
    const row = await keyRows(trx).where('id', '=', knownId('key', keyId)).forUpdate().executeTakeFirst()
    if (!row) throw notFound('No key')
    await trx.deleteFrom('api_keys').where('id', '=', row.id).execute()
    await forgetAnswersTo(trx, [row.id])
    note({ ...about(toApiKey(row)), action: 'key.deleted' })
    await rightsChanged(trx)
  })

const about = ({ keyId, name, role, clientIds }: ApiKey) => ({
  thing: keyId,
  name,
  details: { role, clientIds },
})

const keyRows = (db: Reader) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'role', 'created_at', 'last_used_at'])
    // Agents that people signed in are no keys that anybody holds: see `agent-sign-in`.
    .where('user_id', 'is', null)
    .select((eb) =>
      eb
        .selectFrom('api_key_clients')
        .select(({ fn }) => fn<string[]>('array_agg', ['client_id']).as('ids'))
        .whereRef('api_key_clients.key_id', '=', 'api_keys.id')
        .as('client_ids'),
    )

type KeyRow = Awaited<ReturnType<ReturnType<typeof keyRows>['executeTakeFirstOrThrow']>>

const toApiKey = (row: KeyRow): ApiKey => ({
  keyId: row.id,
  name: row.name,
  role: row.role,
  clientIds: row.client_ids ?? [],
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
