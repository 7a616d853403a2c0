import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { agentPermissions } from '../../contract/agent-sign-in.ts'
import { type AgentApp, redirectUri, registeredApp } from '../agent-app.ts'
import { hasOwnPassword } from '../world.ts'
import { app, surfaces, violationsInBoth } from './app.ts'

const { world, visit, site } = await app()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }

/** Where the program waits for what the person says. */
async function waitsAt(page: Page): Promise<() => Promise<string>> {
  await page.route(`${redirectUri}**`, (route) => route.fulfill({ body: 'Back at the agent' }))
  return async () => {
    await page.getByText('Back at the agent').waitFor()
    return page.url()
  }
}

const isIn = async (helper: AgentApp, token: string) =>
  (
    await fetch(`${site}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
  ).ok && helper.resource === `${site}/mcp`

test.each(surfaces)(
  'somebody at the $surface lets an agent in, sees it among theirs, and ends it',
  async ({ who, surface }) => {
    const client = await world.newClient('Harbour Café')
    const helper = await registeredApp(site, 'Helper')
    const asked = await helper.asks({ scope: agentPermissions.join(' ') })
    const page = await visit(who(client), '/app/account')
    const comesBack = await waitsAt(page)
    await page.goto(asked.url.href)
    await page.getByRole('heading', { name: 'Connect Helper?' }).waitFor()
    await page.getByText('Not verified: any program can call itself “Helper”').waitFor()
    await page.getByText('Your answer goes to agent.example.').waitFor()
    await page.getByText('Harbour Café').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    expect(await page.getByRole('checkbox', { name: 'Look at assets and folders' }).isDisabled()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Deliver assets' }).count()).toBe(
      surface === 'admin' ? 1 : 0,
    )
    await page.getByRole('checkbox', { name: 'Make, rename and move folders' }).uncheck()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()

    const tokens = await helper.takes(await comesBack(), asked)
    expect(tokens.scope?.split(' ')).toEqual(
      surface === 'admin'
        ? agentPermissions.filter((permission) => permission !== 'folders:write')
        : ['assets:read', 'assets:write'],
    )
    expect(await isIn(helper, tokens.access_token)).toBe(true)

    await page.goto('/app/account')
    const row = page.getByRole('listitem').filter({ hasText: 'Helper' })
    await row.getByText('agent.example, not verified').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await row.getByRole('button', { name: 'Disconnect Helper' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await isIn(helper, tokens.access_token)).toBe(false)
  },
)

test('on a phone, in German: who is not signed in signs in first, chooses among clients, and may say no', async () => {
  const [one, other] = [await world.newClient('Hafen-Café'), await world.newClient('Seeblick')]
  const email = `nora-${one.clientId}@example.com`
  const password = 'a long enough word 7'
  const clientIds = [one.clientId, other.clientId]
  await world.admin.post('/admin/users', { email, password, name: 'Nora', role: 'operator', clientIds })
  await hasOwnPassword(world, email)
  const helper = await registeredApp(site, 'Helfer')
  const asked = await helper.asks({ scope: 'assets:read assets:write' })
  const page = await visit(null, asked.url.href, phone)
  const comesBack = await waitsAt(page)
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(email)
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()

  await page.getByRole('heading', { name: 'Helfer verbinden?' }).waitFor()
  await page.getByText('Nicht geprüft').waitFor()
  await page.getByRole('button', { name: 'Erlauben', exact: true }).click()
  await page.getByText('Wählen Sie mindestens einen Kunden.').waitFor()
  const clients = page.getByRole('combobox', { name: 'Für welche Kunden er arbeiten darf' })
  await clients.click()
  await page.getByRole('option', { name: 'Seeblick' }).click()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('checkbox', { name: /liefern/ }).isChecked(), 'was not asked for').toBe(false)
  expect(await violationsInBoth(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Erlauben', exact: true }).click()
  const back = await comesBack()
  const tokens = await helper.takes(back, asked)
  expect(await isIn(helper, tokens.access_token)).toBe(true)

  const admin = await visit(world.admin, '/app/admin/agents', phone)
  await admin.getByText('Nora').waitFor()
  await admin.getByText('Seeblick').waitFor()
  expect(await violationsInBoth(admin)).toEqual([])

  await page.goto((await helper.asks()).url.href)
  await page.getByRole('button', { name: 'Nicht erlauben' }).click()
  expect(new URL(await comesBack()).searchParams.get('error')).toBe('access_denied')
  await page.goto((await helper.asks({ redirect_uri: 'https://evil.example/' })).url.href)
  await page.getByText('Dieser Agent lässt sich nicht verbinden').waitFor()
  await page.getByText('an eine Adresse senden lassen, die nicht seine ist').waitFor()
  expect(new URL(page.url()).origin, 'sent nowhere').toBe(site)
})
