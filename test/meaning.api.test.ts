import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { openAi } from '../server/ai/ai.ts'
import { openMeaning } from '../server/ai/meaning.ts'
import { newId } from '../server/ids.ts'
import { catchUp } from '../server/meaning/keep-vectors.ts'
import { json } from './delivery-peers.ts'
import { conceptVector, embeddingsPeer } from './embeddings-peer.ts'
import { type LabelledAsset, labelledAssets, labelledQueries, queriesByMeaning } from './labelled-assets.ts'
import type { Person } from './person.ts'
import { plainDetails } from './plain-details.ts'
import { ownWorld } from './world.ts'

const model = await embeddingsPeer()
const w = await ownWorld({ ...model.environment, ROLE: 'api' })
const { db } = w.parts
// However busy the machine is: who tries how long people wait sets it.
const waiting = (seconds: number) => {
  w.parts.meaning = openMeaning(w.parts.ai!, seconds)
}
beforeEach(() => {
  waiting(60)
  model.answers()
  model.requests.length = 0
})

async function consentingClient() {
  const client = await w.newClient()
  await consents(client.clientId, true)
  return client
}
const consents = (clientId: string, yes: boolean) =>
  sql`insert into suggestion_settings (client_id, mode, host, sends, decided_by)
    values (${clientId}, ${yes ? 'on-request' : 'off'}, ${w.parts.ai!.host}, '{words}', 'tests')
    on conflict (client_id) do update set mode = excluded.mode`.execute(db)

/** Straight into the database: their ids, in the order of their titles. */
async function has(
  clientId: string,
  words: Partial<LabelledAsset & { folderId: string }>[],
): Promise<string[]> {
  const rows = words.map((asset, at) => ({
    client_id: clientId,
    id: newId('asset'),
    title: asset.title ?? '',
    description: asset.description ?? '',
    alt_text: asset.altText ?? '',
    tags: asset.tags ?? [],
    original_filename: asset.filename ?? 'a.jpg',
    folder_id: asset.folderId ?? null,
    mime_type: asset.isFilm ? 'video/mp4' : 'image/jpeg',
    size_bytes: 1,
    details: plainDetails,
    created_by: 'tests',
    created_at: new Date(1_700_000_000_000 + ((at * 7919) % 200) * 1000),
  }))
  await db
    .insertInto('assets')
    .values(rows as never)
    .execute()
  return rows.map(({ id }) => id)
}

const vectors = async (clientId: string) =>
  (
    await sql<{ asset_id: string; model: string }>`
      select asset_id, model from asset_vectors where client_id = ${clientId} order by asset_id`.execute(db)
  ).rows
const due = async (clientId: string) =>
  (await sql`select from asset_vectors_due where client_id = ${clientId}`.execute(db)).rows.length

const finds = async (person: Person, query: Record<string, string | number | boolean>) => {
  const { status, body } = await person.lists({ everywhere: true, ...query })
  expect(status).toBe(200)
  return body as {
    assets: Asset[]
    byMeaning?: string[]
    total: number | null
    nextCursor: string | null
    meant?: string
  }
}
const titles = ({ assets }: { assets: Asset[] }) => assets.map(({ title }) => title)

test('an administrator consents where no model sees pictures, and is told of words', async () => {
  const { clientId, operator } = await w.newClient()
  const path = `/admin/clients/${clientId}/suggestion-settings`
  const { host } = w.parts.ai!
  await has(clientId, [{ title: 'Brautpaar' }])
  const none = {
    host,
    model: null,
    embeddingsModel: 'concepts',
    sends: ['words'],
    consentedTo: [],
    mode: 'off',
  }
  expect((await w.admin.get(path)).body).toMatchObject(none)
  await catchUp(w.parts)
  expect(model.texts()).toEqual([])

  const given = await w.admin.put(path, { mode: 'on-request', language: 'de', consentedTo: ['words'] })
  expect(given).toMatchObject({ status: 200, body: { ...none, mode: 'on-request', consentedTo: ['words'] } })
  await catchUp(w.parts)
  expect(model.texts()).toEqual(['Brautpaar'])
  expect(titles(await finds(operator, { q: 'hochzeit' }))).toEqual(['Brautpaar'])

  await w.admin.put(path, { mode: 'off', language: 'de' })
  await catchUp(w.parts)
  expect(await vectors(clientId)).toEqual([])
})

test('who consented to pictures has not consented to words', async () => {
  const client = await consentingClient()
  await has(client.clientId, [{ title: 'Brautpaar' }])
  const told = (kinds: string) =>
    sql`update suggestion_settings set sends = ${kinds} where client_id = ${client.clientId}`.execute(db)
  await told('{pictures}')
  await catchUp(w.parts)
  expect(await finds(client.operator, { q: 'hochzeit' })).not.toHaveProperty('byMeaning')
  expect(model.texts()).toEqual([])
  await told('{pictures,words}')
  await catchUp(w.parts)
  expect(model.texts()).toEqual(['Brautpaar'])
})

test('words are made into vectors once, together, again when they change, and never without consent', async () => {
  const { clientId, operator } = await consentingClient()
  const strict = await w.newClient()
  const many = Array.from({ length: 100 }, (_, at) => ({ title: `Picture ${at}` }))
  const [first, wordless] = await has(clientId, [
    { title: 'Brautpaar', tags: ['Park'] },
    { filename: 'x.jpg' },
    ...many,
  ])
  await has(strict.clientId, [{ title: 'Nobody’s business' }])
  await catchUp(w.parts)
  expect(await vectors(clientId)).toHaveLength(101)
  expect(await vectors(clientId)).not.toContainEqual(expect.objectContaining({ asset_id: wordless }))
  expect(new Set((await vectors(clientId)).map((row) => row.model))).toEqual(new Set(['concepts:40']))
  expect(model.texts()).toContain('Brautpaar\nPark')
  expect(model.texts().join()).not.toContain('business')
  expect(model.asked('POST', /embeddings/)).toBeLessThan(12)

  model.requests.length = 0
  await catchUp(w.parts)
  await operator.edits(first!, { allowedSurfaces: [] })
  await catchUp(w.parts)
  expect(model.texts()).toEqual([])
  await operator.edits(first!, { title: 'Hochzeit im Park' })
  await operator.edits(first!, { title: 'Trauung im Park' })
  expect(await due(clientId)).toBe(1)
  await catchUp(w.parts)
  expect(model.texts()).toEqual(['Trauung im Park\nPark'])
  expect(await due(clientId)).toBe(0)

  // What is asked for are words of the client, too.
  model.requests.length = 0
  expect(await finds(strict.operator, { q: 'marriage' })).not.toHaveProperty('byMeaning')
  expect(model.requests).toEqual([])
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual(['Trauung im Park'])

  await consents(clientId, false)
  model.requests.length = 0
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual([])
  await operator.edits(first!, { title: 'After it was withdrawn' })
  await catchUp(w.parts)
  expect([await vectors(clientId), await due(clientId), model.requests]).toEqual([[], 0, []])
  await consents(clientId, true)
  await catchUp(w.parts)
  expect(await vectors(clientId)).toHaveLength(101)

  // What is gone takes its vector along.
  await operator.trashes(first!)
  await sql`delete from assets where client_id = ${clientId} and id = ${first!}`.execute(db)
  expect(await vectors(clientId)).toHaveLength(100)
})

test('what words do not find comes behind what they find, and all that is asked of a list means the same', async () => {
  const { clientId, operator, agent } = await consentingClient()
  const other = await consentingClient()
  const folder = await operator.makesFolder('Summer')
  await has(clientId, [
    { title: 'Hochzeit im Park' },
    { title: 'Hochzeit', tags: ['hochzeit'] },
    { title: 'Bride with roses', folderId: folder.folderId },
    { title: 'Brautpaar am See', isFilm: true },
    { title: 'Trauung', folderId: folder.folderId },
    ...Array.from({ length: 30 }, (_, at) => ({ title: `Kaffee ${at}` })),
    { title: 'Speisekarte' },
  ])
  await has(other.clientId, [{ title: 'Bride of somebody else' }])
  await catchUp(w.parts)

  const all = await finds(operator, { q: 'hochzeit', count: true })
  expect(titles(all).slice(0, 2)).toEqual(['Hochzeit', 'Hochzeit im Park'])
  expect(new Set(titles(all).slice(2))).toEqual(new Set(['Bride with roses', 'Brautpaar am See', 'Trauung']))
  expect(all.byMeaning).toEqual(all.assets.slice(2).map(({ assetId }) => assetId))
  expect(all.total).toBe(5)
  const ids = all.assets.map(({ assetId }) => assetId)

  // Pages, their beginnings, and all ids.
  const paged: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof finds>> = await finds(operator, {
      q: 'hochzeit',
      limit: 2,
      ...(cursor && { cursor }),
    })
    paged.push(...page.assets.map(({ assetId }) => assetId))
    cursor = page.nextCursor
  }
  expect(paged).toEqual(ids)
  const at = `${operator.door.assets}`
  const { cursors } = (await operator.get(`${at}/cursors?everywhere=true&q=hochzeit&limit=2`)).body
  expect(cursors).toHaveLength(2)
  const last = await finds(operator, { q: 'hochzeit', limit: 2, cursor: cursors[1] })
  expect(last.assets.map(({ assetId }) => assetId)).toEqual(ids.slice(4))
  expect((await operator.get(`${at}/ids?everywhere=true&q=hochzeit`)).body.assetIds).toEqual(ids)
  expect((await operator.get(`${at}/words?everywhere=true&q=hochzeit`)).body.rows).toHaveLength(5)

  // Filters and places.
  expect(titles(await finds(operator, { q: 'hochzeit', mimeType: 'video/*' }))).toEqual(['Brautpaar am See'])
  const below = await operator.lists({ folderId: folder.folderId, below: true, q: 'hochzeit' })
  expect(new Set(titles(below.body))).toEqual(new Set(['Bride with roses', 'Trauung']))
  expect(titles(await finds(operator, { q: 'hochzeit', sort: 'title' }))).toEqual([
    'Hochzeit',
    'Hochzeit im Park',
  ])
  expect(titles(await finds(operator, { q: 'hochzeit', meaning: false }))).toHaveLength(2)
  // A word that no asset has, and one that is misspelt.
  expect(titles(await finds(agent, { q: 'marriage', surface: 'social' }))).toHaveLength(5)
  const misspelt = await finds(operator, { q: 'hochziet' })
  expect([misspelt.meant, titles(misspelt).slice(0, 2)]).toEqual([
    'hochzeit',
    ['Hochzeit', 'Hochzeit im Park'],
  ])
  expect(titles(await finds(operator, { q: 'elephant' }))).toEqual([])
  expect(titles(await finds(other.operator, { q: 'hochzeit' }))).toEqual(['Bride of somebody else'])

  // What is done to all of it is done to what the list shows, or not at all.
  const search = { q: 'hochzeit', everywhere: true }
  const tagging = (search: object) => operator.post(`${at}/batches`, { search, action: 'tag', tags: ['x'] })
  expect((await tagging(search)).body.total).toBe(5)
  expect((await tagging({ ...search, meaning: true })).body.total).toBe(5)
  expect((await tagging({ ...search, meaning: false })).body.total).toBe(2)
  expect((await tagging({ ...search, sort: 'newest' })).body.total).toBe(2)
})

test('an endpoint that answers rubbish leaves nothing wrong behind, and is asked again later', async () => {
  const { clientId } = await consentingClient()
  await has(clientId, [{ title: 'Trauung' }, { title: 'Hochzeit' }])
  const each = (vectorOf: (at: number) => unknown) => (texts: string[], response: ServerResponse) =>
    json(response, { data: texts.map((_, index) => ({ index, embedding: vectorOf(index) })) })
  const right = conceptVector('Hochzeit')
  const rubbish: Parameters<typeof model.answers>[0][] = [
    each(() => [1, 2, 3]),
    each((at) => (at ? right : right.slice(1))),
    each(() => right.map(String)),
    each(() => right.fill(0)),
    each(() => [...right.slice(1), null]),
    (_, response) => json(response, { data: [] }),
    (_, response) => json(response, { data: [{ index: 0, embedding: right }] }),
    (texts, response) => json(response, { data: texts.map(() => ({ index: 0, embedding: right })) }),
    (_, response) => response.end('{"data":[{"index":0,"embedding":[NaN]}]}'),
    (_, response) => json(response, { error: 'no' }, 401),
    (_, response) => response.writeHead(429, { 'retry-after': '60' }).end(),
    (_, response) => response.destroy(),
  ]
  for (const [at, answer] of rubbish.entries()) {
    model.answers()
    // A new one each time, that knows how its vectors should be: what one has met does not hold up the next.
    const meaning = openMeaning(openAi(w.parts.config.ai!))
    await meaning.space()
    model.answers(answer)
    const failed = vi.fn()
    await catchUp({ ...w.parts, meaning }, undefined, failed)
    expect([failed.mock.calls.length, await vectors(clientId), at]).toEqual([1, [], at])
    // Not again at once …
    await catchUp({ ...w.parts, meaning }, undefined, failed)
    expect(failed).toHaveBeenCalledOnce()
    await sql`update asset_vectors_progress set leased_until = now() where client_id = ${clientId}`.execute(
      db,
    )
  }
  // … and all of it when it is well; a text that it refuses keeps no other waiting.
  model.answers((texts, response) =>
    texts.includes('Trauung')
      ? json(response, { error: 'too long' }, 400)
      : each((at) => conceptVector(texts[at]!))(texts, response),
  )
  await catchUp(w.parts)
  expect(await vectors(clientId)).toHaveLength(1)
})

test('vectors of another model are never compared, and are made anew by the one that is set', async () => {
  const { clientId, operator } = await consentingClient()
  await has(clientId, [{ title: 'Trauung' }, { title: 'Kaffee' }])
  await catchUp(w.parts)
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual(['Trauung'])
  // As if those were another one's, which had the same dimensions.
  await sql`update asset_vectors set model = 'other:40' where client_id = ${clientId}`.execute(db)
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual([])
  await sql`update asset_vectors_progress set model = 'other:40' where client_id = ${clientId}`.execute(db)
  await catchUp(w.parts)
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual(['Trauung'])

  // With other dimensions.
  const longer = {
    ...w.parts.ai!,
    embed: async (texts: readonly string[]) => texts.map((text) => [...conceptVector(text), 1]),
  }
  await catchUp({ ...w.parts, meaning: openMeaning(longer) })
  expect((await vectors(clientId)).map((row) => row.model)).toEqual(['concepts:41', 'concepts:41'])
  expect(titles(await finds(operator, { q: 'marriage' }))).toEqual([])
})

test('meaning finds what no word does, and takes nothing away from what words find', async () => {
  const { clientId, portal } = await consentingClient()
  const labelled = new Map((await has(clientId, labelledAssets)).map((id, at) => [id, labelledAssets[at]!]))
  await catchUp(w.parts)
  const ndcg = async (queries: typeof labelledQueries, meaning: boolean) => {
    let sum = 0
    for (const [q, wanted, filter = {}] of queries) {
      const { assets } = await finds(portal, { limit: 10, q, ...filter, meaning })
      const isMeant = ({ label, title }: LabelledAsset) => wanted.includes(label) || wanted.includes(title)
      const gains = assets.map(({ assetId }) => (isMeant(labelled.get(assetId)!) ? 1 : 0))
      const relevant = labelledAssets.filter(
        (asset) => isMeant(asset) && (!filter.mimeType || asset.isFilm),
      ).length
      sum += discounted(gains) / discounted(Array(Math.min(10, relevant)).fill(1))
    }
    return sum / queries.length
  }
  const words = { without: await ndcg(labelledQueries, false), mixed: await ndcg(labelledQueries, true) }
  const meant = { without: await ndcg(queriesByMeaning, false), mixed: await ndcg(queriesByMeaning, true) }
  console.info('nDCG@10 with words alone, and mixed with meaning', { words, meant })
  expect(words.mixed).toBeGreaterThanOrEqual(words.without)
  expect(meant.without).toBeLessThan(0.2)
  expect(meant.mixed).toBeGreaterThan(0.7)
})

const discounted = (gains: number[]) =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)

test('while the endpoint is away words are found, and nothing is done to less than a list showed', async () => {
  const { clientId, operator } = await consentingClient()
  await has(clientId, [{ title: 'Trauung' }, { title: 'Hochzeit' }])
  await catchUp(w.parts)
  expect(titles(await finds(operator, { q: 'hochzeit' }))).toEqual(['Hochzeit', 'Trauung'])
  waiting(1)
  model.answers(() => {}) // it takes the request, and says nothing
  const tagging = (search: object) =>
    operator.post(`${operator.door.assets}/batches`, {
      search: { everywhere: true, ...search },
      action: 'tag',
      tags: ['x'],
    })
  model.requests.length = 0
  const away = await finds(operator, { q: 'trauung' })
  expect([titles(away), away.byMeaning]).toEqual([['Trauung'], undefined])
  expect((await tagging({ q: 'trauung' })).body.total).toBe(1)
  const refused = await tagging({ q: 'trauung', meaning: true })
  expect([refused.status, refused.body.code]).toEqual([503, 'ai-unavailable'])
  const download = await operator.post(`${operator.door.assets}/download`, {
    search: { everywhere: true, q: 'trauung', meaning: true },
  })
  expect(download.status).toBe(503)
  // It is left alone for a while: one search in many has waited, and none has asked again.
  for (const q of ['trau', 'traut', 'ung']) await finds(operator, { q })
  expect(model.asked('POST', /embeddings/)).toBe(1)
})
