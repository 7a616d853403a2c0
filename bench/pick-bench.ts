import pg from 'pg'
import { type Figures, hit, inTurns, load } from './load.ts'
import type { Ring } from './ring.ts'
import { seedClient, seedVersions } from './seed.ts'

const assets = 100_000
const seconds = 3
const rounds = 2
/** What one wish may cost in folder pages: a thousand are ranked for it, and fifty looked at closely. */
const mostPages = 25

/** Words that many have, that few have, that all have in part; and wishes that leave much out. */
const wishes = {
  'no words': 'surface=social&ratio=4:5',
  'a common word': 'q=terrace&surface=social&ratio=4:5',
  'a rare word': 'q=99999&surface=social&ratio=4:5',
  'common and rare words': 'q=campaign 99998 terrace&surface=social&ratio=4:5',
  'unused, when most are used': 'surface=social&target=instagram&ratio=4:5&unused=true',
  'for a surface that few are for': 'surface=gbp&ratio=4:3',
}

/** What the best for a purpose costs, against a page of the folder, asked for one by one. */
export async function pickBench(ring: Ring): Promise<void> {
  const client = await ring.newClient('picks')
  const { folderId } = await seedClient(ring.databaseUrl, client, assets)
  await seedVersions(ring.databaseUrl, client)
  await markMost(ring.databaseUrl, client)

  const at = `${ring.ours.url}/admin/clients/${client}/assets`
  const ask = (path: string) => () =>
    load(ring.ours.pid, seconds, 1, () => hit({ url: at + path, headers: { cookie: ring.cookie } }))
  for (const [name, wish] of Object.entries(wishes)) {
    const figures = await inTurns(rounds, {
      page: ask(`?folderId=${folderId}`),
      pick: ask(`/pick?${encodeURI(wish)}`),
    })
    const ratio = figures.page.perSecond / figures.pick.perSecond
    ring.report(
      `pick of 100k: ${name}`,
      `${ms(figures.pick)} vs a folder page ${ms(figures.page)}`,
      ratio,
      `≤ ${mostPages} folder pages`,
      ratio <= mostPages,
    )
  }
}

/** All but every fiftieth are used somewhere, and all but every hundredth are not for business profiles. */
async function markMost(databaseUrl: string, clientId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into uses (client_id, kind, external_id, status, created_by)
     select $1, 'blog-post', n::text, 'done', 'bench' from generate_series(0, 999) n`,
    [clientId],
  )
  // In portions, counted in between: the plans of what keeps the lists are those of a library that has grown.
  for (let portion = 0; portion < 20; portion++) {
    await client.query(
      `insert into use_refs (client_id, kind, external_id, place, asset_ref, asset_id)
       select client_id, 'blog-post', (size_bytes % 1000)::text, size_bytes / 1000, id, id from assets
       where client_id = $1 and size_bytes % 50 <> 0 and size_bytes % 20 = $2`,
      [clientId, portion],
    )
    await client.query('analyze use_refs, listed_assets')
  }
  await client.query(
    `update assets set allowed_surfaces = '{website,social}' where client_id = $1 and size_bytes % 100 <> 0`,
    [clientId],
  )
  await client.query('vacuum analyze assets')
  await client.query('analyze uses, use_refs')
  await client.end()
}

const ms = ({ perSecond }: Figures) => `${(1000 / perSecond).toFixed(1)} ms`
