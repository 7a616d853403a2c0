import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { plainDetails } from '../plain-details.ts'
import { app, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }
const count = 12_000
/** One tile a row, of 400 pixels. */
const narrow = { viewport: { width: 600, height: 900 } }
const client = await world.newClient()
beforeAll(plantsMany)

test('a list taller than browsers draw is scrolled to anywhere by its bar, and row by row from there', async () => {
  const page = await visit(client.operator, '/app/login', narrow)
  await page.evaluate(() => localStorage.setItem('asset-library:tile', '400'))
  await page.goto(surfaces[0]!.home(client))
  const library = libraryOn(page)
  const { grid } = library
  await library.asset(`Picture ${count}.`).waitFor()
  await expect.poll(() => grid.getAttribute('aria-rowcount'), shows).toBe(String(count))
  // What every browser draws, on a dense screen at five-fold zoom, too.
  expect(await grid.evaluate((list) => list.scrollHeight)).toBeLessThan(3_300_000)

  /** Those that are in sight, from the top, with where they stand and what a screen reader says of that. */
  const inSight = () =>
    grid.evaluate((list) => {
      const frame = list.getBoundingClientRect()
      return [...list.querySelectorAll('[role=row]')]
        .map((row) => ({
          number: Number(/Picture (\d+)\./.exec(row.textContent ?? '')?.[1] ?? 0),
          row: Number(row.getAttribute('aria-rowindex')),
          top: row.getBoundingClientRect().top - frame.top,
          bottom: row.getBoundingClientRect().bottom - frame.top,
        }))
        .filter(({ top, bottom }) => bottom > 0 && top < frame.height)
        .sort((a, b) => a.top - b.top)
    })
  const barAt = (share: number) =>
    grid.evaluate((list, to) => {
      list.scrollTop = (list.scrollHeight - list.clientHeight) * to
    }, share)
  const read = async () => {
    await expect
      .poll(
        async () => (await inSight()).length > 0 && (await inSight()).every(({ number }) => number > 0),
        shows,
      )
      .toBe(true)
    return inSight()
  }

  for (const share of [0.1, 0.5, 0.99, 0.25]) {
    await barAt(share)
    const seen = await read()
    expect(Math.abs(seen[0]!.row / count - share)).toBeLessThan(0.01)
    for (const { number, row } of seen) expect(row + number).toBe(count + 1)
    expect(await library.cells.count()).toBeLessThan(20)
  }

  // From there a wheel goes pixel by pixel, and what is in sight stays in place when the bar goes where it belongs.
  const [, before] = await read()
  await grid.hover()
  await page.mouse.wheel(0, 130)
  const moved = async () => (await inSight()).find(({ number }) => number === before!.number)?.top
  await expect.poll(moved, shows).toBeCloseTo(before!.top - 130, 0)
  const { row } = (await inSight())[0]!
  const shareOfBar = () => grid.evaluate((list) => list.scrollTop / (list.scrollHeight - list.clientHeight))
  await expect.poll(async () => Math.abs((await shareOfBar()) - row / count) < 0.01, shows).toBe(true)
  expect(await moved()).toBeCloseTo(before!.top - 130, 0)

  // The keys: one row, one page, the ends.
  const focused = async () =>
    Number(/\d+/.exec(await library.cells.and(page.locator('.is-focused')).innerText())![0])
  const chosen = (await inSight())[1]!.number
  await library.asset(`Picture ${chosen}.`).click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused, shows).toBe(chosen - 2)
  await page.keyboard.press('PageDown')
  await expect.poll(focused, shows).toBeLessThan(chosen - 2)
  const { number } = (await inSight()).at(-1)!
  expect(chosen - number).toBeLessThan(12)
  for (const [key, last] of [
    ['End', 1],
    ['Home', count],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(focused, shows).toBe(last)
    const cell = (await inSight()).find((each) => each.number === last)!
    expect(cell.top).toBeGreaterThanOrEqual(0)
    expect(cell.row).toBe(count + 1 - last)
  }

  // Back returns to the very pixel.
  await barAt(0.6)
  const left = (await read())[0]!
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.waitForURL('**/activity')
  await page.goBack()
  await expect.poll(async () => (await inSight())[0], shows).toEqual(left)
})

test('what is searched for is read on page by page, and never counted as more or less than it is', async () => {
  const page = await visit(client.operator, `${surfaces[0]!.home(client)}?type=image`)
  const { grid } = libraryOn(page)
  const laidOut: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/cursors')) laidOut.push(request.url())
  })
  const counted = (said: string) => page.getByText(said, { exact: true }).waitFor()
  const read = () => expect.poll(() => page.locator('[aria-busy]').count(), shows).toBe(0)
  const barAt = (share: number) =>
    grid.evaluate((list, to) => {
      list.scrollTop = list.scrollHeight * to
    }, share)
  await counted('10,000+ assets')
  for (let screen = 1; screen <= 12; screen++) {
    await grid.evaluate((list) => list.scrollBy(0, list.clientHeight))
    await read()
  }
  expect(laidOut).toEqual([])
  await counted('10,000+ assets')

  await barAt(0.5)
  await counted('11,900+ assets')
  await read()
  expect(laidOut).toHaveLength(1)
  await barAt(1)
  await counted('12,000 assets')
})

test('where the words find too many to say which answers them best, the newest are said to come first', async () => {
  const other = await world.newClient()
  await sql`
    insert into assets (client_id, id, title, original_filename, mime_type, size_bytes, details, media_state, created_by)
    select ${other.clientId}, 'asset_' || lpad(to_hex(n), 26, '0'), 'Common ' || n, 'planted.png', 'image/png', 1, ${plainDetails}::jsonb,
      'failed', 'tests' from generate_series(1, 600) n`.execute(world.parts.db)
  const page = await visit(other.operator, `${surfaces[0]!.home(other)}?everywhere=true&q=common`)
  await page.getByText('600 assets', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sort: Newest first' }).waitFor()
  await page.getByRole('searchbox').fill('common 60')
  await page.getByRole('button', { name: 'Sort: Best match' }).waitFor()
})

async function plantsMany() {
  const { clientId } = client
  await world.parts.db.transaction().execute(async (trx) => {
    // Nobody searches for these by words.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into assets (client_id, id, title, alt_text, original_filename, mime_type, size_bytes, details, media_state,
        created_by, created_at)
      select ${clientId}, 'asset_' || lpad(to_hex(n), 26, '0'), 'Picture ' || n || '.', 'A picture', 'planted.png',
        'image/png', 1000 + n, ${plainDetails}::jsonb, 'failed', 'tests',
        to_timestamp(1700000000 + n)
      from generate_series(1, ${sql.lit(count)}) n`.execute(trx)
  })
}
