import type { Page } from '../test/web/browser.ts'
import { type Cost, heldBy, meterOf } from './page-costs.ts'

/** A client's library as a person meets it: its page, and how many assets are in it. */
export interface Large {
  path: string
  count: number
  /** The one in its middle. */
  assetId: string
}

type Report = (what: string, figure: string, met?: boolean, target?: string) => void

/** How often each is measured; the best counts, for other work only ever adds. */
const rounds = 3
const places = 200
const turns = 30

/** Where the bar is let go, the first time and then. */
const shares = [0.3, 0.1, 0.5, 0.99, 1]

/** What one types, a letter each tenth of a second, and what is then on every tile. */
const typed = [
  { what: 'a word of one in eight', word: () => 'lantern', shown: () => 'Lantern' },
  { what: 'what one has', word: lastNumber, shown: lastNumber },
  { what: 'a word misspelt', word: () => 'lantren', shown: () => 'Lantern' },
  { what: 'what none has', word: () => 'zeppelin', shown: () => nothing },
]
const letterEvery = 100
const nothing = ''

const filters = [
  { what: 'all have it', chip: 'Images' },
  { what: 'none has it', chip: 'No alt text' },
]

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
  const least = (walks: Walk[], of: (walk: Walk) => number) => Math.min(...walks.map(of))
  console.log(`\n${few.count.toLocaleString('en')} → ${many.count.toLocaleString('en')} assets in a folder`)
  const compare = (what: string, of: (walk: Walk) => Cost, most: number) => {
    const [wait, cpu, bytes] = (['milliseconds', 'cpu', 'bytes'] as const).map((part) =>
      [small, large].map((walks) => least(walks, (walk) => of(walk)[part])),
    ) as [number, number][] & { length: 3 }
    const ratios = [timesLarger(wait!), timesLarger(cpu!)]
    report(
      what,
      `${between(wait!)} ms · CPU ${between(cpu!)} · ${between(bytes!.map((each) => each / 1000))} kB`,
      ratios.every((ratio) => ratio <= most),
      `≤ ${most} ×: ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}`,
    )
  }
  compare('first page shown', (walk) => walk.first, 1.5)
  compare('… and counted', (walk) => walk.counted, 3)
  compare('the bar let go for the first time', (walk) => walk.jumps[0]!.cost, 5)
  for (const [at, share] of shares.entries())
    if (at > 0) compare(`the bar let go at ${share * 100} %`, (walk) => walk.jumps[at]!.cost, 2)
  for (const [at, { what }] of typed.entries()) {
    compare(`${what}: last letter → found`, (walk) => walk.searches[at]!.found, 2)
    compare('… and counted', (walk) => walk.searches[at]!.counted, 3)
  }
  compare('… a word of one in eight, and on', (walk) => walk.readOn, 2)
  for (const [at, { what }] of filters.entries())
    compare(`a filter, ${what}`, (walk) => walk.filtered[at]!, 2)
  compare('back to the middle of the folder', (walk) => walk.back, 2)
  compare('a link to an asset in its middle', (walk) => walk.linked, 3)
  const tasks = [small, large].map((walks) => least(walks, (walk) => walk.longest)) as [number, number]
  const ratio = timesLarger(tasks)
  report('longest task of the main thread', `${between(tasks)} ms`, ratio <= 2, `≤ 2 ×: ${ratio.toFixed(1)}`)
  const jumps = large.flatMap((walk) => walk.jumps)
  const answers = Math.max(...jumps.map(({ cost }) => cost.answers))
  report('answers a place of the bar takes', String(answers), answers <= 4, '≤ 4')
  const wrong = jumps.filter((jump) => !jump.isRight).length
  report('places that showed something else', String(wrong), wrong === 0, '0')

  for (const { what, before, after } of [
    await wandering(await open(), many),
    await goingBackAndForth(await open(), many),
  ])
    report(
      `memory after ${what}`,
      `${megabytes(before.heap)} → ${megabytes(after.heap)} MB · ${before.nodes} → ${after.nodes} elements`,
      after.heap <= 1.2 * before.heap && after.nodes <= 1.2 * before.nodes,
      `≤ 1.2 ×: ${(after.heap / before.heap).toFixed(2)}, ${(after.nodes / before.nodes).toFixed(2)}`,
    )
}

/** What takes less than this nobody feels. */
const felt = 50
const timesLarger = ([few, many]: [number, number] | number[]) => Math.max(many!, felt) / Math.max(few!, felt)
const between = (figures: number[]) => figures.map((figure) => figure.toFixed(0)).join(' → ')
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

interface Walk {
  first: Cost
  counted: Cost
  jumps: { cost: Cost; isRight: boolean }[]
  searches: { found: Cost; counted: Cost }[]
  filtered: Cost[]
  readOn: Cost
  back: Cost
  linked: Cost
  longest: number
}

async function walk(page: Page, { path, count, assetId }: Large): Promise<Walk> {
  await page.addInitScript(() => {
    const tasks = { longest: 0 }
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longest = Math.max(tasks.longest, duration)
    }).observe({ type: 'longtask' })
  })
  const meter = await meterOf(page)
  const isCounted = () => page.locator('.toolbar-count').filter({ hasText: /\d/ }).waitFor()
  const first = await meter(async () => {
    await page.goto(path)
    await shownAt(page, 0)
  })
  const counted = await meter(isCounted)
  await page.evaluate(() => {
    ;(globalThis as unknown as { tasks: { longest: number } }).tasks.longest = 0
  })
  const jumps: Walk['jumps'] = []
  for (const share of shares) {
    let number = 0
    const cost = await meter(async () => {
      number = await shownAt(page, share)
    })
    jumps.push({ cost, isRight: Math.abs(number / count - share) < 0.02 })
  }

  const box = page.getByRole('searchbox')
  const searches: Walk['searches'] = []
  let readOn: Cost | undefined
  for (const { word, shown } of typed) {
    const [wanted, seen] = [word(count), shown(count)]
    const whole = await meter(async () => {
      await box.pressSequentially(wanted, { delay: letterEvery })
      searches.push({ found: await meter(() => found(page, wanted, seen)), counted: none })
    })
    const search = searches.at(-1)!
    // All letters were asked for, and all answers came.
    search.found = { ...whole, milliseconds: search.found.milliseconds }
    if (seen !== nothing) search.counted = await meter(isCounted)
    readOn ??= await meter(async () => {
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 6000))
      await inSight(page, seen)
    })
    await box.fill('')
    await shownAt(page, 0)
  }
  const chips = page.getByRole('group', { name: 'Filters' })
  const filtered: Cost[] = []
  for (const { chip } of filters) {
    filtered.push(
      await meter(async () => {
        await chips.getByRole('button', { name: chip }).click()
        await page.getByRole('checkbox', { name: /^Only in / }).waitFor()
        await settled(page)
      }),
    )
    await chips.getByRole('button', { name: chip }).click()
    await shownAt(page, 0)
  }
  await shownAt(page, 0.5)
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.waitForURL('**/activity')
  const back = await meter(async () => {
    await page.goBack()
    await inSight(page, '')
  })
  const longest = await page.evaluate(
    () => (globalThis as unknown as { tasks: { longest: number } }).tasks.longest,
  )
  const linked = await meter(async () => {
    await page.goto(`${path}&asset=${assetId}`)
    await page.locator('[role=gridcell][aria-selected=true]').waitFor()
    await inSight(page, '')
  })
  await page.context().close()
  return { first, counted, jumps, searches, readOn: readOn!, filtered, back, linked, longest }
}
const none: Cost = { milliseconds: 0, cpu: 0, bytes: 0, answers: 0 }

/** The seed numbers them, from the newest on. */
function lastNumber(count: number) {
  return String(count - 23)
}

/** What was typed is what is searched for, and all in sight says so. */
async function found(page: Page, wanted: string, shown: string) {
  // An address has numbers in quotes.
  await page.waitForFunction(
    (q) => new URLSearchParams(location.search).get('q')?.replaceAll('"', '') === q,
    wanted,
  )
  await settled(page)
  if (shown !== nothing) await inSight(page, shown)
}

/** There is a list that is not of before, or the page says that there is none. */
const settled = (page: Page) =>
  page.waitForFunction(() => {
    const grid = document.querySelector('[role=grid]')
    return grid ? !grid.classList.contains('is-stale') : document.querySelector('.nothing')
  })

/** Moves the bar and waits for everything in sight to be there. Says the number of the first. */
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
  const wander = async (count: number) => {
    for (let at = 0; at < count; at++) await shownAt(page, ((at * 0.618034) % 1) * 0.98)
    await shownAt(page, 0.5)
  }
  // As many as are kept, once.
  await wander(50)
  const before = await heldBy(page)
  await wander(places)
  const after = await heldBy(page)
  await page.context().close()
  return { what: `${places} places`, before, after }
}

/** A folder, what is searched for in it, another page, and back through all of them. */
async function goingBackAndForth(page: Page, { path }: Large) {
  await page.goto(path)
  await shownAt(page, 0.5)
  await page.getByRole('searchbox').fill('lantern')
  await found(page, 'lantern', 'Lantern')
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.waitForURL('**/activity')
  const turn = async (count: number) => {
    for (let at = 0; at < count; at++) {
      for (const seen of ['Lantern', '']) {
        await page.goBack()
        await inSight(page, seen)
      }
      await page.goForward()
      await found(page, 'lantern', 'Lantern')
      await page.goForward()
      await page.waitForURL('**/activity')
    }
    await page.goBack()
    await found(page, 'lantern', 'Lantern')
    await page.goForward()
    await page.waitForURL('**/activity')
  }
  await turn(5)
  const before = await heldBy(page)
  await turn(turns)
  const after = await heldBy(page)
  await page.context().close()
  return { what: `${turns} times back and forth`, before, after }
}
