import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { hit } from './load.ts'
import { type Answer, combined, eachPage, type Pages } from './million-pages.ts'
import { seededClient, seedLibraries, whatWasSeeded } from './million-seed.ts'
import type { Ring } from './ring.ts'

/** What a page may cost of what the plain page of a folder costs: CPU of server and database together. */
const goal = 3

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

/** So many pages of filters that were thrown together, in the large library; of another seed others. */
export async function combinedBench(ring: Ring): Promise<void> {
  const most = ring.assets ?? 1_000_000
  const [, large] = await seeded(ring, [most / 10, most])
  const cost = await costs(ring, combined(200, ring.seed ?? 1))
  for await (const [name, { ms, database, waited, plain }] of cost(large!, ring.only))
    ring.report(
      name,
      `${ms.toFixed(1)} ms CPU (database ${database.toFixed(1)}) in ${waited.toFixed(1)} ms`,
      ms / plain,
      `≤ ${goal} × the folder page`,
      ms / plain <= goal,
    )
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

export async function costs(ring: Pick<Ring, 'ours' | 'cookie' | 'databaseUrl'>, pages: Pages = eachPage) {
  const ask = async (path: string): Promise<Answer> => {
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
      // PostgreSQL keeps the plan of what it was asked five times, and either of two connections may be asked.
      for (let n = 0; n < 12; n++) await ask(path)
      yield [name, { ...(await once(path)), plain }]
    }
  }
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
