import { expect, test } from 'vitest'
import { connects, registeredApp } from '../agent-app.ts'
import { person } from '../person.ts'
import { app, hasAsset, violationsInBoth } from './app.ts'

const { world, visit, site } = await app()

test('an administrator sees what an agent did for a client, and stops it', async () => {
  const client = await world.newClient()
  const at = `/admin/clients/${client.clientId}`
  const { assetId, assetRef } = await hasAsset(client.operator, 'Terrace')
  await client.agent.get(`${at}/assets/${assetId}`)
  await client.agent.put(`${at}/uses/blog-post/spring`, {
    assetRefs: [assetRef],
    status: 'draft',
    title: 'Spring',
  })
  const now = new Date().toISOString()
  const finishedRun = {
    job: 'Spring post',
    status: 'failed',
    startedAt: now,
    finishedAt: now,
    error: 'No words',
  }
  await client.agent.put('/admin/seo/agents/writer/runtime', {
    clientId: client.clientId,
    state: 'idle',
    finishedRun,
  })

  // Where there is none, it says how one is connected.
  const { body: fresh } = await world.admin.post('/admin/clients', { name: 'Fresh' })
  const empty = await visit(world.admin, `/app/clients/${fresh.clientId}/agents`)
  await empty.getByText(`${new URL(empty.url()).origin}/mcp`).waitFor()
  await empty.getByRole('button', { name: 'Copy the address' }).waitFor()
  expect(await violationsInBoth(empty)).toEqual([])
  await empty.close()

  const page = await visit(world.admin, `/app/clients/${client.clientId}/assets`)
  const tabs = page.getByRole('navigation', { name: 'Pages of this client' })
  await tabs.getByRole('link', { name: 'Agents' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: 'May work' })
    .getByRole('link', { name: 'agent', exact: true })
    .click()
  await page.getByRole('list', { name: 'Runs' }).getByText('Spring post, by writer').waitFor()
  await page.getByRole('list', { name: 'Looked at' }).getByRole('link', { name: 'Terrace' }).waitFor()
  await page.getByRole('list', { name: 'Changed' }).getByText('Spring').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('button', { name: 'Stop this agent' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop this agent' }).click()
  await page.getByText('“agent” is stopped').first().waitFor()
  await page.getByText('Stopped', { exact: true }).waitFor()
  expect(await client.agent.get(`${at}/assets/${assetId}`)).toMatchObject({ status: 401 })
  await page.getByRole('list', { name: 'Looked at' }).getByRole('link', { name: 'Terrace' }).click()
  await page.waitForURL(`**/assets?*asset=${assetId}*`)
})

test('on a phone, in German: a client’s own people see what an agent did on their library, and stop it for themselves', async () => {
  const [mine, other] = [await world.newClient(), await world.newClient()]
  const { body: key } = await world.admin.post('/admin/api-keys', {
    name: 'Poster',
    role: 'agent',
    clientIds: [mine.clientId, other.clientId],
  })
  const poster = person(world.url, { authorization: `Bearer ${key.apiKey}` })
  const { assetId } = await hasAsset(mine.operator, 'Terrasse')
  const library = `/admin/clients/${mine.clientId}/assets`
  await poster.get(`${library}/${assetId}`)
  await poster.patch(`${library}/${assetId}`, { altText: 'Die Terrasse am Abend' })
  await connects(await registeredApp(site, 'Schreibhilfe'), mine.portal, { clientIds: [mine.clientId] })

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }
  const page = await visit(mine.portal, '/app/portal/assets', phone)
  const tabs = page.getByRole('navigation', { name: 'Seiten dieses Kunden' })
  await tabs.getByRole('link', { name: 'Agenten' }).click()
  await page.getByRole('row').filter({ hasText: 'Schreibhilfe' }).getByText('Angemeldet').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  await page.getByRole('link', { name: 'Poster' }).click()
  await page.getByText('Was dieser Agent in Ihrer Bibliothek getan hat.').waitFor()
  await page.getByRole('list', { name: 'Geändert' }).getByRole('link', { name: 'Terrasse' }).waitFor()
  expect(await violationsInBoth(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('button', { name: 'Diesen Agenten anhalten' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Er darf in dieser Bibliothek nichts mehr tun').waitFor()
  await dialog.getByRole('button', { name: 'Diesen Agenten anhalten' }).click()
  await page.getByText('Angehalten', { exact: true }).waitFor()
  expect((await poster.get(`${library}/${assetId}`)).status).toBe(404)
  expect((await poster.get(`/admin/clients/${other.clientId}/assets`)).status).toBe(200)
  await page.getByRole('list', { name: 'Angesehen' }).getByRole('link', { name: 'Terrasse' }).click()
  await page.waitForURL(`**/portal/assets?*asset=${assetId}*`)
})
