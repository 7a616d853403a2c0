import { sql } from 'kysely'
import { isAiProblem } from '../ai/errors.ts'
import type { Meaning } from '../ai/meaning.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Parts } from '../library.ts'
import { sha256Of, textOf, type Words } from './words.ts'

const atOnce = 64
const leaseSeconds = 300
/** A client for whom it failed is left alone for so long, and the others are not. */
const restSeconds = 60

interface Place {
  after_id: string
  is_done: boolean
}

interface Row extends Words {
  id: string
  /** How often it has changed; null: it was there before. */
  times: number | null
  has: string | null
}

interface Made {
  id: string
  sha256: string
  vector: number[]
}

/**
 * Makes the next vectors of a client: of what has changed, then of what was there before. Whether there is more of the
 * latter. It may run twice, and stop anywhere: what is not said to be done is done again.
 */
export async function embedNext({ db }: Parts, meaning: Meaning, clientId: string): Promise<boolean> {
  const space = await meaning.space()
  const place = await takeTurn(db, clientId, meaning.host, space.model)
  if (!place) return false
  try {
    const due = await changed(db, clientId, space.model)
    const old = place.is_done || due.length >= atOnce ? [] : await wereThere(db, clientId, space.model, place)
    const made = await vectorsFor(meaning, [...due, ...old])
    await indexFor(db, space.dimensions)
    const isMore = old.length === atOnce
    await db.transaction().execute(async (trx) => {
      await keep(trx, clientId, space.model, made)
      await forgetWordless(trx, clientId, [...due, ...old])
      await settle(trx, clientId, due)
      const isDone = place.is_done || (due.length < atOnce && !isMore)
      await sql`update asset_vectors_progress set after_id = ${old.at(-1)?.id ?? place.after_id}, is_done = ${isDone},
        leased_until = now() where client_id = ${clientId} and model = ${space.model}`.execute(trx)
    })
    return isMore
  } catch (error) {
    await sql`update asset_vectors_progress set leased_until = now() + make_interval(secs => ${restSeconds})
      where client_id = ${clientId}`
      .execute(db)
      .catch(() => {})
    throw error
  }
}

/** One process at a time for each client. A model of another name begins anew. */
async function takeTurn(db: Db, clientId: string, host: string, model: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    insert into asset_vectors_progress as its (client_id, model, leased_until)
    select client_id, ${model}, now() + make_interval(secs => ${leaseSeconds}) from ai_consents
      where client_id = ${clientId} and host = ${host}
    on conflict (client_id) do update set model = excluded.model, leased_until = excluded.leased_until,
      after_id = case when its.model = excluded.model then its.after_id else '' end,
      is_done = its.is_done and its.model = excluded.model
    where its.leased_until <= now()
    returning after_id, is_done`.execute(db)
  return rows[0]
}

const words = sql`a.id, a.title, a.alt_text, a.description, a.tags, t.text as in_picture, v.words_sha256 as has`
const itsVector = (model: string) =>
  sql`left join picture_texts t on t.client_id = a.client_id and t.asset_id = a.id and t.version = a.version
    left join asset_vectors v on v.client_id = a.client_id and v.asset_id = a.id and v.model = ${model}`

const changed = async (db: Db, clientId: string, model: string): Promise<Row[]> =>
  (
    await sql<Row>`select ${words}, d.times from asset_vectors_due d
      join assets a on a.client_id = d.client_id and a.id = d.asset_id ${itsVector(model)}
      where d.client_id = ${clientId} order by d.asset_id limit ${sql.lit(atOnce)}`.execute(db)
  ).rows

const wereThere = async (db: Db, clientId: string, model: string, { after_id }: Place): Promise<Row[]> =>
  (
    await sql<Row>`select ${words}, null as times from assets a ${itsVector(model)}
      where a.client_id = ${clientId} and a.id > ${after_id} order by a.id limit ${sql.lit(atOnce)}`.execute(
      db,
    )
  ).rows

/** Of those whose words have none yet. */
async function vectorsFor(meaning: Meaning, rows: Row[]): Promise<Made[]> {
  const wanted = new Map<string, { id: string; sha256: string; text: string }>()
  for (const row of rows) {
    const text = textOf(row)
    const sha256 = sha256Of(text)
    if (text && sha256 !== row.has) wanted.set(row.id, { id: row.id, sha256, text })
  }
  const all = [...wanted.values()]
  if (all.length === 0) return []
  try {
    const vectors = await meaning.vectorsOf(all.map(({ text }) => text))
    return all.map(({ id, sha256 }, at) => ({ id, sha256, vector: vectors[at]! }))
  } catch (error) {
    if (!isAiProblem(error) || error.code !== 'ai-failed' || all.length === 1) throw error
    return oneByOne(meaning, all, error)
  }
}

/** One text that is refused does not keep the others waiting. If all are, it is not the text's fault. */
async function oneByOne(
  meaning: Meaning,
  all: { id: string; sha256: string; text: string }[],
  refusal: unknown,
): Promise<Made[]> {
  const made: Made[] = []
  let refused = 0
  for (const { id, sha256, text } of all)
    try {
      const [vector] = await meaning.vectorsOf([text])
      made.push({ id, sha256, vector: vector! })
    } catch (error) {
      if (!isAiProblem(error) || error.code !== 'ai-failed') throw error
      if (++refused === 3 && made.length === 0) throw refusal
    }
  if (made.length === 0) throw refusal
  return made
}

const keep = (trx: Trx, clientId: string, model: string, made: Made[]) =>
  sql`insert into asset_vectors (client_id, asset_id, model, words_sha256, vector)
    select a.client_id, a.id, ${model}, its.sha256, its.vector::halfvec
    from unnest(${made.map(({ id }) => id)}::text[], ${made.map(({ sha256 }) => sha256)}::text[],
      ${made.map(({ vector }) => JSON.stringify(vector))}::text[]) as its (id, sha256, vector)
    join assets a on a.client_id = ${clientId} and a.id = its.id
    where exists (select from ai_consents where client_id = a.client_id)
    on conflict (client_id, asset_id) do update
      set model = excluded.model, words_sha256 = excluded.words_sha256, vector = excluded.vector`.execute(trx)

const forgetWordless = (trx: Trx, clientId: string, rows: Row[]) => {
  const wordless = rows.filter((row) => textOf(row) === '').map(({ id }) => id)
  return sql`delete from asset_vectors where client_id = ${clientId} and asset_id = any(${wordless}::text[])`.execute(
    trx,
  )
}

/** One that has changed again meanwhile stays due. */
const settle = (trx: Trx, clientId: string, due: Row[]) =>
  sql`delete from asset_vectors_due d using unnest(${due.map(({ id }) => id)}::text[],
      ${due.map(({ times }) => times)}::int[]) as done (id, times)
    where d.client_id = ${clientId} and d.asset_id = done.id and d.times = done.times`.execute(trx)

const indexed = new WeakMap<Db, Set<number>>()

/** Made before the first vector of that length is there, so that nobody waits for it. */
async function indexFor(db: Db, dimensions: number): Promise<void> {
  const known = indexed.get(db) ?? new Set()
  indexed.set(db, known)
  if (known.has(dimensions)) return
  const length = sql.lit(dimensions)
  await sql`create index if not exists ${sql.id(`asset_vectors_of_${dimensions}`)} on asset_vectors
    using hnsw ((vector::halfvec(${length})) halfvec_cosine_ops) where vector_dims(vector) = ${length}`.execute(
    db,
  )
  known.add(dimensions)
}
