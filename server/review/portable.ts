import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { AssetRef } from '../../contract/references.ts'
import { Nullable, Strict, Timestamp } from '../../contract/words.ts'
import { movedPeople, PortablePerson, peopleToMove } from '../access/portable.ts'
import { heldRows } from '../assets/assets.ts'
import { pinnedRef } from '../assets/ref.ts'
import { change, type Library } from '../library.ts'
import { inChunks, type MovedIds, section, type TakenIn } from '../section.ts'

const PortableApproval = Strict({
  assetRef: AssetRef,
  approval: Type.Enum(['pending', 'approved', 'changes-requested']),
  // Exports of before had an id alone, and the name of a guest beside it.
  by: Nullable(Type.Union([PortablePerson, Type.String({ maxLength: 100 })])),
  guest: Type.Optional(Nullable(Type.String({ maxLength: 120 }))),
  at: Nullable(Timestamp),
  note: Type.String({ maxLength: 2000 }),
})
type PortableApproval = Static<typeof PortableApproval>

/** What was said of each version. */
export const approvalsSection = section({
  name: 'approval',
  line: PortableApproval,
  write: writeApprovals,
  read: (library, approvals, ids) => inChunks(approvals, (some) => takeIn(library, some, ids)),
})

async function writeApprovals({ db, clientId }: Library): Promise<PortableApproval[]> {
  const rows = await db
    .selectFrom('asset_versions')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('approval', '<>', 'none')
    .orderBy('asset_id')
    .orderBy('version')
    .execute()
  const person = await peopleToMove(
    db,
    rows.map(({ approval_by }) => approval_by),
  )
  return rows.map((row) => ({
    assetRef: pinnedRef(row.asset_id, row.version),
    approval: row.approval as PortableApproval['approval'],
    by: row.approval_by === null ? null : person(row.approval_by, row.approval_guest),
    at: row.approval_at?.toISOString() ?? null,
    note: row.approval_note,
  }))
}

const personOf = ({ by, guest = null }: PortableApproval): PortablePerson | null =>
  typeof by === 'string' ? { id: by, name: guest } : by

/** Where somebody has said something here since, that counts. */
const takeIn = (library: Library, approvals: PortableApproval[], ids: MovedIds): Promise<TakenIn> =>
  change(library, async (its) => {
    const here = await movedPeople(its.trx, approvals.map(personOf), ids)
    const lines = approvals.map((line) => {
      const person = personOf(line)
      const { id = null, guestName = null } = person ? here(person) : {}
      return { ...line, assetRef: ids.refOf(line.assetRef), by: id, guest: guestName }
    })
    const assetIds = lines.map(({ assetRef }) => assetRef.split('@')[0]!)
    await heldRows(its, library, assetIds)
    const { rows } = await sql<{ id: string; version: number }>`
      update asset_versions v set approval = line.approval, approval_by = line.by, approval_guest = line.guest,
        approval_at = line.at, approval_note = line.note
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as line ("assetRef" text, approval text, by text, guest text, at timestamptz, note text)
      where v.client_id = ${library.clientId} and v.approval = 'none'
        and v.asset_id = split_part(line."assetRef", '@', 1) and v.version::text = split_part(line."assetRef", '@', 2)
      returning v.asset_id as id, v.version`.execute(its.trx)
    await sql`update assets a set approval = v.approval from asset_versions v
      where a.client_id = ${library.clientId} and a.id = any(${rows.map(({ id }) => id)}::text[])
        and v.client_id = a.client_id and v.asset_id = a.id and v.version = a.version`.execute(its.trx)
    if (rows.length > 0)
      its.note({ action: 'client.imported', thing: library.clientId, details: { approvals: rows.length } })
    return { made: rows.length, there: approvals.length - rows.length, refused: [] }
  })
