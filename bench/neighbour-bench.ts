import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs, hit, load } from './load.ts'
import type { Ring } from './ring.ts'
import { seedClient } from './seed.ts'

const rates = [25, 50, 100, 150, 200, 300, 400, 600]
const seconds = 3
const rounds = 2

/**
 * What one client that asks at a steady rate costs another that asks now and then: how many times as long half of the
 * other's answers take. Nobody waits for answers before asking on, as callers of the internet do not.
 */
export async function neighbourBench(ring: Ring): Promise<void> {
  const [noisy, quiet] = [await ring.newClient('noisy'), await ring.newClient('quiet')]
  const pages = await Promise.all(
    [noisy, quiet].map(async (client) => {
      const { folderId } = await seedClient(ring.databaseUrl, client, 10_000)
      return `${ring.ours.url}/admin/clients/${client}/assets?folderId=${folderId}`
    }),
  )
  const ask = (url: string) => hit({ url, headers: { cookie: ring.cookie } })
  for (const page of pages) for (let n = 0; n < 200; n++) await ask(page)

  const { cpuMs: cost } = await load(ring.ours.pid, seconds, 2, () => ask(pages[0]!))
  console.log(`A page costs the server ${cost.toFixed(2)} ms of the processor.`)

  let doublesAt = Number.POSITIVE_INFINITY
  for (const rate of rates) {
    const alone: number[] = []
    const beside: number[] = []
    const busy: number[] = []
    // In turns, so that what else the machine does hits both alike; the best of each is the truest.
    for (let round = 0; round < rounds; round++) {
      alone.push(await medianOf(() => ask(pages[1]!)))
      const before = await cpuMs(ring.ours.pid)
      const stop = asksSteadily(() => ask(pages[0]!), rate)
      beside.push(await medianOf(() => ask(pages[1]!)))
      busy.push(((await cpuMs(ring.ours.pid)) - before) / (seconds * 1000))
      await stop()
    }
    const [before, after] = [Math.min(...alone), Math.min(...beside)]
    const ratio = after / before
    if (ratio >= 2) doublesAt = Math.min(doublesAt, rate)
    ring.report(
      `a page beside ${rate} pages a second`,
      `${after.toFixed(1)} vs ${before.toFixed(1)} ms, ${Math.round(100 * Math.min(...busy))} % of a core`,
      ratio,
      'to be looked at',
      true,
    )
  }
  console.log(`Half of a quiet client's answers take twice as long beside ${doublesAt} pages a second.`)
}

async function medianOf(asks: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const began = performance.now()
    await asks()
    took.push(performance.now() - began)
    await pause(15)
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)]!
}

function asksSteadily(asks: () => Promise<unknown>, perSecond: number): () => Promise<void> {
  const began = performance.now()
  const open = new Set<Promise<unknown>>()
  let sent = 0
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - began) / 1000) * perSecond; sent++) {
      const asked = asks().finally(() => open.delete(asked))
      open.add(asked)
    }
  }, 5)
  return async () => {
    clearInterval(timer)
    await Promise.allSettled(open)
  }
}
