import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { balancer } from '../test/balancer.ts'
import { type Figures, familyCpu, type Hit, hit, inTurns } from './load.ts'
import type { BenchNode, Ring } from './ring.ts'
import { seedClient } from './seed.ts'

const goal = 1.8
const seconds = 5
const rounds = 3
const callers = 16

/** Of a core, for each node: neither the database nor the balancer nor who asks may be what is waited for. */
const share = 0.15

/** How many requests two nodes answer against one, behind the same balancer, each held to a share of a core. */
export async function nodesBench(ring: Ring): Promise<void> {
  const { reads, changes } = await asked(ring)
  const nodes = [await ring.startNode(), await ring.startNode()]
  const letGo = await hold(nodes)
  try {
    await compare(ring, 'two nodes against one, reading', nodes, reads)
    await compare(ring, 'two nodes against one, changing', nodes, changes)
  } finally {
    await letGo()
  }
}

type Asked = Omit<Hit, 'url'> & { path: string }

/** Pages, searches and trees of four clients; and changes of their assets, each of which is taken back by the next round. */
async function asked(ring: Ring): Promise<{ reads: Asked[]; changes: Asked[] }> {
  const headers = { cookie: ring.cookie }
  const reads: Asked[] = []
  const changes: Asked[] = []
  for (const name of ['one', 'two', 'three', 'four']) {
    const clientId = await ring.newClient(name)
    const { folderId } = await seedClient(ring.databaseUrl, clientId, 10_000)
    const at = `/admin/clients/${clientId}/assets`
    const page = `${at}?folderId=${folderId}`
    for (const path of [page, `${at}?everywhere=true&q=kitchen`, `${at}/folders`])
      reads.push({ path, headers })
    const { assets } = JSON.parse((await hit({ url: ring.ours.url + page, headers })).body.toString())
    for (const title of ['Terrace', 'Garden'])
      for (const { assetId } of assets)
        changes.push({
          path: `${at}/${assetId}`,
          method: 'PATCH',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ title }),
        })
  }
  return { reads, changes }
}

async function compare(ring: Ring, work: string, nodes: BenchNode[], what: Asked[]): Promise<void> {
  const busy: Record<string, string> = {}
  const ask = async (name: string, serving: BenchNode[], forSeconds: number): Promise<Figures> => {
    const front = await balancer(serving.map(({ url }) => url))
    const spent = () => Promise.all(serving.map(({ pid }) => familyCpu(pid)))
    const before = await spent()
    const figures = await ring.loader.ask(
      serving[0]!.pid,
      what.map(({ path, ...rest }) => ({ ...rest, url: front.url + path })),
      { seconds: forSeconds, callers },
    )
    const after = await spent()
    busy[name] = after.map((ms, n) => `${Math.round((ms - before[n]!) / forSeconds / 10)} %`).join(' and ')
    await front.stop()
    return figures
  }
  for (const node of nodes) await ask('warm', [node], 10)
  const { one, two } = await inTurns(rounds, {
    one: () => ask('one', [nodes[0]!], seconds),
    two: () => ask('two', nodes, seconds),
  })
  const ratio = two.perSecond / one.perSecond
  ring.report(
    work,
    `${two.perSecond.toFixed(0)}/s with ${busy.two} of a core vs ${one.perSecond.toFixed(0)}/s with ${busy.one}; database ${two.databaseMs!.toFixed(2)} vs ${one.databaseMs!.toFixed(2)} ms CPU each`,
    ratio,
    `≥ ${goal}`,
    ratio >= goal,
  )
}

const controlGroups = '/sys/fs/cgroup'

/** Each in a control group of its own, of either kind there is; which needs the right to make one. */
async function hold(nodes: BenchNode[]): Promise<() => Promise<void>> {
  const isFirstKind = existsSync(`${controlGroups}/cpu`)
  const within = isFirstKind ? `${controlGroups}/cpu` : controlGroups
  const [quota, period] = [share * 20_000, 20_000]
  const folders: string[] = []
  for (const { pid } of nodes) {
    const folder = `${within}/library-bench-${pid}`
    await mkdir(folder)
    folders.push(folder)
    if (isFirstKind) {
      await writeFile(`${folder}/cpu.cfs_period_us`, String(period))
      await writeFile(`${folder}/cpu.cfs_quota_us`, String(quota))
    } else await writeFile(`${folder}/cpu.max`, `${quota} ${period}`)
    await writeFile(`${folder}/cgroup.procs`, String(pid))
  }
  return async () => {
    for (const { pid } of nodes) await writeFile(`${within}/cgroup.procs`, String(pid))
    for (const folder of folders) await rmdir(folder)
  }
}
