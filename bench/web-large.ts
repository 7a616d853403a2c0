import type { CDPSession, Page, Request } from '../test/web/browser.ts'

/** A client's library as a person meets it: its page, and how many assets are in it. */
export interface Large {
  path: string
  count: number
}

type Report = (what: string, figure: string, met?: boolean, target?: string) => void

/** How often each is measured; the best counts, for other work only ever adds. */
const rounds = 3
const places = 200
const shares = [0.1, 0.5, 0.99, 1]

/**
 * The page of a library of a million beside that of a small one: what is shown first, where the bar leads, what one types,
 * and what stays in memory. Both take turns in one run, so that the ratios hold on a busy machine, too.
 */
export async function largeLibrary(open: () => Promise<Page>, few: Large, many: Large, report: Report) {
  const small: Walk[] = []
  const large: Walk[] = []
  for (let round = 0; round < rounds; round++) {
    small.push(await walk(await open(), few))
    large.push(await walk(await open(), many))
  }
  const compare = (what: string, of: (walk: Walk) => number, most: number) => {
    const [least, figure] = [small, large].map((walks) => Math.min(...walks.map(of))) as [number, number]
    const ratio = figure / Math.max(1, least)
    const met = ratio <= most || figure <= 50
    report(
      `${what}, ${few.count.toLocaleString('en')} → ${many.count.toLocaleString('en')}`,
      `${least.toFixed(0)} → ${figure.toFixed(0)} ms`,
      met,
      `≤ ${most} ×: ${ratio.toFixed(1)}`,
    )
  }
  compare('first page shown', (walk) => walk.first, 1.5)
  compare('all counted', (walk) => walk.counted, 20)
  compare('the bar dragged for the first time', (walk) => walk.jumps[0]!.milliseconds, 3)
  for (const [at, share] of shares.entries())
    compare(`bar at ${share * 100} %`, (walk) => walk.jumps[at + 1]!.milliseconds, 2)
  compare('last letter typed → found', (walk) => walk.typed, 2)
  compare('a filter', (walk) => walk.filtered, 2)
  compare('longest task of the main thread', (walk) => walk.longest, 2)
  const requests = Math.max(...large.flatMap(({ jumps }) => jumps.map((jump) => jump.requests)))
  report('requests for a place the bar leads to', String(requests), requests <= 4, '≤ 4')
  const wrong = large.flatMap(({ jumps }) => jumps).filter((jump) => !jump.isRight).length
  report('places that showed something else', String(wrong), wrong === 0, '0')

  const { heap, nodes } = await wandering(await open(), many)
  report(
    `memory after ${places} places`,
    `${megabytes(heap.before)} → ${megabytes(heap.after)} MB`,
    heap.after <= 1.2 * heap.before,
    `≤ 1.2 ×: ${(heap.after / heap.before).toFixed(2)}`,
  )
  report(
    'elements of the page',
    `${nodes.before} → ${nodes.after}`,
    nodes.after <= 1.2 * nodes.before,
    '≤ 1.2 ×',
  )
}

interface Jump {
  milliseconds: number
  requests: number
  isRight: boolean
}

interface Walk {
  first: number
  counted: number
  jumps: Jump[]
  typed: number
  filtered: number
  longest: number
}

async function walk(page: Page, { path, count }: Large): Promise<Walk> {
  await page.addInitScript(() => {
    const tasks = { longest: 0 }
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longest = Math.max(tasks.longest, duration)
    }).observe({ type: 'longtask' })
  })
  const began = performance.now()
  await page.goto(path)
  await shownAt(page, 0)
  const first = performance.now() - began
  // The bar leads anywhere once it is known how long it is.
  await page.getByText(`${count.toLocaleString('en')} assets`, { exact: true }).waitFor()
  const counted = performance.now() - began
  await page.evaluate(() => {
    ;(globalThis as unknown as { tasks: { longest: number } }).tasks.longest = 0
  })
  const jumps: Jump[] = []
  for (const share of [0.3, ...shares]) jumps.push(await jump(page, share, count))

  const box = page.getByRole('searchbox')
  for (const letter of 'lantern') await box.press(letter)
  const typed = await timed(() => inSight(page, 'Lantern'))
  await box.fill('')
  await shownAt(page, 0)
  const chip = page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'No alt text' })
  await chip.click()
  const filtered = await timed(() => page.getByRole('heading', { name: /^Nothing/ }).waitFor())
  const longest = await page.evaluate(
    () => (globalThis as unknown as { tasks: { longest: number } }).tasks.longest,
  )
  await page.context().close()
  return { first, counted, jumps, typed, filtered, longest }
}

/** The bar is let go here: how long until the assets that belong there are shown, and what was asked for that. */
async function jump(page: Page, share: number, count: number): Promise<Jump> {
  let requests = 0
  const onRequest = (request: Request) => {
    if (/\/assets(?:\?|\/cursors)/.test(request.url())) requests++
  }
  page.on('request', onRequest)
  let number = 0
  const milliseconds = await timed(async () => {
    number = await shownAt(page, share)
  })
  page.off('request', onRequest)
  return { milliseconds, requests, isRight: Math.abs(number / count - share) < 0.02 }
}

const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Moves the bar and waits for everything in sight to be there. Says the number of the first, which the seed counts from the newest on. */
async function shownAt(page: Page, share: number): Promise<number> {
  await page.getByRole('grid').evaluate((grid, to) => {
    grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * to
  }, share)
  return Number(/\d+/.exec(await inSight(page, ''))?.[0])
}

/** Waits until all that is in sight has been read and says this word, and tells what the first says. */
const inSight = (page: Page, word: string): Promise<string> =>
  page.evaluate(async (its) => {
    for (;;) {
      await new Promise(requestAnimationFrame)
      // A search may bring another.
      const grid = document.querySelector('[role=grid]')
      if (!grid) continue
      const frame = grid.getBoundingClientRect()
      // Cells that the list has left behind are no longer there to be seen.
      const seen = [...grid.querySelectorAll('[role=gridcell]')].filter((cell) => {
        const { top, bottom } = cell.getBoundingClientRect()
        return bottom > frame.top && top < frame.bottom
      })
      if (seen.length > 0 && seen.every((cell) => !cell.ariaBusy && cell.textContent!.includes(its)))
        return seen[0]!.textContent!
    }
  }, word)

async function wandering(page: Page, { path }: Large) {
  await page.goto(path)
  await shownAt(page, 0)
  const cdp = await page.context().newCDPSession(page)
  const wander = async (count: number) => {
    for (let at = 0; at < count; at++) await shownAt(page, ((at * 0.618034) % 1) * 0.98)
    await shownAt(page, 0.5)
  }
  // As many as are kept, once.
  await wander(50)
  const before = await held(cdp)
  await wander(places)
  const after = await held(cdp)
  await page.context().close()
  return {
    heap: { before: before.heap, after: after.heap },
    nodes: { before: before.nodes, after: after.nodes },
  }
}

async function held(cdp: CDPSession) {
  await cdp.send('HeapProfiler.enable')
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { nodes } = await cdp.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes }
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
