import { expect, test } from 'vitest'
import { app, hasAsset, violationsInBoth } from './app.ts'

const { world, visit } = await app()

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
