import { type Figures, hit, inTurns, load } from './load.ts'
import type { Ring } from './ring.ts'
import { folderWith, seedClient, seedTree } from './seed.ts'
import { share, show } from './share.ts'

const callers = 8
const seconds = 2
const rounds = 4
/** Before anything counts: by then the code that is asked most is compiled for good. */
const warmUp = { seconds: 10, most: 10_000, callers }

export async function libraryBench(ring: Ring): Promise<void> {
  const small = await ring.newClient('ten thousand')
  const large = await ring.newClient('a hundred thousand')
  const { folderId: smallFolder } = await seedClient(ring.databaseUrl, small, 10_000)
  const { folderId: largeFolder } = await seedClient(ring.databaseUrl, large, 100_000)

  const ask = ({ pid, url }: Ring['floor'], path: string, headers = {}) => {
    const asked = { url: url + path, headers: { cookie: ring.cookie, ...headers } }
    let isWarm = false
    return async () => {
      if (!isWarm) await ring.loader.ask(pid, [asked], warmUp)
      isWarm = true
      return ring.loader.ask(pid, [asked], { seconds, callers })
    }
  }
  const ours = (path: string, headers = {}) => ask(ring.ours, path, headers)
  const floor = (path: string) => ask(ring.floor, path)
  const page = (client: string, folder: string, cursor = '') =>
    `/admin/clients/${client}/assets?folderId=${folder}${cursor && `&cursor=${cursor}`}`

  const deepCursor = await cursorAt(ring, page(large, largeFolder), 90_000)
  const [, after, id] = JSON.parse(Buffer.from(deepCursor, 'base64url').toString())
  const pages = await inTurns(rounds, {
    floor: floor(`/page?clientId=${large}&folderId=${largeFolder}`),
    small: ours(page(small, smallFolder)),
    first: ours(page(large, largeFolder)),
    deep: ours(page(large, largeFolder, deepCursor)),
    floorDeep: floor(
      `/page?clientId=${large}&folderId=${largeFolder}&after=${encodeURIComponent(after)}&id=${id}`,
    ),
  })
  share(ring, 'folder page of 50 at 100k assets', pages.first, pages.floor)
  share(ring, 'deep folder page at 100k assets', pages.deep, pages.floorDeep)
  const growth = pages.first.cpuMs / pages.small.cpuMs
  ring.report(
    'page cost at 100k against 10k',
    `${pages.first.cpuMs.toFixed(2)} vs ${pages.small.cpuMs.toFixed(2)} ms CPU`,
    growth,
    '≤ 1.2',
    growth <= 1.2,
  )
  const depth = pages.deep.cpuMs / pages.first.cpuMs
  ring.report(
    'deep page against first',
    `${pages.deep.cpuMs.toFixed(2)} vs ${pages.first.cpuMs.toFixed(2)} ms CPU`,
    depth,
    '≤ 1.2',
    depth <= 1.2,
  )

  const search = await inTurns(rounds, {
    floor: floor(`/search?clientId=${large}&q=${encodeURIComponent('kitchen 999')}`),
    ours: ours(`/admin/clients/${large}/assets?everywhere=true&q=${encodeURIComponent('kitchen 999')}`),
  })
  share(ring, 'title search at 100k assets', search.ours, search.floor)

  const [some] = JSON.parse((await read(ring, page(large, largeFolder))).body.toString()).assets
  const asset = await inTurns(rounds, {
    floor: floor(`/asset?clientId=${large}&id=${some.assetId}`),
    ours: ours(`/admin/clients/${large}/assets/${some.assetId}`),
  })
  share(ring, 'one asset', asset.ours, asset.floor)

  const treeClient = await ring.newClient('tree')
  await seedTree(ring.databaseUrl, treeClient, 1265)
  const all = `/admin/clients/${treeClient}/assets/folders?limit=2000`
  const { etag } = (await read(ring, all)).headers
  const tree = await inTurns(rounds, {
    floor: floor(`/tree?clientId=${treeClient}`),
    ours: ours(all),
    unchanged: ours(all, { 'if-none-match': etag }),
  })
  share(ring, 'whole tree of 1,265 folders', tree.ours, tree.floor)
  share(ring, 'the same unchanged (304)', tree.unchanged, tree.floor)

  const auth = await inTurns(rounds, { floor: floor('/me'), ours: ours('/auth/me') })
  share(ring, 'who is logged in', auth.ours, auth.floor)

  const login = await inTurns(rounds, { without: ours('/livez'), with: ours('/auth/me') })
  const kept = login.with.perSecond / login.without.perSecond
  ring.report(
    'login against no login, same server',
    `${show(login.with)} vs ${show(login.without)}`,
    kept,
    '≥ 0.3',
    kept >= 0.3,
  )

  await moves(ring, large)
}

async function moves(ring: Ring, client: string): Promise<void> {
  const [empty, full, a, b] = await Promise.all([
    folderWith(ring.databaseUrl, client, 'empty', 0),
    folderWith(ring.databaseUrl, client, 'full', 10_000),
    folderWith(ring.databaseUrl, client, 'a', 0),
    folderWith(ring.databaseUrl, client, 'b', 0),
  ])
  const move = (folderId: string) => () =>
    load(ring.ours.pid, seconds, 1, (n) =>
      hit({
        url: `${ring.ours.url}/admin/clients/${client}/assets/folders`,
        method: 'PATCH',
        headers: { cookie: ring.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ folderId, parentId: n % 2 ? a : b }),
      }),
    )
  const figures = await inTurns(rounds, { empty: move(empty), full: move(full) })
  const ratio = figures.empty.perSecond / figures.full.perSecond
  const ms = (f: Figures) => `${(1000 / f.perSecond).toFixed(1)} ms`
  ring.report(
    'move a folder with 10k below against empty',
    `${ms(figures.full)} vs ${ms(figures.empty)}`,
    ratio,
    '≤ 1.2, independent',
    ratio <= 1.2,
  )
}

async function cursorAt(ring: Ring, path: string, offset: number): Promise<string> {
  let cursor = ''
  for (let at = 0; at < offset; at += 200) {
    const { body } = await hit({
      url: `${ring.ours.url}${path}&limit=200${cursor && `&cursor=${cursor}`}`,
      headers: { cookie: ring.cookie },
    })
    cursor = JSON.parse(body.toString()).nextCursor
  }
  return cursor
}

const read = (ring: Ring, path: string) =>
  hit({ url: ring.ours.url + path, headers: { cookie: ring.cookie } })
