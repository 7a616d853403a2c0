import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { app, hasAsset, libraryOn, longWait, surfaces } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

type Library = ReturnType<typeof libraryOn>

async function aLibrary({ who, home }: (typeof surfaces)[number]) {
  const client = await world.newClient()
  const me = who(client)
  const season = await me.makesFolder('Season')
  const summer = await me.makesFolder('Summer', season.folderId)
  const autumn = await me.makesFolder('Autumn', season.folderId)
  for (const title of ['Terrace', 'Lanterns']) await hasAsset(me, title, { folderId: season.folderId })
  const library = libraryOn(await visit(me, `${home(client)}?folder=${season.folderId}`))
  await library.asset('Terrace').waitFor()
  return { library, me, season, summer, autumn }
}

const holders: { where: string; of(library: Library): Locator; view?: string; q?: string }[] = [
  { where: 'the tree', of: ({ page }) => page.getByRole('tree') },
  { where: 'the grid', of: ({ grid }) => grid },
  { where: 'the list', of: ({ grid }) => grid, view: 'list' },
  { where: 'the slider', of: ({ page }) => page.getByRole('slider', { name: 'Size of the tiles' }) },
  { where: 'a button', of: ({ page }) => page.getByRole('button', { name: 'Images' }) },
  {
    where: 'a tick box',
    of: ({ page }) => page.getByRole('checkbox', { name: 'Only in “Season” and below' }),
    q: 'terrace',
  },
]

test.for(holders)('keys do what the help says from $where', async ({ of, view, q }) => {
  const { library } = await aLibrary(surfaces[0]!)
  const { page } = library
  const press = async (key: string) => {
    await of(library).focus()
    await page.keyboard.press(key)
  }
  if (q) await library.search.fill(q)
  await of(library).waitFor()
  if (view === 'list') await page.keyboard.press('v')

  await press('i')
  await library.details.waitFor()
  await press('i')
  await library.details.waitFor({ state: 'detached' })

  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  const outside = help.locator('dl > div > *').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const [its, line] = [part.getBoundingClientRect(), part.parentElement!.getBoundingClientRect()]
      return its.left < line.left || its.right > line.right ? [part.textContent] : []
    }),
  )
  expect(await outside).toEqual([])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })

  await press('/')
  await expect.poll(() => library.search.evaluate((box) => box === document.activeElement), shows).toBe(true)
  // A letter there is a letter.
  await page.keyboard.type('n')
  expect(await library.search.inputValue()).toBe(`${q ?? ''}n`)
  const searched = (words: string) => page.waitForURL((url) => (url.searchParams.get('q') ?? '') === words)
  await searched(`${q ?? ''}n`)
  await library.search.fill(q ?? '')
  await searched(q ?? '')
  await page.locator('.main-column:not([data-stale])').waitFor()
  await library.asset('Terrace').first().waitFor()

  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await of(library).waitFor()
  if (!q) {
    await press('Control+a')
    await bar.getByText('4 selected').waitFor()
    await press('Escape')
    await bar.waitFor({ state: 'detached' })
  }

  await of(library).focus()
  await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('u')])

  const isList = () => page.getByRole('columnheader').first().isVisible()
  const wasList = await isList()
  await press('v')
  await expect.poll(isList, shows).toBe(!wasList)
  await page.keyboard.press('v')
  await expect.poll(isList, shows).toBe(wasList)

  await press('n')
  const name = page.getByRole('textbox', { name: 'Folder name' })
  await name.waitFor()
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })
  if (q) return

  await press('Alt+ArrowUp')
  await library.folder('Season').waitFor()
  expect(new URL(page.url()).searchParams.get('folder')).toBeNull()
})

test('in the tree keys are about its folder, and arrows stay there', async () => {
  const { library, me, autumn } = await aLibrary(surfaces[1]!)
  const { page } = library
  await library.asset('Terrace').click()
  const tree = page.getByRole('tree')
  await tree.focus()
  const at = () =>
    tree.evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant')!)?.innerText)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await library.inTree('Summer').waitFor()
  for (const name of ['Autumn', 'Summer']) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(at, shows).toBe(name)
  }
  await page.keyboard.press('PageUp')
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(at, shows).toBe('Autumn')
  await page.keyboard.press('ArrowDown')
  expect(await library.asset('Terrace').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move 1 item to…' })
  await dialog.getByRole('option', { name: 'Autumn' }).click()
  await dialog.getByRole('button', { name: 'Move here' }).click()
  const isIn = async (folderId: string) =>
    (await me.lists({ folderId })).body.folders.map(({ name }: { name: string }) => name)
  await expect.poll(() => isIn(autumn.folderId), shows).toEqual(['Summer'])

  // What is chosen in the list is looked at from here, too.
  await tree.focus()
  await page.keyboard.press('Space')
  await page.getByRole('dialog', { name: 'Quick look at Terrace' }).waitFor()
})

test('whoever goes by keys is still in the list after a folder and an undo', async () => {
  const { library } = await aLibrary(surfaces[0]!)
  const { page, grid } = library
  const hasFocus = () =>
    expect.poll(() => grid.evaluate((one) => one === document.activeElement), shows).toBe(true)
  const season = page.url()
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.href !== season)
  await page.keyboard.press('Alt+ArrowUp')
  await library.asset('Terrace').waitFor()
  await hasFocus()
  const at = () =>
    grid.evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant')!)?.innerText)
  await expect.poll(at, shows).toContain('Summer')

  await library.asset('Terrace').click()
  await page.keyboard.press('Delete')
  const undo = page.getByRole('button', { name: 'Undo' }).last()
  await undo.focus()
  await page.keyboard.press('Enter')
  await library.asset('Terrace').waitFor()
  await hasFocus()
})
