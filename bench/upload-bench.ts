import pg from 'pg'
import { pngOfSize } from '../test/pictures.ts'
import { type Figures, type Hit, hit, inTurns } from './load.ts'
import type { Ring } from './ring.ts'
import { share, show } from './share.ts'

const sizeBytes = 1024 * 1024
const callers = 4
const seconds = 2
const mostFinalized = 400
const rounds = 3

/**
 * What the API itself does for an upload: it opens a session and finalizes it. The PUT between them goes to the
 * bucket; here the disk store takes it, so it is done aside and not counted, on either side.
 */
export async function uploadBench(ring: Ring): Promise<void> {
  const client = await ring.newClient('uploads')
  const path = `${ring.ours.url}/admin/clients/${client}/assets/upload-session`
  const file = { originalFilename: 'a.png', mimeType: 'image/png', expectedSizeBytes: sizeBytes }
  const post = (url: string, body: object): Hit => ({
    url,
    method: 'POST',
    headers: { cookie: ring.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  const floor = uploads(ring, ring.floor.pid, {
    open: post(`${ring.floor.url}/session`, { clientId: client, size: sizeBytes }),
    finalize: ({ id }) => post(`${ring.floor.url}/finalize`, { clientId: client, id }),
  })
  const ours = uploads(ring, ring.ours.pid, {
    open: post(path, file),
    finalize: ({ uploadToken }) => post(`${path}/finalize`, { uploadToken }),
  })
  const all = {
    floorOpened: floor.open,
    opened: ours.open,
    floorFinalized: floor.finalize,
    finalized: ours.finalize,
  }
  await inTurns(1, all)
  await countRows(ring)
  const figures = await inTurns(rounds, all)
  share(
    ring,
    'session + finalize of 1 MB',
    both(figures.opened, figures.finalized),
    both(figures.floorOpened, figures.floorFinalized),
    0.5,
  )
  console.log(`      of it the session ${show(figures.opened)} vs ${show(figures.floorOpened)}`)
}

/** As the database does by itself, a minute later: plans made for empty tables go through all rows of a client. */
async function countRows({ databaseUrl }: Ring): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

/** No file is there twice: what is made of the second is more work. */
let files = 0

type Opened = { uploadUrl: string; uploadToken: string; id: string }

function uploads(
  { loader }: Ring,
  pid: number,
  api: { open: Hit; finalize(opened: Opened): Hit },
): { open(): Promise<Figures>; finalize(): Promise<Figures> } {
  let opened: Opened[] = []
  return {
    async open() {
      const { bodies, ...figures } = await loader.ask(pid, [api.open], { seconds, callers, keepBodies: true })
      opened = bodies.map((body) => JSON.parse(body))
      return figures
    },
    async finalize() {
      const there = opened.slice(0, mostFinalized)
      for (const { uploadUrl } of there)
        await hit({
          url: uploadUrl,
          method: 'PUT',
          body: pngOfSize(sizeBytes, files++),
          headers: { 'content-type': 'image/png' },
        })
      const hits = there.map(api.finalize)
      return loader.ask(pid, hits, { seconds: 60, callers, most: hits.length })
    },
  }
}

/** One after the other. */
const both = (a: Figures, b: Figures): Figures => ({
  perSecond: 1 / (1 / a.perSecond + 1 / b.perSecond),
  cpuMs: a.cpuMs + b.cpuMs,
  databaseMs: a.databaseMs! + b.databaseMs!,
  megabytesPerSecond: 0,
})
