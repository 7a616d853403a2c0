import { seedClients, seededClients } from './clients-seed.ts'
import { type Figures, hit, inTurns } from './load.ts'
import { misspelt, tags, vocabulary } from './million-seed.ts'
import type { BenchNode, Ring } from './ring.ts'

/** What a page may cost of what it costs where nobody else is: CPU of server and database together. */
const goal = 1.5
const seconds = 1
const rounds = 2
const callers = 2

/** Lists, searches and trees of clients among ten thousand, against the same library alone in its database. */
export async function clientsBench(ring: Ring): Promise<void> {
  const total = ring.assets ?? 10_000_000
  const count = Math.min(10_000, Math.ceil(total / 100))
  const each = Math.round(total / count)
  const alone = await ring.startNode('alone')
  const [single] = await seeded(ring, alone, each, 1)
  const clients = await seeded(ring, ring.ours, each, count)
  console.log(`${clients.length} clients of ${each} assets each`)

  const ask = (node: BenchNode, paths: string[], most?: number) =>
    ring.loader.ask(
      node.pid,
      paths.map((path) => ({ url: node.url + path, headers: { cookie: node.cookie } })),
      { seconds: most ? 60 : seconds, callers, most },
    )
  const few = clients.slice(0, 1000)
  const there = await pages(alone, single!)
  const here = await pages(ring.ours, clients[0]!)
  // What is asked of one server alone would find its code compiled better than the other's.
  await ask(
    alone,
    [...there.values()].map((page) => page(single!)),
    3000,
  )
  await ask(
    ring.ours,
    [...here.values()].map((page) => page(clients[0]!)),
    3000,
  )
  for (const [name, page] of here) {
    const asked: Record<'alone' | 'one' | 'each', [BenchNode, string[]]> = {
      alone: [alone, [there.get(name)!(single!)]],
      one: [ring.ours, [page(clients[0]!)]],
      each: [ring.ours, few.map(page)],
    }
    for (const [node, paths] of Object.values(asked)) await ask(node, paths, Math.max(200, paths.length))
    const found = await inTurns(rounds, {
      alone: () => ask(...asked.alone),
      one: () => ask(...asked.one),
      each: () => ask(...asked.each),
    })
    for (const [whose, among] of Object.entries({
      [`of one among ${clients.length}`]: found.one,
      [`of ${few.length} in turn`]: found.each,
    })) {
      const ratio = cost(among) / cost(found.alone)
      ring.report(
        `${name} ${whose}`,
        `${shown(among)}; alone ${shown(found.alone)}`,
        ratio,
        `≤ ${goal} × alone`,
        ratio <= goal,
      )
    }
  }
}

const cost = ({ cpuMs, databaseMs = 0 }: Figures) => cpuMs + databaseMs
const shown = (figures: Figures) =>
  `${cost(figures).toFixed(2)} ms CPU (database ${figures.databaseMs!.toFixed(2)}), ${figures.perSecond.toFixed(0)}/s`

/** The clients with so many assets each, the one first that the others were made of: those of last time where they were kept. */
async function seeded(ring: Ring, node: BenchNode, assets: number, count: number): Promise<string[]> {
  const name = `${count} of ${assets} assets`
  const known = await seededClients(node.databaseUrl, name)
  if (known.length === count) return known
  await seedClients(node.databaseUrl, await ring.newClient(name, node), assets, count - 1)
  return seededClients(node.databaseUrl, name)
}

/** Each kind of page, and where a client has it; all clients of a database have the same folders and assets. */
async function pages({ url, cookie }: BenchNode, clientId: string) {
  const read = async (path: string) =>
    JSON.parse(
      (
        await hit({ url: `${url}/admin/clients/${clientId}/assets${path}`, headers: { cookie } })
      ).body.toString(),
    )
  const { folders } = await read('/folders?limit=2000')
  const { assets } = await read('?everywhere=true')
  const [folder, wide] = ['folder 0', 'folder 1'].map(
    (name) => folders.find((one: { name: string }) => one.name === name).folderId,
  )
  const rare = assets.at(-1).title.split(' ')[2]
  const everywhere = (query: Record<string, string>) =>
    `?${new URLSearchParams({ everywhere: 'true', ...query })}`
  const kinds: Record<string, string> = {
    'folder page': `?folderId=${folder}`,
    'all, newest': everywhere({}),
    'all, by title': everywhere({ sort: 'title' }),
    'below a folder': `?folderId=${wide}&below=true`,
    'common tag': everywhere({ tag: tags.common }),
    'rare tag': everywhere({ tag: tags.middle }),
    videos: everywhere({ mimeType: 'video/*' }),
    'portrait, by size': everywhere({ orientation: 'portrait', sort: 'size' }),
    duplicates: everywhere({ duplicates: 'true' }),
    'common word': everywhere({ q: vocabulary[0]! }),
    'rare word': everywhere({ q: rare }),
    'misspelt word': everywhere({ q: misspelt(vocabulary[2]!) }),
    similar: `/${assets[0].assetId}/similar`,
    tree: '/folders?limit=2000',
  }
  return new Map(
    Object.entries(kinds).map(([name, path]) => [
      name,
      (client: string) => `/admin/clients/${client}/assets${path}`,
    ]),
  )
}
