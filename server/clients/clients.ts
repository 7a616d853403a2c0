import { sql } from 'kysely'
import type {
  Client,
  ClientChange,
  ClientPage,
  ClientQuery,
  ClientRecord,
  NewClient,
} from '../../contract/clients.ts'
import { clientsOf } from '../access/visible.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Config } from '../config.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import type { Db, Reader } from '../db/database.ts'
import { knownId, newId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { notFound } from '../problems.ts'

export async function createClient(
  db: Db,
  maker: Caller,
  limits: Config['limits'],
  input: NewClient,
  idempotencyKey?: IdempotencyKey,
): Promise<Client> {
  return changePlatform(
    db,
    maker,
    async ({ trx, note }) => {
      const clientId = newId('client')
      await trx
        .insertInto('clients')
        .values({
          id: clientId,
          name: input.name.trim(),
          quota_bytes: input.quotaBytes ?? limits.defaultQuotaBytes,
        })
        .execute()
      await trx.insertInto('client_counters').values({ client_id: clientId }).execute()
      const client = await clientById(trx, clientId)
      note({ ...about(client), action: 'client.created' })
      return client
    },
    idempotencyKey,
  )
}

export const changeClient = (
  db: Db,
  changer: Caller,
  clientId: string,
  input: ClientChange,
): Promise<Client> =>
  changePlatform(db, changer, async ({ trx, note }) => {
    const changed = await trx
      .updateTable('clients')
      .set({
        updated_at: new Date(),
        ...(input.name !== undefined && { name: input.name.trim() }),
        ...(input.quotaBytes !== undefined && { quota_bytes: input.quotaBytes }),
        ...(input.approvedOnlySurfaces && {
          approved_only_surfaces: input.approvedOnlySurfaces.toSorted(),
        }),
        ...(input.ocrLanguages !== undefined && { ocr_languages: input.ocrLanguages }),
      })
      .where('id', '=', knownId('client', clientId))
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw notFound('No client')
    const client = await clientById(trx, clientId)
    note({ ...about(client), action: 'client.updated' })
    return client
  })

const about = ({ clientId, name, quotaBytes, approvedOnlySurfaces, ocrLanguages }: Client) => ({
  thing: clientId,
  clientId,
  name,
  details: { quotaBytes, approvedOnlySurfaces, ocrLanguages },
})

export async function listClients(db: Db, caller: Caller, query: ClientQuery): Promise<ClientPage> {
  const { limit = 50, cursor, q } = query
  let rows = clientRows(db)
    .orderBy('clients.name')
    .orderBy('clients.id')
    .limit(limit + 1)
  if (!caller.allClients) rows = rows.where('clients.id', 'in', clientsOf(db, caller))
  if (q) rows = rows.where('clients.name', 'ilike', `%${q.replace(/[\\%_]/g, '\\$&')}%`)
  if (cursor) {
    const [name, id] = readCursor(cursor, ['text', 'text'])
    rows = rows.where((eb) => eb(eb.refTuple('clients.name', 'clients.id'), '>', eb.tuple(name, id)))
  }
  const found = await rows.execute()
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    clients: page.map(toClient),
    nextCursor: found.length > limit && last ? writeCursor([last.name, last.id]) : null,
  }
}

export async function clientRecord(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  clientId: string,
): Promise<ClientRecord> {
  const client = await clientById(db, clientId)
  const ads = db
    .selectFrom('ads_connections')
    .select(['id', sql<string>`provider || '-ads'`.as('kind'), 'status', 'last_sync_at as at', 'last_error'])
    .where('client_id', '=', clientId)
  const connections = await db
    .selectFrom('connections')
    .select(['id', sql<string>`kind`.as('kind'), sql<string>`status`.as('status'), 'last_checked_at as at'])
    .select('last_error')
    .where('client_id', '=', clientId)
    .where('removed_at', 'is', null)
    .unionAll(ads)
    .orderBy('id')
    .execute()
  return {
    ...client,
    readsWords: config.ocr !== undefined,
    integrations: connections.map((row) => ({
      connectionId: row.id,
      kind: row.kind,
      status: row.status,
      lastCheckedAt: row.at?.toISOString() ?? null,
      lastError: row.last_error,
    })),
  }
}

export async function clientById(db: Reader, clientId: string): Promise<Client> {
  const row = await clientRows(db).where('clients.id', '=', clientId).executeTakeFirst()
  if (!row) throw notFound('No client')
  return toClient(row)
}

const clientRows = (db: Reader) =>
  db
    .selectFrom('clients')
    .innerJoin('client_counters', 'client_counters.client_id', 'clients.id')
    .select([
      'clients.id',
      'clients.name',
      'clients.quota_bytes',
      'clients.approved_only_surfaces',
      'clients.ocr_languages',
      'clients.created_at',
      'clients.updated_at',
      'client_counters.stored_bytes',
      'client_counters.reserved_bytes',
    ])

type ClientRow = Awaited<ReturnType<ReturnType<typeof clientRows>['executeTakeFirstOrThrow']>>

const toClient = (row: ClientRow): Client => ({
  clientId: row.id,
  name: row.name,
  quotaBytes: row.quota_bytes,
  storedBytes: row.stored_bytes,
  reservedBytes: row.reserved_bytes,
  approvedOnlySurfaces: row.approved_only_surfaces,
  ocrLanguages: row.ocr_languages,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
