import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../server/check/fault.ts'
import { command } from '../command.ts'
import { wordpressPeer } from '../delivery-peers.ts'
import { nextEvents } from '../event-reader.ts'
import { faultProxy } from '../fault-proxy.ts'
import { faultyStore, type StoreFault } from '../faulty-store.ts'
import { person } from '../person.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { startPostgres } from '../setup/postgres.ts'
import { inventoryOf } from './inventory.ts'
import { type Action, startLoad, summary } from './load.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 15)
const longWait = 20_000

test(`${minutes} minutes of everything at once, with faults in between: nothing lost, nothing leaked, nothing grows`, {
  timeout: (minutes + 10) * 60_000,
}, async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  await postgres.admin('create database library')
  const toDatabase = await faultProxy({ port: postgres.port })
  onTestFinished(toDatabase.stop)
  const r2 = await startR2Simulator()
  onTestFinished(r2.stop)
  const store = await faultyStore(r2.endpoint)
  onTestFinished(store.stop)
  const toStore = await faultProxy({ port: Number(new URL(store.endpoint).port) })
  onTestFinished(toStore.stop)
  const site = await wordpressPeer()
  const toSite = await faultProxy({ port: Number(new URL(site.url).port) })
  onTestFinished(toSite.stop)
  const server = await startProcess(
    {
      DATABASE_URL: toDatabase.before(`${postgres.url}/library`),
      DATABASE_SECONDS: '5',
      STORAGE_ACCOUNT_ID: 'account',
      STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
      STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
      STORAGE_BUCKET_NAME: r2.bucket,
      STORAGE_ENDPOINT: toStore.before(store.endpoint),
      OUTBOUND_ALLOW: '127.0.0.1',
    },
    { inspected: true },
  )
  onTestFinished(server.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Soak' })).body
  const at = `/admin/clients/${clientId}`
  const operator = admin.at({ assets: `${at}/assets`, events: `${at}/events` })
  const { body: connection } = await admin.post(`${at}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: toSite.before(site.url) },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })

  const storeFault = (fault: StoreFault) => ({
    begin: () => store.suffers(fault),
    end: () => store.suffers(undefined),
  })
  const weather = (line: typeof toStore, now: Parameters<typeof toStore.weather>[0]) => ({
    begin: () => line.weather(now),
    end: () => line.weather({}),
  })
  const faults: Record<string, { begin(): unknown; end(): unknown }> = {
    'store busy': storeFault('busy'),
    'store resets': storeFault('reset'),
    'store slow': weather(toStore, { delayMs: 100, bytesPerSecond: 500_000 }),
    'store swallowed': weather(toStore, { trouble: 'swallow' }),
    'store loses answers': storeFault('lost answer'),
    'database cut': weather(toDatabase, { trouble: 'reset' }),
    'database swallowed': weather(toDatabase, { trouble: 'swallow' }),
    'database slow': weather(toDatabase, { delayMs: 10 }),
    'database restarts': { begin: () => postgres.restart({ crash: true, downMs: 1000 }), end() {} },
    'target cut': weather(toSite, { trouble: 'reset' }),
  }

  const end = performance.now() + minutes * 60_000
  const load = startLoad(operator, {
    people: 4,
    works: ['upload', 'list', 'edit', 'preview', 'folder', 'move', 'list', 'zip', 'trash', 'content'],
    pauseMs: 150,
  })
  const windows: { name: string; from: number; to: number }[] = []
  const events = followEvents(operator, () => performance.now() < end)
  const deliveries = deliverNowAndThen(operator, `${at}/deliveries`, connection.connectionId, end)
  const samples: Sample[] = []
  const sampling = setInterval(
    async () => {
      const [liveMb, memoryMb, files] = await Promise.all([
        server.liveMb(),
        server.memoryMb(),
        server.openFiles(),
      ])
      samples.push({ liveMb, memoryMb, files })
    },
    Math.max(1000, (minutes * 60_000) / 300),
  )

  const every = Math.max(15_000, (minutes * 60_000 * 0.8) / Object.keys(faults).length)
  for (const [name, fault] of Object.entries(faults)) {
    await pause(every * 0.8)
    const from = performance.now()
    await fault.begin()
    await pause(every * 0.2)
    await fault.end()
    windows.push({ name, from, to: performance.now() })
  }
  await pause(Math.max(0, end - performance.now()))
  await load.stop()
  const sent = await deliveries
  clearInterval(sampling)
  const heard = await events

  const broken = await load.broken()
  const settled = await untilSettled(operator, `${at}/deliveries`, sent)
  const inventory = await inventoryOf(server.environment)
  // And once more with what operators would use.
  const { code, json: checked } = await command(server.environment).run(
    'check',
    '--read',
    '100%',
    '--grace',
    '0',
    '--json',
  )
  const faulty = (found: (kind: Fault['kind']) => boolean) =>
    checked.faults.filter(({ kind }: Fault) => found(kind)).length
  const slugs = site.items.map(({ slug }) => slug.replace(/-\d+$/, ''))
  const twice = slugs.filter((slug, place) => slugs.indexOf(slug) !== place)
  // A PUT goes to the store itself: what it answers there is not ours.
  const ours = load.actions.filter(({ what }) => what !== 'put')
  const outside = ours.filter(({ status }) => status === 0 || status >= 500).filter(notIn(windows))
  const [first, last] = [medians(samples, 1 / 3, 2 / 3), medians(samples, 2 / 3, 1)]
  const ends = Map.groupBy(settled, ({ status }) => status)
  const ended = (status: string) => ends.get(status)?.length ?? 0
  // What is done is there; what is unknown may be; nothing else is.
  const undelivered = Math.max(0, ended('done') - site.items.length)
  const unasked = Math.max(0, site.items.length - ended('done') - ended('unknown'))
  console.log(summary(load.actions))
  console.log(
    `in use ${first.liveMb.toFixed(1)} → ${last.liveMb.toFixed(1)} MB, resident ${first.memoryMb.toFixed(0)} → ${last.memoryMb.toFixed(0)} MB, open files ${first.files} → ${last.files}; ${heard} events heard, ${sent.length} deliveries (${[...ends].map(([status, all]) => `${all.length} ${status}`).join(', ')}), ${site.items.length} items at the site; 5xx outside of faults: ${summary(outside) || 'none'}`,
  )
  experiment({
    experiment: `soak of ${minutes} minutes`,
    load: `${load.actions.length} requests, ${load.uploads()} uploads, ${sent.length} deliveries`,
    faults: windows.map(({ name }) => name).join(', '),
    lost: broken.length + inventory.missing.length + faulty((kind) => kind !== 'orphan-object') + undelivered,
    leaked:
      inventory.orphans.length +
      inventory.halves.length +
      twice.length +
      unasked +
      faulty((kind) => kind === 'orphan-object'),
  })
  expect(broken).toEqual([])
  expect(inventory).toEqual({ missing: [], orphans: [], halves: [] })
  expect(checked).toMatchObject({ clients: 1, faults: [] })
  expect(checked.read).toBeGreaterThan(0)
  expect(code).toBe(0)
  expect(twice).toEqual([])
  expect(outside).toEqual([])
  expect([...ends.keys()].filter((status) => !['done', 'unknown', 'failed'].includes(status))).toEqual([])
  // Only what was thrown away before its turn came is refused.
  for (const { lastError } of ends.get('failed') ?? []) expect(lastError).toMatch(/trash/)
  expect(ended('done')).toBeGreaterThan(sent.length / 2)
  expect({ undelivered, unasked }).toEqual({ undelivered: 0, unasked: 0 })
  // Whatever is kept for each request would be hundreds of megabytes by now: so many were made.
  expect(last.liveMb).toBeLessThan(first.liveMb * 1.05 + 2)
  expect(last.memoryMb).toBeLessThan(first.memoryMb * 1.1)
  // Lines to the database and the store come and go.
  expect(last.files).toBeLessThan(first.files + 20)
  expect(heard).toBeGreaterThan(0)
})

/** Requests begun in a window of faults, or soon after it, may bear its mark. */
const notIn = (windows: { from: number; to: number }[]) => (action: Action) =>
  !windows.some(({ from, to }) => action.at + action.milliseconds > from && action.at < to + 10_000)

interface Sample {
  /** After a collection: what is really held. */
  liveMb: number
  memoryMb: number
  files: number
}

/** Of a part of the run. The first third is the warm-up, and nobody's. */
function medians(samples: Sample[], from: number, to: number): Sample {
  const part = samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
  const median = (figure: keyof Sample) =>
    part.map((sample) => sample[figure]).toSorted((a, b) => a - b)[Math.floor(part.length / 2)]!
  return { liveMb: median('liveMb'), memoryMb: median('memoryMb'), files: median('files') }
}

/** Follows the events as a browser does, and comes again when the line was cut. Says how many there were. */
async function followEvents(operator: ReturnType<typeof person>, goesOn: () => boolean): Promise<number> {
  let last = 0
  while (goesOn()) {
    try {
      const stream = await nextEvents(operator, last)
      const leave = setTimeout(() => stream.leaves(), 15_000)
      while (goesOn()) last = Number((await stream.next()).id)
      clearTimeout(leave)
      stream.leaves()
    } catch {
      await pause(500)
    }
  }
  return last
}

async function deliverNowAndThen(
  operator: ReturnType<typeof person>,
  path: string,
  connectionId: string,
  end: number,
): Promise<string[]> {
  const sent: string[] = []
  while (performance.now() < end) {
    await pause(3000)
    // Everywhere: where they lie, a page is filled with folders first.
    const { body } = await operator.lists({ limit: 5, everywhere: true }).catch(() => ({ body: {} }))
    const asset = body.assets?.[0]
    if (!asset) continue
    const wish = { assetRef: asset.assetRef, connectionId, surface: 'website' }
    const { status, body: delivery } = await operator.post(path, wish).catch(() => ({ status: 0, body: {} }))
    if (status === 202 && !sent.includes(delivery.deliveryId)) sent.push(delivery.deliveryId)
  }
  return sent
}

/** How each of them ended. */
async function untilSettled(
  operator: ReturnType<typeof person>,
  path: string,
  ids: string[],
): Promise<{ status: string; lastError: string | null }[]> {
  const ends: { status: string; lastError: string | null }[] = []
  const deadline = performance.now() + 3 * longWait
  for (const id of ids)
    for (;;) {
      const { status, lastError } = (await operator.get(`${path}/${id}`)).body
      const over = ['done', 'unknown', 'failed', 'cancelled'].includes(status)
      if (!over && performance.now() < deadline) {
        await pause(500)
        continue
      }
      ends.push({ status, lastError })
      break
    }
  return ends
}
