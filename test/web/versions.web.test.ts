import { expect, test } from 'vitest'
import { png } from '../pictures.ts'
import { app, libraryOn, longWait, surfaces, violationsInBoth } from './app.ts'

const { world, visit } = await app()
const shows = { timeout: longWait }

test.for(surfaces)(
  'in the $surface an old version is made the current one, and that is undone',
  async ({ surface, who, home }) => {
    const client = await world.newClient()
    const me = who(client)
    const { assetId } = await me.uploads(png(30, 20, [200, 0, 0]), { words: { title: 'Logo' } })
    await me.uploads(png(40, 10, [0, 0, 200]), { session: { replacesAssetId: assetId } })
    const library = libraryOn(await visit(me, home(client)))
    const details = await library.showsDetailsOf('Logo')
    await details.getByText('40 × 10', { exact: true }).waitFor()
    await details.getByRole('button', { name: 'Make this the current version: Version 1' }).click()
    await details.getByText('30 × 20', { exact: true }).waitFor()
    await library.said('Version 1 is the current file again').waitFor()
    expect((await me.reads(assetId)).body).toMatchObject({ version: 3, width: 30 })
    await expect.poll(() => details.getByRole('link', { name: /^Download: Version/ }).count(), shows).toBe(3)
    await library.page.mouse.move(0, 0) // a tooltip stands outside of the page's landmarks
    await library.page.getByRole('tooltip').waitFor({ state: 'detached' })
    expect(await violationsInBoth(library.page)).toEqual([])

    await library.page.keyboard.press('Control+z') // what offers it may be gone by now
    await details.getByText('40 × 10', { exact: true }).waitFor()
    expect((await me.reads(assetId)).body).toMatchObject({ version: 4, width: 40 })

    if (surface !== 'admin') return
    // A tray full of uploads stands over the foot of the details, and nothing stays under it.
    await library.uploads(
      Array.from({ length: 6 }, (_, n) => ({
        name: `${n}.png`,
        mimeType: 'image/png',
        buffer: png(9, 9 + n, [n, 0, 0]),
      })),
    )
    await library.tray.getByText('6 files uploaded').waitFor()
    await library.asset('Logo').click()
    const last = details.getByRole('link', { name: 'Download: Version 1', exact: true })
    await last.scrollIntoViewIfNeeded()
    await details.locator('.details-body').evaluate((body) => body.scrollTo(0, body.scrollHeight))
    const [foot, tray] = [(await last.boundingBox())!, (await library.tray.boundingBox())!]
    expect(foot.y + foot.height).toBeLessThanOrEqual(tray.y)
  },
)
