import { type Selectable, sql, type UpdateObject } from 'kysely'
import { mostSuggested, type NewSuggestionRun, type SuggestionRun } from '../../contract/suggestions.ts'
import { callerById } from '../access/callers.ts'
import { assetRow } from '../assets/asset.ts'
import { type Condition, conditionsOf } from '../assets/search.ts'
import { searchExactly } from '../assets/spelling.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import type { Schema, SuggestionRunsTable } from '../db/schema.ts'
import { isId, knownId, newId } from '../ids.ts'
import { jobIsGone } from '../jobs/gone.ts'
import type { Attempt, JobData } from '../jobs/jobs.ts'
import { type Change, change, changeOnce, type Library, makeLibrary, type Parts, system } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { askAbout } from './ask.ts'
import { consented, consentOf } from './consent.ts'
import { forgetOldDays, nextDay, refuseOverLimit } from './daily-limit.ts'

/** Then whoever else waits goes first. */
const assetsATurn = 5
const mostRunning = 10
const keptDays = 30

type RunRow = Selectable<SuggestionRunsTable>

/** Asks a model about one asset: as a job, for it takes seconds. */
export async function askAboutAsset(parts: Parts, library: Library, assetId: string): Promise<SuggestionRun> {
  const { id, trashed_at } = await assetRow(library.db, library, assetId)
  if (trashed_at) throw notFound('No asset outside the trash')
  return startRun(parts, library, { assetIds: [id] })
}

/** Asks about those that are named, or all that a search finds now. */
export async function startRun(
  parts: Parts,
  library: Library,
  { assetIds, search, except = [] }: NewSuggestionRun,
): Promise<SuggestionRun> {
  const { ai, model } = await consented(parts, library)
  await refuseOverLimit(library, parts.config.ai?.dailyLimit ?? 0)
  if ((assetIds === undefined) === (search === undefined))
    throw new Problem('invalid-request', 'Name the assets by assetIds, or by a search.')
  const conditions = search
    ? [...conditionsOf(library, await searchExactly(library, search)), sql`id <> all(${except}::text[])`]
    : ofThese(library, assetIds!)
  return changeOnce(library, async (its) => {
    const run = await newRun(its, library)
    const total = await wish(its.trx, run, conditions)
    if (assetIds && total < assetIds.length) throw notFound('No asset')
    if (total > mostSuggested) throw tooMany()
    const details = { assets: total, model, host: ai.host }
    its.note({ action: 'suggestion.asked', thing: assetIds?.length === 1 ? assetIds[0]! : null, details })
    return toRun(await begin(its, library, run, total))
  })
}

const ofThese = ({ clientId }: Library, assetIds: string[]): Condition[] => [
  sql`client_id = ${clientId}`,
  sql`trashed_at is null`,
  sql`id = any(${assetIds.filter((id) => isId('asset', id))}::text[])`,
]

async function newRun({ trx }: Change, { clientId, caller }: Library): Promise<RunRow> {
  const { running } = await trx
    .selectFrom('suggestion_runs')
    .select(sql<number>`count(*)`.as('running'))
    .where('client_id', '=', clientId)
    .where('created_by', '!=', system.id)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  if (running >= mostRunning && caller.id !== system.id) throw tooManyRunning()
  return trx
    .insertInto('suggestion_runs')
    .values({ client_id: clientId, id: newId('run'), created_by: caller.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function wish(trx: Trx, { client_id, id }: RunRow, conditions: Condition[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into suggestion_wishes (client_id, run_id, asset_id)
    select ${client_id}, ${id}, found.id
    from (select id from assets where ${sql.join(conditions, sql` and `)} limit ${sql.lit(mostSuggested + 1)}) as found`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

/** With nothing to be asked about it has ended. */
async function begin(
  { trx }: Change,
  { clientId, jobs }: Library,
  run: RunRow,
  total: number,
): Promise<RunRow> {
  if (total > 0) await jobs.send(trx, 'suggest', { clientId, runId: run.id })
  return writeRun(trx, run, total > 0 ? { total } : { state: 'done', ended_at: new Date() })
}

/** A new file, where the client wants that: once for each version, and on the next day where this one has met its limit. */
export async function suggestForUpload(
  parts: Parts,
  { clientId, assetId, version }: JobData['media'],
): Promise<void> {
  if (!parts.ai?.model) return
  const library = makeLibrary(parts, clientId, system)
  if (!(await consentOf(parts, library))?.onUpload) return
  await change(library, async (its) => {
    const { trx } = its
    const fresh = await trx
      .selectFrom('assets')
      .select('id')
      .where('client_id', '=', clientId)
      .where('id', '=', assetId)
      .where('version', '=', version)
      .where('media_state', '=', 'ready')
      .where('trashed_at', 'is', null)
      .where(sql<boolean>`not exists (select from suggestions s
        where s.client_id = assets.client_id and s.asset_id = assets.id and s.version = assets.version)`)
      .where(sql<boolean>`not exists (select from suggestion_wishes w
        where w.client_id = assets.client_id and w.asset_id = assets.id)`)
      .forUpdate()
      .executeTakeFirst()
    if (!fresh) return
    const run = await newRun(its, library)
    await begin(its, library, run, await wish(trx, run, ofThese(library, [assetId])))
  })
}

export async function readRun(library: Library, runId: string): Promise<SuggestionRun> {
  return toRun(await runById(library.db, library, runId))
}

/** What was suggested stays; nothing more is asked. */
export const cancelRun = (library: Library, runId: string): Promise<SuggestionRun> =>
  change(library, async ({ trx }) => {
    const run = await runById(trx, library, runId)
    return toRun(run.state === 'running' ? await endRun(trx, run, 'cancelled') : run)
  })

/** The job: a few assets, each written in a transaction of its own, and then it queues behind others. */
export async function runSuggestions(
  parts: Parts,
  { clientId, runId }: JobData['suggest'],
  { last }: Attempt,
): Promise<void> {
  const own = makeLibrary(parts, clientId, system)
  for (let assets = 0; assets < assetsATurn; assets++) {
    const run = await runById(parts.db, own, runId).catch(() => undefined)
    if (run?.state !== 'running') return
    const library = await asAsker(parts, run)
    const assetId = await nextWish(parts.db, run)
    if (!library || !assetId) {
      await change(own, ({ trx }) => endRun(trx, run, library ? 'done' : 'cancelled'))
      return
    }
    if (!(await askOne(parts, library, run, assetId, last))) return
  }
  await change(own, ({ trx }) => parts.jobs.send(trx, 'suggest', { clientId, runId }))
}

/** Whether the run goes on. What may go better later is tried again with the job; what is wrong with this one picture is said. */
async function askOne(parts: Parts, library: Library, run: RunRow, assetId: string, last: boolean) {
  try {
    const { ai, model, language } = await consented(parts, library)
    const limit = parts.config.ai?.dailyLimit ?? 0
    const found = await askAbout(library, { ai, language, limit }, assetId)
    await change(library, async ({ trx }) => {
      const isOurs = await takeWish(trx, run, assetId)
      if (!isOurs) return
      if (found) await keep(trx, library, { assetId, model, ...found })
      await writeRun(trx, run, {
        done: sql<number>`done + 1`,
        made: sql<number>`made + ${Object.keys(found?.words ?? {}).length}::integer`,
      })
    })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message: detail, headers, status } = error
    const problem = JSON.stringify({ code, detail })
    if (code === 'ai-limit-reached' && run.created_by === system.id) {
      await change(library, ({ trx }) => writeRun(trx, run, { problem, waits_until: nextDay }))
      return false
    }
    const ends = code === 'suggestions-off' || code === 'ai-limit-reached'
    if (ends || (code === 'ai-unavailable' && last)) {
      await change(library, ({ trx }) => endRun(trx, run, 'stopped', problem))
      return false
    }
    if (status >= 500 && code !== 'ai-failed' && !last) {
      await change(library, ({ trx }) => writeRun(trx, run, { problem }))
      throw Object.assign(error, { retrySeconds: Number(headers['retry-after']) || undefined })
    }
    await change(library, async ({ trx }) => {
      if (await takeWish(trx, run, assetId))
        await writeRun(trx, run, { problem, done: sql<number>`done + 1`, failed: sql<number>`failed + 1` })
    })
    return true
  }
}

interface Kept {
  assetId: string
  version: number
  model: string
  words: Partial<Record<'title' | 'altText' | 'tags', string>>
  before: Record<'title' | 'altText' | 'tags', string>
}

/** Of each field the newest is the only one that is open. */
async function keep(trx: Trx, { clientId }: Library, { assetId, version, model, words, before }: Kept) {
  await trx
    .deleteFrom('suggestions')
    .where('client_id', '=', clientId)
    .where('asset_id', '=', assetId)
    .where('status', '=', 'open')
    .execute()
  const rows = (Object.keys(words) as (keyof typeof words)[]).map((field) => ({
    client_id: clientId,
    id: newId('suggestion'),
    asset_id: assetId,
    version,
    field,
    words: words[field]!,
    instead_of: before[field],
    model,
  }))
  if (rows.length > 0) await trx.insertInto('suggestions').values(rows).execute()
}

const nextWish = async (db: Reader, { client_id, id }: RunRow): Promise<string | undefined> =>
  (
    await db
      .selectFrom('suggestion_wishes')
      .select('asset_id')
      .where('client_id', '=', client_id)
      .where('run_id', '=', id)
      .orderBy('asset_id')
      .limit(1)
      .executeTakeFirst()
  )?.asset_id

/** Whoever takes it keeps what came of it: a job that runs twice suggests once. */
async function takeWish(trx: Trx, { client_id, id }: RunRow, assetId: string): Promise<boolean> {
  const taken = await trx
    .deleteFrom('suggestion_wishes')
    .where('client_id', '=', client_id)
    .where('run_id', '=', id)
    .where('asset_id', '=', assetId)
    .returning('asset_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** As whoever asked may see it now; not if they may no longer. */
async function asAsker(parts: Parts, run: RunRow): Promise<Library | undefined> {
  if (run.created_by === system.id) return makeLibrary(parts, run.client_id, system)
  const found = await callerById(parts, run.created_by, run.client_id)
  if (found?.visibleClientId !== run.client_id) return undefined
  if (!found.caller.permissions.has('reviews:write')) return undefined
  return makeLibrary(parts, run.client_id, found.caller)
}

async function runById(db: Reader, { clientId }: Library, runId: string): Promise<RunRow> {
  const run = await db
    .selectFrom('suggestion_runs')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('id', '=', knownId('run', runId))
    .executeTakeFirst()
  if (!run) throw notFound('No run')
  return run
}

async function endRun(trx: Trx, run: RunRow, state: RunRow['state'], problem?: string): Promise<RunRow> {
  await trx
    .deleteFrom('suggestion_wishes')
    .where('client_id', '=', run.client_id)
    .where('run_id', '=', run.id)
    .execute()
  return writeRun(trx, run, { state, ended_at: new Date(), ...(problem && { problem }) })
}

const writeRun = (
  trx: Trx,
  { client_id, id }: RunRow,
  columns: UpdateObject<Schema, 'suggestion_runs'>,
): Promise<RunRow> =>
  trx
    .updateTable('suggestion_runs')
    .set(columns)
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const toRun = (row: RunRow): SuggestionRun => ({
  runId: row.id,
  state: row.state,
  total: row.total,
  done: row.done,
  made: row.made,
  failed: row.failed,
  problem: row.problem,
  createdAt: row.created_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})

/** Those under way that no job is at, and that do not wait for another day. */
export const lostRuns = (db: Reader): Promise<JobData['suggest'][]> =>
  db
    .selectFrom('suggestion_runs')
    .select(['client_id as clientId', 'id as runId'])
    .where('state', '=', 'running')
    .where(sql<boolean>`coalesce(waits_until, now()) <= now()`)
    .where(jobIsGone(['suggest'], { clientId: 'suggestion_runs.client_id', runId: 'suggestion_runs.id' }))
    .limit(500)
    .execute()

/** Runs that have ended long ago, and what was suggested to a file that has been replaced since. */
export async function forgetOldSuggestions(db: Db): Promise<void> {
  await forgetOldDays(db)
  await db
    .deleteFrom('suggestion_runs')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${sql.lit(keptDays)})`)
    .execute()
  await db
    .deleteFrom('suggestions')
    .where('status', '=', 'open')
    .where(sql<boolean>`exists (select from assets a where a.client_id = suggestions.client_id
      and a.id = suggestions.asset_id and a.version <> suggestions.version)`)
    .execute()
}

const tooMany = () =>
  new Problem(
    'invalid-request',
    `More than ${mostSuggested} assets are meant. Narrow the search, and ask about them in parts.`,
  )

const tooManyRunning = () =>
  new Problem('rate-limited', `${mostRunning} such runs of this client are under way. Wait for one to end.`, {
    headers: { 'retry-after': '10' },
  })
