import type { Selectable } from 'kysely'
import type { AdsConnection, AdsConnectionChange, NewAdsConnection } from '../../contract/diagnostics.ts'
import { visibleClient } from '../access/visible.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import type { AdsConnectionsTable } from '../db/schema.ts'
import { newId } from '../ids.ts'
import type { Caller } from '../library.ts'
import { notFound } from '../problems.ts'

export async function adsConnection(
  db: Db,
  caller: Caller,
  provider: string,
  connectionId: string,
): Promise<AdsConnection> {
  const row = await db
    .selectFrom('ads_connections')
    .selectAll()
    .where('id', '=', connectionId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (!row) throw notFound()
  await visibleClient(db, caller, row.client_id)
  return toConnection(row)
}

export async function createAdsConnection(
  db: Db,
  caller: Caller,
  provider: string,
  input: NewAdsConnection,
  idempotencyKey?: IdempotencyKey,
): Promise<AdsConnection> {
  const clientId = await visibleClient(db, caller, input.clientId)
  return changePlatform(
    db,
    caller,
    async ({ trx, note }) => {
      const made = toConnection(
        await trx
          .insertInto('ads_connections')
          .values({
            client_id: clientId,
            id: newId('connection'),
            provider,
            status: input.status,
            ...columnsOf(input),
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      note({ ...about(made), action: 'ads-connection.created' })
      return made
    },
    idempotencyKey,
  )
}

export async function changeAdsConnection(
  db: Db,
  caller: Caller,
  provider: string,
  connectionId: string,
  input: AdsConnectionChange,
): Promise<AdsConnection> {
  const { clientId } = await adsConnection(db, caller, provider, connectionId)
  return changePlatform(db, caller, async ({ trx, note }) => {
    const row = await trx
      .updateTable('ads_connections')
      .set({ ...columnsOf(input), updated_at: new Date() })
      .where('client_id', '=', clientId)
      .where('id', '=', connectionId)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound()
    const changed = toConnection(row)
    note({ ...about(changed), action: 'ads-connection.updated' })
    return changed
  })
}

const about = ({ connectionId, clientId, provider, account, status }: AdsConnection) => ({
  thing: connectionId,
  clientId,
  name: account,
  details: { provider, status },
})

const columnsOf = (input: AdsConnectionChange) => ({
  ...(input.status !== undefined && { status: input.status }),
  ...(input.account !== undefined && { account: input.account }),
  ...(input.scopes !== undefined && { scopes: input.scopes }),
  ...(input.expiresAt !== undefined && { expires_at: input.expiresAt }),
  ...(input.lastSyncAt !== undefined && { last_sync_at: input.lastSyncAt }),
  ...(input.lastError !== undefined && { last_error: input.lastError }),
})

const toConnection = (row: Selectable<AdsConnectionsTable>): AdsConnection => ({
  connectionId: row.id,
  clientId: row.client_id,
  provider: row.provider,
  status: row.status as AdsConnection['status'],
  account: row.account,
  scopes: row.scopes,
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastSyncAt: row.last_sync_at?.toISOString() ?? null,
  lastError: row.last_error,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
