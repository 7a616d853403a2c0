import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { sorts } from '../contract/search.ts'
import { hit } from './load.ts'
import { type Seeded, seededClient, seedLibraries, tags, whatWasSeeded } from './million-seed.ts'
import type { Ring } from './ring.ts'

/** What a page may cost of what the plain page of a folder costs: CPU of server and database together. */
const goal = 3

type Query = Record<string, string | number | boolean>

/** First pages of every kind in a large library and in one of a tenth, each against the plain page of a folder in it. */
export async function millionBench(ring: Ring): Promise<void> {
  const most = ring.assets ?? 1_000_000
  const [small, large] = await seeded(ring, [most / 10, most])
  const cost = await costs(ring)
  const before = new Map<string, Cost>()
  for await (const [name, found] of cost(small!, ring.only)) before.set(name, found)
  for await (const [name, { ms, database, waited, plain }] of cost(large!, ring.only)) {
    const was = before.get(name)!
    const ratio = ms / plain
    ring.report(
      name,
      `${ms.toFixed(1)} ms CPU (database ${database.toFixed(1)}) in ${waited.toFixed(1)} ms; of ${short(most / 10)} ${(was.ms / was.plain).toFixed(2)}, growth ${(ms / was.ms).toFixed(1)}`,
      ratio,
      `≤ ${goal} × the folder page`,
      ratio <= goal,
    )
  }
}

/** The clients with so many assets each: those of last time where the database was kept. */
async function seeded(ring: Ring, counts: number[]): Promise<string[]> {
  const known = await Promise.all(counts.map((count) => seededClient(ring.databaseUrl, `${count} assets`)))
  if (known.every((clientId) => clientId !== undefined)) return known
  const libraries: { clientId: string; count: number }[] = []
  for (const count of counts) libraries.push({ clientId: await ring.newClient(`${count} assets`), count })
  await seedLibraries(ring.databaseUrl, libraries)
  return libraries.map(({ clientId }) => clientId)
}

export interface Cost {
  /** CPU of server and database. */
  ms: number
  database: number
  /** Until the answer is there, whole. */
  waited: number
  /** The plain page, measured in between. */
  plain: number
}

export async function costs(ring: Pick<Ring, 'ours' | 'cookie' | 'databaseUrl'>) {
  const ask = async (path: string) => {
    const { status, body } = await hit({ url: ring.ours.url + path, headers: { cookie: ring.cookie } })
    if (status !== 200) throw new Error(`An answer of ${status} to ${path}: ${body}`)
    return JSON.parse(body.toString())
  }
  const postmaster = await postmasterOf(ring.databaseUrl)

  /** So often that it counts, and never for long. */
  async function once(path: string): Promise<Omit<Cost, 'plain'>> {
    const start = await cpu(ring.ours.pid, postmaster)
    const began = performance.now()
    let times = 0
    for (; times < 10 && performance.now() - began < 500; times++) await ask(path)
    const waited = (performance.now() - began) / times
    const end = await cpu(ring.ours.pid, postmaster)
    const database = (end.database - start.database) / times
    return { ms: (end.server - start.server) / times + database, database, waited }
  }

  return async function* (clientId: string, only = /./): AsyncGenerator<[string, Cost]> {
    const seeded = await whatWasSeeded(ring.databaseUrl, clientId)
    const at = `/admin/clients/${clientId}/assets`
    const plainPath = `${at}?folderId=${seeded.folderId}`
    for (let n = 0; n < 200; n++) await ask(plainPath)
    let plain = (await once(plainPath)).ms
    const wanted = (await pages(at, seeded, ask)).filter(([name]) => only.test(name))
    for (const [row, [name, page]] of wanted.entries()) {
      if (row % 10 === 0) plain = (plain + (await once(plainPath)).ms) / 2
      const path = typeof page === 'string' ? page : await page()
      // PostgreSQL keeps the plan of what it was asked five times.
      for (let n = 0; n < 6; n++) await ask(path)
      yield [name, { ...(await once(path)), plain }]
    }
  }
}

/** Each kind of page there is, by what a person would call it. */
async function pages(
  at: string,
  { folderId, below, collectionId, uploader, word }: Seeded,
  ask: (path: string) => Promise<Answer>,
): Promise<Page[]> {
  const filters: Record<string, Query> = {
    everywhere: {},
    'common tag': { tag: tags.common },
    'tag of few': { tag: tags.middle },
    'rare tag': { tag: tags.rare },
    'tag of years ago': { tag: tags.old },
    'absent tag': { tag: 'nowhere' },
    'kind image': { mimeType: 'image/*' },
    'kind video': { mimeType: 'video/*' },
    'type of years ago': { mimeType: 'image/gif' },
    'absent type': { mimeType: 'image/avif' },
    'busy uploader': { uploader: uploader.busy },
    'rare uploader': { uploader: uploader.rare },
    portrait: { orientation: 'portrait' },
    'ratio 1:1': { ratio: '1:1' },
    'absent ratio': { ratio: '9:16' },
    'large files': { minBytes: 30_000_000 },
    'small files': { maxBytes: 31_000 },
    'absent size': { minBytes: 1e12 },
    'wide pictures': { minWidth: 5000 },
    'absent width': { minWidth: 20_000 },
    'absent height': { minHeight: 20_000 },
    'a month': { from: '2023-03-01', to: '2023-03-31' },
    'without alt text': { missingAltText: true },
    approved: { approval: 'approved' },
    'changes requested': { approval: 'changes-requested' },
    'rights ending': { rights: 'ending' },
    'rights ended': { rights: 'ended' },
    'for a surface': { surface: 'gbp' },
    used: { used: true },
    unused: { used: false },
    duplicates: { duplicates: true },
    'no duplicates': { duplicates: false },
    collection: { collectionId },
    'below a wide folder': { folderId: below.wide, below: true, everywhere: false },
    'below a middle folder': { folderId: below.middle, below: true, everywhere: false },
    'below a narrow folder': { folderId: below.narrow, below: true, everywhere: false },
    'rare tag in a folder': { folderId, everywhere: false, tag: tags.rare },
    'video, 1:1': { mimeType: 'video/*', ratio: '1:1' },
    'video of years ago, absent': { mimeType: 'image/gif', from: '2026-01-01' },
    'tag of few, changes requested': { tag: tags.middle, approval: 'changes-requested' },
    'tag of few, rare uploader, portrait': {
      tag: tags.middle,
      uploader: uploader.rare,
      orientation: 'portrait',
    },
    'used, changes requested': { used: true, approval: 'changes-requested' },
    'duplicates, rare uploader': { duplicates: true, uploader: uploader.rare },
    'common word': { q: word.common },
    'rare word': { q: word.rare },
    'two common words': { q: `${word.common} img` },
    'common and rare word': { q: `${word.common} ${word.rare}` },
    'absent word': { q: 'zzyzx' },
    'misspelt word': { q: word.typo },
    'a number': { q: '4711' },
    'two letters': { q: 'ba' },
    'two absent letters': { q: 'xq' },
    'one absent letter': { q: 'ž'.normalize('NFC') },
    'no letters': { q: '##' },
    'common word, rare tag': { q: word.common, tag: tags.rare },
    'rare word, portrait': { q: word.rare, orientation: 'portrait' },
    'rare word below a wide folder': { folderId: below.wide, below: true, everywhere: false, q: word.rare },
    'common word below a narrow folder': {
      folderId: below.narrow,
      below: true,
      everywhere: false,
      q: word.common,
    },
    'changes requested below a wide folder': {
      folderId: below.wide,
      below: true,
      everywhere: false,
      approval: 'changes-requested',
    },
    'rare word in a collection': { collectionId, q: word.rare },
    'common word, large files': { q: word.common, minBytes: 30_000_000 },
    'common tag, rights ended': { tag: tags.common, rights: 'ended' },
  }
  const path = (query: Query) =>
    `${at}?${new URLSearchParams(Object.entries({ everywhere: true, ...query }).map(([key, value]) => [key, String(value)]))}`
  const found: Page[] = [['plain folder page', `${at}?folderId=${folderId}`]]
  for (const [name, query] of Object.entries(filters))
    for (const sort of sorts)
      if (sort !== 'relevance' || query.q) found.push([`${name}, ${sort}`, path({ ...query, sort })])
  for (const name of [
    'everywhere',
    'common tag',
    'kind video',
    'rare uploader',
    'below a middle folder',
    'common word',
  ])
    for (const sort of ['newest', 'title', 'size'])
      found.push([`${name}, ${sort}, deep`, () => deep(path({ ...filters[name], sort }), ask)])
  for (const [name, query] of Object.entries(filters))
    found.push([`${name}, counted`, path({ ...query, countUpTo: 10_000, limit: 1 })])
  for (const name of ['everywhere', 'common tag', 'kind video', 'used', 'common word'])
    found.push([`count: ${name}`, path({ ...filters[name], count: true })])
  const { assets } = await ask(path({}))
  found.push(['similar', `${at}/${assets[0]!.assetId}/similar`])
  const duplicates = at.replace(/assets$/, 'duplicates')
  found.push(['duplicates page, exact', duplicates], ['duplicates page, near', `${duplicates}?kind=near`])
  found.push(['uploaders', `${at}/uploaders`], ['tags to choose from', `${at}/tags?q=tag`])
  return found
}

/** Where it is, or how that is found out. */
type Page = [name: string, path: string | (() => Promise<string>)]

interface Answer {
  assets: { assetId: string }[]
  nextCursor: string | null
}

/** Twenty pages of two hundred further on. */
async function deep(path: string, ask: (path: string) => Promise<Answer>): Promise<string> {
  let cursor = ''
  for (let page = 0; page < 20; page++) {
    const { nextCursor } = await ask(`${path}&limit=200${cursor && `&cursor=${cursor}`}`)
    if (!nextCursor) break
    cursor = nextCursor
  }
  return `${path}&cursor=${cursor}`
}

async function postmasterOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const parent = await parentOf(String(rows[0]!.pid))
  await client.end()
  return parent!
}

const parentOf = async (pid: string) =>
  /\) \S (\d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1]

/** Milliseconds so far, of all threads and of all processes of the database. */
async function cpu(server: number, postmaster: string): Promise<{ server: number; database: number }> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map(parentOf))
  const backends = pids.filter((_, at) => parents[at] === postmaster)
  const spent = await Promise.all(backends.map(threads))
  return { server: await threads(String(server)), database: spent.reduce((sum, ms) => sum + ms, 0) }
}

async function threads(pid: string): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const spent = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '0')),
  )
  return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}

const short = (count: number) => (count >= 1000 ? `${Math.round(count / 1000)}k` : String(count))
