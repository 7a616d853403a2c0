import { afterAll, expect, test, vi } from 'vitest'
import { fixturePath } from '../../server/media/fixtures/fixture.ts'
import { app, drops, fileOf, isDrawn, libraryOn } from './app.ts'

// This file alone: on PostgreSQL, with R2's own simulator as the bucket.
vi.stubEnv('TEST_WORLD', 'postgres')
vi.stubEnv('TEST_STORE', '')
afterAll(() => vi.unstubAllEnvs())
const { world, visit } = await app()

test('a client uploads to R2 and sees what they uploaded', async () => {
  const client = await world.newClient()
  const me = client.portal
  const library = libraryOn(await visit(me, '/app/portal/assets'))
  await library.page.getByText('Your library starts here').waitFor()

  const put = library.page.waitForRequest((request) => request.method() === 'PUT')
  await library.uploads([await fileOf('a.heic', 'From the phone.heic')])
  expect((await put).url()).toContain('X-Amz-Signature=')
  await isDrawn(library.asset('From the phone').locator('img'))
  await drops(library.page, [fixturePath('a.mp4')], library.page.getByRole('main'))
  await library.tray.getByText('2 files uploaded').waitFor()
  await isDrawn(library.asset('MP4').locator('img'))

  await library.asset('MP4').dblclick()
  await library.page
    .getByRole('dialog', { name: /^Quick look/ })
    .locator('video')
    .waitFor()
  expect((await me.lists()).body.assets).toMatchObject([
    { mimeType: 'video/mp4' },
    { mimeType: 'image/heic' },
  ])
})
