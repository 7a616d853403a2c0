import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, startPostgres } from '../test/setup/postgres.ts'
import { clientsBench } from './clients-bench.ts'
import { libraryBench } from './library-bench.ts'
import { hit, startLoader } from './load.ts'
import { mediaBench } from './media-bench.ts'
import { combinedBench, millionBench } from './million-bench.ts'
import { neighbourBench } from './neighbour-bench.ts'
import { nodesBench } from './nodes-bench.ts'
import { photosBench } from './photos-bench.ts'
import { pickBench } from './pick-bench.ts'
import type { BenchNode, Ring } from './ring.ts'
import { login, serve } from './serve.ts'
import { upgradeBench } from './upgrade-bench.ts'
import { uploadBench } from './upload-bench.ts'
import { zipBench } from './zip-bench.ts'

const benches = {
  library: libraryBench,
  pick: pickBench,
  uploads: uploadBench,
  zip: zipBench,
  media: mediaBench,
  photos: photosBench,
  neighbour: neighbourBench,
  nodes: nodesBench,
  million: millionBench,
  combined: combinedBench,
  clients: clientsBench,
  upgrade: upgradeBench,
}
// Each of these takes longer than all others together.
const onlyWhenAsked = ['million', 'combined', 'clients', 'upgrade']

// A folder that is named stays, and what was seeded in it is measured again: npm run bench million /var/tmp/bench
const kept = process.argv.slice(2).find(isAbsolute)
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'library-bench-')))
await mkdir(join(folder, 'floor'), { recursive: true })
const postgres = await startPostgres(
  [
    '-c',
    'shared_buffers=512MB',
    '-c',
    'synchronous_commit=off',
    '-c',
    'max_wal_size=1GB',
    // What its helpers spend would be nobody's: they are gone when it is counted.
    '-c',
    'max_parallel_workers_per_gather=0',
  ],
  kept && join(kept, 'postgres'),
)
if (postgres.isNew) await postgres.admin('create database bench')
const databaseUrl = `${postgres.url}/bench`
const children: ChildProcess[] = []
const rows: string[][] = []
const loader = startLoader(postgres.pid)
const seed = process.argv.map((word) => Number(/^seed=(\d+)$/.exec(word)?.[1])).find((given) => given >= 0)
const words = process.argv
  .slice(2)
  .filter((name) => !Number(name) && !isAbsolute(name) && !/^seed=/.test(name))
const asked = words.filter((name) => name in benches)
// Of the many rows of one bench those with such a name: npm run bench million duplicates /var/tmp/bench
const only = new RegExp(words.filter((name) => !(name in benches)).join('|'))
const assets = process.argv.map(Number).find((count) => count > 0)

try {
  const ours = await startNode()
  const floor = await startFloor()
  const ring: Ring = {
    ours,
    floor,
    loader,
    cookie: ours.cookie,
    databaseUrl,
    folder,
    assets,
    seed,
    only,
    objects: join(folder, 'data', 'objects'),
    async startNode(database) {
      if (database) await postgres.admin(`create database ${database}`).catch(unlessThere)
      return startNode(database)
    },
    async newClient(name, { url, cookie } = ours) {
      const answer = await hit({
        url: `${url}/admin/clients`,
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ name, quotaBytes: 1e12 }),
      })
      return JSON.parse(answer.body.toString()).clientId
    },
    report(work, figures, ratio, wanted, met) {
      const row = [
        met ? 'ok  ' : 'MISS',
        work.padEnd(44),
        ratio.toFixed(2).padStart(8),
        wanted.padEnd(26),
        figures,
      ]
      rows.push(row)
      console.log(row.join('  '))
    },
  }
  for (const [name, bench] of Object.entries(benches))
    if (asked.length === 0 ? !onlyWhenAsked.includes(name) : asked.includes(name)) await bench(ring)
  console.log(`\n${rows.filter(([met]) => met === 'ok  ').length} of ${rows.length} targets met`)
} finally {
  loader.stop()
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(
    children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))),
  )
  await postgres.stop()
  if (!kept) await rm(folder, { recursive: true, force: true })
}

async function startNode(database = 'bench'): Promise<BenchNode> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const databaseUrl = `${postgres.url}/${database}`
  const child = await serve(port, {
    PUBLIC_URL: url,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl,
    // Jobs would take their share of the CPU at times of their own choosing.
    ROLE: 'api',
    // One caller stands for all: it would be held to its rate.
    RATE_LIMIT_PRINCIPAL: '0',
    RATE_LIMIT_CLIENT: '0',
  })
  children.push(child)
  // It serves before the first login of a new database is there.
  let cookie: string | undefined
  while (!cookie) {
    const { headers } = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    })
    cookie = headers.get('set-cookie')?.split(';')[0]
    if (!cookie) await pause(500)
  }
  return { url, pid: child.pid!, databaseUrl, cookie }
}

/** From an earlier run, in a folder that was kept. */
function unlessThere(error: Error & { code?: string }): void {
  if (error.code !== '42P04') throw error
}

async function startFloor() {
  const port = await freePort()
  const child = fork('bench/floor.ts', [String(port), databaseUrl, join(folder, 'floor')])
  children.push(child)
  await new Promise((resolve) => child.once('message', resolve))
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! }
}
