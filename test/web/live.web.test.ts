import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { sendsFile } from '../guest-file.ts'
import { pixel } from '../pictures.ts'
import type { ClientWorld } from '../world.ts'
import { app, hasAsset, surfaces } from './app.ts'

const { world, visit } = await app()

/** Requests to an address wait until they are let go. */
async function holds(page: Page, address: string) {
  const open = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    asked.resolve()
    await open.promise
    await route.continue()
  })
  return { asked: asked.promise, letsGo: open.resolve }
}

/** The pages of a client: what is there, and two changes with what they show. */
async function pagesOf({ clientId, operator, portal }: ClientWorld) {
  const root = `/admin/clients/${clientId}`
  const { assetId } = await hasAsset(operator, 'Terrace')
  const { url } = (await operator.post(`${root}/upload-requests`, { title: 'Files for the menu' })).body
  const sends = (originalFilename: string) =>
    sendsFile(world.nobody, new URL(url).pathname, pixel, { originalFilename })
  return [
    {
      name: 'assets',
      there: 'Terrace',
      changes: [
        { does: () => operator.edits(assetId, { title: 'Harbour' }), shows: 'Harbour' },
        { does: () => portal.edits(assetId, { title: 'Lanterns' }), shows: 'Lanterns' },
      ],
    },
    {
      name: 'review',
      there: 'Nothing here',
      changes: [
        { does: () => operator.post(`${root}/reviews`, { assetIds: [assetId] }), shows: 'Lanterns' },
        { does: () => operator.edits(assetId, { title: 'Menu' }), shows: 'Menu' },
      ],
    },
    {
      name: 'share-links',
      there: 'Files for the menu',
      changes: ['first.png', 'second.png'].map((shows) => ({ does: () => sends(shows), shows })),
    },
    {
      name: 'activity',
      there: 'Files for the menu',
      changes: ['Cards', 'Tables'].map((shows) => ({ does: () => operator.makesFolder(shows), shows })),
    },
  ]
}

test.each(surfaces)(
  'each page of the $surface shows what happened before it began to listen, and what happens then',
  async ({ who, home }) => {
    const client = await world.newClient()
    const page = await visit(who(client), '/app/account')
    const main = page.getByRole('main')
    for (const { name, there, changes } of await pagesOf(client)) {
      const events = await holds(page, '**/events*')
      await page.goto(home(client).replace('assets', name))
      if (name === 'review') await page.getByText('All', { exact: true }).click()
      await main.getByText(there).first().waitFor()
      await events.asked
      for (const { does, shows } of changes) {
        await does()
        events.letsGo()
        await main.getByText(shows).first().waitFor()
      }
    }
  },
)

test('an answer that was on its way when something happened is not the last word', async () => {
  const client = await world.newClient()
  const [{ clientId }, { admin }] = [client, world]
  const root = `/admin/clients/${clientId}`
  const { connectionId } = (
    await admin.post(`${root}/connections`, {
      kind: 'webhook',
      name: 'Menu screen',
      settings: { url: 'http://127.0.0.1:9' },
      secrets: { signingSecret: `whsec_${Buffer.from('a key of at least 24 bytes').toString('base64')}` },
    })
  ).body
  const page = await visit(admin, '/app/account')
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  const told = new Promise((resolve) => devTools.once('Network.eventSourceMessageReceived', resolve))
  await page.route(
    `**${root}/connections`,
    async (route) => {
      const response = await route.fetch()
      await admin.patch(`${root}/connections/${connectionId}`, { name: 'Terrace screen' })
      await told
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.goto(`/app/clients/${clientId}/connections`)
  await page.getByRole('heading', { name: 'Terrace screen' }).waitFor()
})

test('searches that were saved, renamed or deleted elsewhere show to whoever comes back to the page', async () => {
  const { clientId, operator } = await world.newClient()
  const url = `/admin/clients/${clientId}/saved-searches`
  const search = { name: 'Terraces', search: { q: 'terrace' }, for: 'me' }
  const { savedSearchId } = (await operator.post(url, search)).body
  const page = await visit(operator, `/app/clients/${clientId}/assets`)
  const saved = (name: string) => page.getByRole('button', { name, exact: true })
  await saved('Terraces').waitFor()
  await operator.patch(`${url}/${savedSearchId}`, { name: 'Balconies' })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await saved('Balconies').waitFor()
  await operator.delete(`${url}/${savedSearchId}`)
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Assets' }).click()
  await saved('Balconies').waitFor({ state: 'detached' })
})
