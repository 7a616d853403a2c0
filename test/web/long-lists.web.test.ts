import { describe, expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, hasAsset, libraryOn, longWait, surfaces } from './app.ts'
import { plants } from './plants.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

async function opens(at = surfaces[0]!) {
  const client = await world.newClient()
  const me = at.who(client)
  const look = async (query = '') => libraryOn(await visit(me, at.home(client) + query))
  return { client, me, look }
}

type Library = ReturnType<typeof libraryOn>
const quickLook = ({ page }: Library, title: string) =>
  page.getByRole('dialog', { name: `Quick look at ${title}` })

/** Whether it is where a person sees it, and not under the edge of the list. */
const isInSight = (cell: ReturnType<Library['asset']>) =>
  cell.evaluate((element) => {
    const [its, list] = [element, element.closest('[role=grid]')!].map((one) => one.getBoundingClientRect())
    return its!.top >= list!.top && its!.bottom <= list!.bottom
  })

describe('a list longer than what has been read', () => {
  test('is whole again when a large move is taken back at once', async () => {
    const { client, me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    await me.makesFolder('Attic')
    await plants(world, client.clientId, 1500, { folder_id: folderId })
    const library = await look(`?folder=${folderId}`)
    const { page } = library
    await page.getByText('1,500 assets', { exact: true }).waitFor()
    await library.asset('Picture 1500.').click()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Selected items' }).getByText('1,500 selected').waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Attic').click()
    await dialog.getByRole('button', { name: 'Move here' }).click()
    await library.said('1,500 items moved to Attic').waitFor()
    await page.keyboard.press('Control+z')
    await library.said('Undone: 1,500').waitFor()
    await page.getByText('1,500 assets', { exact: true }).waitFor()
    await library.asset('Picture 1500.').waitFor()
    await library.grid.focus()
    const last = library.asset('Picture 1.')
    await expect
      .poll(async () => {
        // The list may be read anew meanwhile, which begins at its first.
        await page.keyboard.press('End')
        return (await last.count()) > 0 && (await last.getAttribute('aria-selected'))
      }, shows)
      .toBe('true')
  })

  test('takes what is renamed to where its name belongs, and nobody loses it', async () => {
    const { client, me, look } = await opens()
    for (let n = 1; n <= 40; n++) await me.makesFolder(`Shoot ${n}`)
    await plants(world, client.clientId, 300)
    const library = await look('?sort=title')
    const { page } = library
    const names = async (name: string, box: string) => {
      await page.keyboard.press('F2')
      await page.getByRole('textbox', { name: box }).fill(name)
      await page.keyboard.press('Enter')
    }
    const isKept = async (cell: ReturnType<Library['asset']>) => {
      await expect.poll(() => cell.getAttribute('aria-selected'), shows).toBe('true')
      await expect.poll(() => isInSight(cell), shows).toBe(true)
      const focused = library.grid.getAttribute('aria-activedescendant')
      await expect.poll(() => focused, shows).toBe(await cell.getAttribute('id'))
    }
    await library.folder('Shoot 1,').click()
    await names('Zoo', 'Folder name')
    await isKept(library.folder('Zoo'))
    // Behind all that has been read, back to the front of it, and by a colleague.
    await library.asset('Picture 1.').click()
    await names('Zebra', 'Name')
    await isKept(library.asset('Zebra'))
    await names('Aardvark', 'Name')
    await isKept(library.asset('Aardvark'))
    const first = async () => (await me.lists({ sort: 'title', everywhere: true, limit: 2 })).body.assets
    await expect.poll(async () => (await first())[0].title, shows).toBe('Aardvark')
    await me.edits((await first())[1].assetId, { title: 'Aachen' })
    await library.asset('Aachen').waitFor()
    const titles = await library.cells.locator('.tile-title').allInnerTexts()
    expect(titles.slice(0, 3)).toEqual(['Aachen', 'Aardvark', 'Picture 100.'])
    // Whoever scrolls away from what they name is not taken back to it.
    await library.asset('Picture 100.').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name' }).fill('Zoom')
    await library.grid.evaluate((grid) => grid.scrollTo(0, 9000))
    const named = async () => (await me.lists({ q: 'Zoom', everywhere: true })).body.assets.length
    await expect.poll(named, shows).toBe(1)
    await library.said('Renamed to “Zoom”').waitFor()
    expect(await library.grid.evaluate((grid) => grid.scrollTop)).toBe(9000)
    await page.getByText('300 assets', { exact: true }).waitFor()
  })

  test('counts what goes and what comes', async () => {
    const { client, me, look } = await opens()
    const ids = await plants(world, client.clientId, 300)
    const library = await look()
    const { page } = library
    await page.getByText('300 assets', { exact: true }).waitFor()
    await library.asset('Picture 300.').click()
    await page.keyboard.press('Delete')
    await page.getByText('299 assets', { exact: true }).waitFor()
    await library.asset('Picture 299.').dblclick()
    await quickLook(library, 'Picture 299.').getByText('1 of 299').waitFor()
    await page.keyboard.press('Delete')
    await quickLook(library, 'Picture 298.').getByText('1 of 298').waitFor()
    await page.keyboard.press('Escape')

    // Somebody else's changes too, where nobody has looked yet.
    await hasAsset(me, 'Fresh')
    await page.getByText('299 assets', { exact: true }).waitFor()
    await me.trashes(ids[50]!)
    await page.getByText('298 assets', { exact: true }).waitFor()
    await library.grid.focus()
    await page.keyboard.press('End')
    await expect.poll(() => library.asset('Picture 1.').getAttribute('aria-selected'), shows).toBe('true')
  })
})

describe('Back', () => {
  test.for(surfaces)('in the $surface closes the quick look, and nothing else', async (surface) => {
    const { me, look } = await opens(surface)
    const { folderId } = await me.makesFolder('Winter')
    await hasAsset(me, 'Ice', { folderId })
    await hasAsset(me, 'Snow', { folderId })
    const library = await look()
    const { page } = library
    await library.folder('Winter').dblclick()
    await library.asset('Snow').dblclick()
    await quickLook(library, 'Snow').waitFor()
    await page.keyboard.press('ArrowRight')
    await quickLook(library, 'Ice').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toContain(folderId)
    await expect.poll(() => library.asset('Ice').getAttribute('aria-selected'), shows).toBe('true')

    // It was one step: closed by hand, the next Back leaves the folder.
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowLeft')
    await quickLook(library, 'Snow').waitFor()
    await page.keyboard.press('ArrowRight')
    await quickLook(library, 'Ice').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goBack()
    await library.folder('Winter').waitFor()
  })

  test('into a folder that was deleted says where it is', async () => {
    const { me, look } = await opens()
    const { folderId } = await me.makesFolder('Winter')
    await hasAsset(me, 'Snow', { folderId })
    const library = await look()
    const { page } = library
    await library.folder('Winter').dblclick()
    await library.asset('Snow').waitFor()
    await library.choosesIn(library.inTree('Winter'), 'Move to trash')
    await library.asset('Snow').waitFor({ state: 'detached' })
    await expect.poll(() => page.url(), shows).not.toContain(folderId)
    await page.goBack()
    await page.getByRole('heading', { name: '“Winter” is in the trash' }).waitFor()
    expect(await library.asset('Snow').count()).toBe(0)
  })
})

test('what somebody else moves to the trash is said in the quick look, and one goes on from there', async () => {
  const { me, look } = await opens()
  for (const title of ['Ice', 'Snow', 'Fog']) await hasAsset(me, title)
  const library = await look()
  await library.asset('Snow').dblclick()
  const dialog = quickLook(library, 'Snow')
  await dialog.getByText('2 of 3').waitFor()
  const { assetId } = (await me.lists({ q: 'Snow', everywhere: true })).body.assets[0]
  await me.trashes(assetId)
  await dialog.getByText('This asset is in the trash now').waitFor()
  await library.page.keyboard.press('ArrowRight')
  await quickLook(library, 'Ice').waitFor()
})

describe('a file that is in the library already', () => {
  const bytes = png(31, 17, [9, 80, 200])
  const file = { name: 'copy.png', mimeType: 'image/png', buffer: Buffer.from(bytes) }

  test('as a new version offers no way to lose the asset', async () => {
    const { me, look } = await opens()
    await me.uploads(bytes, { words: { title: 'Other' } })
    await hasAsset(me, 'Logo')
    const library = await look()
    const [chooser] = await Promise.all([
      library.page.waitForEvent('filechooser'),
      library.choosesIn(library.asset('Logo'), 'Replace file…'),
    ])
    await chooser.setFiles(file)
    await library.tray.getByText('The same file is in the library already.').waitFor()
    await library.tray.getByRole('button', { name: 'Show the other' }).waitFor()
    expect(await library.tray.getByRole('button', { name: 'Remove this one' }).count()).toBe(0)
  })

  test('as a copy is removed, and that is undone', async () => {
    const { me, look } = await opens()
    await me.uploads(bytes, { words: { title: 'Other' } })
    const library = await look()
    await library.uploads([file] as never)
    await library.tray.getByRole('button', { name: 'Remove this one' }).click()
    await library.said('Copy moved to the trash').waitFor()
    await library.asset('copy').waitFor({ state: 'detached' })
    await library.grid.focus()
    await library.page.keyboard.press('Control+z')
    await library.said('Undone: Copy moved to the trash').waitFor()
    await library.asset('copy').waitFor()
    expect((await me.lists()).body.assets).toHaveLength(2)
  })

  test('as a copy stays where the other one has gone meanwhile', async () => {
    const { me, look } = await opens()
    const { assetId } = await me.uploads(bytes, { words: { title: 'Other' } })
    const library = await look()
    await library.uploads([file] as never)
    const remove = library.tray.getByRole('button', { name: 'Remove this one' })
    await remove.waitFor()
    await me.trashes(assetId)
    await remove.click()
    await library.said('The other one is no longer in the library, so this one stays.').waitFor()
    await remove.waitFor({ state: 'detached' })
    expect((await me.lists()).body.assets).toMatchObject([{ title: 'copy' }])
  })
})
