import { type Selectable, sql } from 'kysely'
import type { Permission } from '../../contract/access.ts'
import type { Batch } from '../../contract/assets.ts'
import type { BatchJob, BatchPage, BatchQuery, BatchRefusal, NewBatch } from '../../contract/batches.ts'
import { callerById } from '../access/callers.ts'
import { newestFirst } from '../cursors.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import type { BatchesTable } from '../db/schema.ts'
import { folderPath, keepFolder } from '../folders/tree.ts'
import { knownId, newId } from '../ids.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { JobData } from '../jobs/jobs.ts'
import { type Change, change, changeOnce, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { type Done, neededFor, performBatch } from './batch.ts'
import { conditionsOf } from './search.ts'
import { searchExactly } from './spelling.ts'
import { takeBack } from './undo.ts'

const chunkLength = 200
/** Then whoever else waits goes first. */
const chunksATurn = 10
const mostRunning = 10
const mostRefusalsShown = 100
const keptDays = 30

type BatchRow = Selectable<BatchesTable>
type Chunk = { number: number; asset_ids: string[] }

/** Does one thing to all that a search finds now, whatever becomes of the list meanwhile: as a job that can be followed, stopped and taken back. */
export async function startBatch(library: Library, input: NewBatch): Promise<BatchJob> {
  const { search: asked, except = [], ...wanted } = input
  neededFor(wanted)
  const search = await searchExactly(library, asked)
  return changeOnce(library, async (its) => {
    const { trx } = its
    if (search.folderId !== undefined && !search.trashed) await folderPath(trx, library, search.folderId)
    if (wanted.action === 'move') await keepFolder(trx, library, wanted.folderId!)
    const batch = await newBatch(its, library, { change: wanted })
    const conditions = sql.join(
      [...conditionsOf(library, search), sql`id <> all(${except}::text[])`],
      sql` and `,
    )
    return begin(
      its,
      library,
      batch,
      sql`
      select ${batch.id}::text as batch_id, (place - 1) / ${sql.lit(chunkLength)} as number,
        array_agg(id order by id) as asset_ids
      from (select id, row_number() over (order by id) as place from assets where ${conditions}) as found
      group by 2`,
    )
  })
}

/** Gives back what the batch has changed. What somebody has changed since stays as it is, and is named. */
export async function undoBatch(library: Library, batchId: string): Promise<BatchJob> {
  return changeOnce(library, async (its) => {
    const undone = await batchById(its.trx, library, batchId, { locked: true })
    allowFor(library, undone.change)
    if (undone.state === 'running') throw stillRunning()
    if (undone.undoneBy) return toBatch(its.trx, await batchById(its.trx, library, undone.undoneBy))
    const batch = await newBatch(its, library, { change: undone.change, undoes: undone.id })
    return begin(
      its,
      library,
      batch,
      sql`
      select ${batch.id}::text as batch_id, number,
        array(select each ->> 'id' from jsonb_array_elements(changed) as each) as asset_ids
      from batch_chunks
      where client_id = ${library.clientId} and batch_id = ${undone.id} and changed <> '[]'`,
    )
  })
}

/** What a chunk has done stays; the next one is not begun. */
export async function cancelBatch(library: Library, batchId: string): Promise<BatchJob> {
  return change(library, async ({ trx }) => {
    const batch = await batchById(trx, library, batchId, { locked: true })
    allowOthers(library, batch)
    if (batch.state === 'running') await endBatch(trx, batch, 'cancelled')
    return toBatch(trx, await batchById(trx, library, batchId))
  })
}

export async function readBatch(library: Library, batchId: string): Promise<BatchJob> {
  const batch = await batchById(library.db, library, batchId)
  allowOthers(library, batch)
  return toBatch(library.db, batch)
}

/** One's own, the newest first. */
export async function listBatches(library: Library, query: BatchQuery): Promise<BatchPage> {
  const { page, nextCursor } = await newestFirst(
    batchesOf(library.db, library)
      .where('created_by', '=', library.caller.id)
      .$if(query.open === true, (some) => some.where('state', '=', 'running')),
    query,
  )
  const batches: BatchJob[] = []
  for (const row of page) batches.push(await toBatch(library.db, row))
  return { batches, nextCursor }
}

/** The job: a few chunks, each in a transaction of its own that does it once, and then it queues behind others. */
export async function runBatchJob(parts: Parts, { clientId, batchId }: JobData['batch']): Promise<void> {
  for (let chunks = 0; chunks < chunksATurn; chunks++) {
    const batch = await runningBatch(parts.db, clientId, batchId)
    if (!batch) return
    const library = await asAsker(parts, batch)
    if (!library) {
      await change(makeLibrary(parts, clientId, system), ({ trx }) => endBatch(trx, batch, 'cancelled'))
      return
    }
    await runNextChunk(library, batch)
  }
  await change(makeLibrary(parts, clientId, system), ({ trx }) =>
    parts.jobs.send(trx, 'batch', { clientId, batchId }),
  )
}

/** What cannot be done to any of a chunk is said of each; what may go better later is tried again with the job. */
async function runNextChunk(library: Library, batch: BatchRow): Promise<void> {
  try {
    await change(library, async (its) => {
      const chunk = await nextChunk(its.trx, batch)
      if (chunk) await keepDone(its.trx, batch, chunk, await doneTo(its, library, batch, chunk))
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    await change(library, async ({ trx }) => {
      const chunk = await nextChunk(trx, batch)
      if (!chunk) return
      const { code, message: detail } = error
      const refused = chunk.asset_ids.map((assetId) => ({ assetId, code, detail }))
      await keepDone(trx, batch, chunk, { changed: [], refused })
    })
  }
}

async function doneTo(its: Change, library: Library, batch: BatchRow, chunk: Chunk): Promise<Done> {
  if (batch.undoes === null) return performBatch(its, library, { ...batch.change, assetIds: chunk.asset_ids })
  const undone = await its.trx
    .selectFrom('batch_chunks')
    .select('changed')
    .where('client_id', '=', batch.client_id)
    .where('batch_id', '=', batch.undoes)
    .where('number', '=', chunk.number)
    .executeTakeFirstOrThrow()
  return takeBack(its, library, batch.change.action, undone.changed)
}

const nextChunk = (trx: Trx, { client_id, id }: BatchRow): Promise<Chunk | undefined> =>
  trx
    .selectFrom('batch_chunks')
    .select(['number', 'asset_ids'])
    .where('client_id', '=', client_id)
    .where('batch_id', '=', id)
    .where('done_at', 'is', null)
    .orderBy('number')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

async function keepDone(trx: Trx, { client_id, id }: BatchRow, chunk: Chunk, { changed, refused }: Done) {
  await trx
    .updateTable('batch_chunks')
    .set({ done_at: new Date(), changed: JSON.stringify(changed), refused: JSON.stringify(refused) })
    .where('client_id', '=', client_id)
    .where('batch_id', '=', id)
    .where('number', '=', chunk.number)
    .execute()
  const done = sql<number>`done + ${chunk.asset_ids.length}::integer`
  await trx
    .updateTable('batches')
    .set({
      done,
      changed: sql`changed + ${changed.length}::integer`,
      refused: sql`refused + ${refused.length}::integer`,
      state: sql`case when state = 'running' and ${done} >= total then 'done' else state end`,
      ended_at: sql`case when state = 'running' and ${done} >= total then now() else ended_at end`,
    })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .execute()
}

async function newBatch(
  { trx }: Change,
  { clientId, caller }: Library,
  { change: wanted, undoes = null }: { change: Omit<Batch, 'assetIds'>; undoes?: string | null },
): Promise<BatchRow> {
  const { running } = await trx
    .selectFrom('batches')
    .select(sql<number>`count(*)`.as('running'))
    .where('client_id', '=', clientId)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  if (running >= mostRunning) throw tooManyRunning()
  return trx
    .insertInto('batches')
    .values({
      client_id: clientId,
      id: newId('batch'),
      change: JSON.stringify(wanted),
      undoes,
      created_by: caller.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Keeps which assets are meant, and queues the job; with none of them it has ended. */
async function begin(
  { trx }: Change,
  library: Library,
  batch: BatchRow,
  chunks: ReturnType<typeof sql>,
): Promise<BatchJob> {
  const { clientId } = library
  const { rows } = await sql<{ total: number }>`
    with made as (
      insert into batch_chunks (client_id, batch_id, number, asset_ids)
      select ${clientId}, c.batch_id, c.number, c.asset_ids from (${chunks}) as c
      returning cardinality(asset_ids) as assets)
    select coalesce(sum(assets), 0)::integer as total from made`.execute(trx)
  const { total } = rows[0]!
  await trx
    .updateTable('batches')
    .set({ total })
    .where('client_id', '=', clientId)
    .where('id', '=', batch.id)
    .execute()
  if (total > 0) await library.jobs.send(trx, 'batch', { clientId, batchId: batch.id })
  else await endBatch(trx, batch, 'done')
  return toBatch(trx, await batchById(trx, library, batch.id))
}

const endBatch = async (trx: Trx, { client_id, id }: BatchRow, state: BatchRow['state']): Promise<void> => {
  await trx
    .updateTable('batches')
    .set({ state, ended_at: new Date() })
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .execute()
}

const runningBatch = (db: Db, clientId: string, batchId: string): Promise<BatchRow | undefined> =>
  db
    .selectFrom('batches')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('id', '=', batchId)
    .where('state', '=', 'running')
    .executeTakeFirst()

/** The library as whoever asked sees it now; not if they may no longer do this. */
async function asAsker(parts: Parts, batch: BatchRow): Promise<Library | undefined> {
  const found = await callerById(parts, batch.created_by, batch.client_id)
  if (found?.visibleClientId !== batch.client_id) return undefined
  if (!found.caller.permissions.has(permissionFor(batch.change))) return undefined
  return makeLibrary(parts, batch.client_id, found.caller)
}

export const permissionFor = ({ action }: Pick<Batch, 'action'>): Permission =>
  action === 'trash' || action === 'restore' ? 'assets:delete' : 'assets:write'

function allowFor({ caller }: Library, wanted: Pick<Batch, 'action'>): void {
  const permission = permissionFor(wanted)
  if (!caller.permissions.has(permission))
    throw new Problem('forbidden', `Your role lacks ${permission}. Ask an administrator for it.`)
}

/** What somebody else does is read and stopped by those who may do it, as it is taken back. */
function allowOthers(library: Library, { created_by, change: wanted }: BatchRow): void {
  if (created_by !== library.caller.id) allowFor(library, wanted)
}

type ShownBatch = BatchRow & { undoneBy: string | null }

const batchesOf = (db: Reader, { clientId }: Library) =>
  db
    .selectFrom('batches')
    .selectAll()
    .select(
      sql<string | null>`(select undo.id from batches undo
        where undo.client_id = batches.client_id and undo.undoes = batches.id)`.as('undoneBy'),
    )
    .where('client_id', '=', clientId)

async function batchById(
  db: Reader,
  library: Library,
  batchId: string,
  { locked = false } = {},
): Promise<ShownBatch> {
  const batch = await batchesOf(db, library)
    .where('id', '=', knownId('batch', batchId))
    .$if(locked, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!batch) throw notFound('No batch')
  return batch
}

async function toBatch(db: Reader, row: ShownBatch): Promise<BatchJob> {
  return {
    batchId: row.id,
    action: row.change.action,
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    refused: row.refused,
    refusals: row.refused > 0 ? await firstRefusals(db, row) : [],
    undoes: row.undoes,
    undoneBy: row.undoneBy,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

async function firstRefusals(db: Reader, { client_id, id }: BatchRow): Promise<BatchRefusal[]> {
  const { rows } = await sql<{ each: BatchRefusal }>`
    select each from batch_chunks, jsonb_array_elements(refused) as each
    where client_id = ${client_id} and batch_id = ${id} and refused <> '[]'
    order by number limit ${sql.lit(mostRefusalsShown)}`.execute(db)
  return rows.map(({ each }) => each)
}

/** Those under way that no job is at. */
export const lostBatches = (db: Reader): Promise<JobData['batch'][]> =>
  db
    .selectFrom('batches')
    .select(['client_id as clientId', 'id as batchId'])
    .where('state', '=', 'running')
    .where(jobIsGone(['batch'], { clientId: 'batches.client_id', batchId: 'batches.id' }))
    .limit(500)
    .execute()

export const forgetOldBatches = (db: Db) =>
  db
    .deleteFrom('batches')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${sql.lit(keptDays)})`)
    .execute()

const stillRunning = () =>
  new Problem('batch-running', 'The batch is still running. Cancel it, or wait for its end.')

const tooManyRunning = () =>
  new Problem('rate-limited', `${mostRunning} batches of this client are running. Wait for one to end.`, {
    headers: { 'retry-after': '10' },
  })
