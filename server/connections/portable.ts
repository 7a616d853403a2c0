import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type ConnectionKind, connectionKinds } from '../../contract/connection-kinds.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'
import { withoutLogin } from './connections.ts'

const PortableConnection = Strict({
  connectionId: Type.String({ minLength: 1, maxLength: 100 }),
  kind: Type.Enum(Object.keys(connectionKinds) as ConnectionKind[]),
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  settings: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
  removedAt: Nullable(Timestamp),
})
type PortableConnection = Static<typeof PortableConnection>

/** Removed ones too, for the ledger points to them. What opens the account stays behind. */
export const connectionsSection = section({
  name: 'connection',
  line: PortableConnection,
  write: async ({ db, clientId }) =>
    (
      await db.selectFrom('connections').selectAll().where('client_id', '=', clientId).orderBy('id').execute()
    ).map((row) => ({
      connectionId: row.id,
      kind: row.kind,
      name: row.name,
      settings: row.settings,
      createdAt: row.created_at.toISOString(),
      removedAt: row.removed_at?.toISOString() ?? null,
    })),
  async read(library, connections, ids) {
    await ids.settle(
      'connection',
      connections.map(({ connectionId }) => connectionId),
      (some) =>
        library.db
          .selectFrom('connections')
          .select(['id', 'client_id'])
          .where(sql<boolean>`id = any(${some}::text[])`)
          .execute(),
    )
    return inChunks(connections, (some) => takeIn(library, some, ids))
  },
})

const takeIn = (library: Library, connections: PortableConnection[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const made = await its.trx
      .insertInto('connections')
      .values(
        connections.map(({ connectionId, kind, name, settings, createdAt, removedAt }) => ({
          client_id: library.clientId,
          id: ids.of(connectionId),
          kind,
          name,
          settings: JSON.stringify(settings),
          ...withoutLogin(kind),
          created_at: createdAt,
          created_by: library.caller.id,
          removed_at: removedAt,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'kind', 'name'])
      .execute()
    for (const { id, kind, name } of made) its.tell('connection.created', id, { kind, name })
    return { made: made.length, there: connections.length - made.length, refused: [] }
  })
