import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { embeddingsPeer } from '../embeddings-peer.ts'
import { app, hasAsset, libraryOn, surfaces, violationsInBoth } from './app.ts'
import { onEmbedded } from './on-embedded.ts'

onEmbedded()
const model = await embeddingsPeer()
const { world, visit } = await app({ ...model.environment, ROLE: 'api' })

interface Choice {
  control: Locator
  /** What is pressed, if not the control; or what is chosen in it. */
  option?: Locator | string
  before: boolean | string
  after: boolean | string
}

test('a choice shows at once and as long as it is saved, and goes back when it is not', {
  tags: 'drill',
}, async () => {
  const client = await world.newClient()
  const settings = `/app/clients/${client.clientId}/settings`
  const url = 'http://127.0.0.1:9/hook'
  await world.admin.post('/admin/webhooks', { url, clientIds: [client.clientId] })
  const { body: known } = await world.admin.get('/admin/users')
  const { name } = known.users.find(({ role }: { role: string }) => role === 'viewer')
  await hasAsset(client.operator, 'Bread')

  const page = await visit(world.admin, settings)
  const writes = await holdWrites(page)
  const holds = (choice: Choice) => holdsWhileSaving(page, writes, choice)
  await holds({
    control: page.getByRole('checkbox', { name: 'Social', exact: true }),
    before: false,
    after: true,
  })
  await holds({
    control: page.getByRole('radio', { name: 'Allowed', exact: true }),
    before: false,
    after: true,
  })

  await page.goto('/app/admin/webhooks')
  await holds({ control: page.getByRole('switch', { name: `Send to ${url}` }), before: true, after: false })

  await page.goto('/app/admin/users')
  await holds({
    control: page.getByRole('switch', { name: `${name} may sign in`, exact: true }),
    before: true,
    after: false,
  })

  await page.goto('/app/account')
  const way = page.getByRole('combobox', { name: 'Somebody has mentioned you' })
  await way.click()
  await holds({
    control: way,
    option: page.getByRole('option', { name: 'Not at all' }),
    before: 'In the app',
    after: 'Not at all',
  })

  await page.goto(surfaces[0]!.home(client))
  const details = await libraryOn(page).showsDetailsOf('Bread')
  await holds({ control: details.getByRole('checkbox', { name: 'Everywhere' }), before: true, after: false })
  await holds({
    control: details.getByRole('combobox', { name: 'Origin' }),
    option: 'stock',
    before: 'unknown',
    after: 'stock',
  })
})

async function holdsWhileSaving(page: Page, writes: Writes, { control, option, before, after }: Choice) {
  await control.waitFor({ state: 'attached' })
  expect(await stateOf(control)).toBe(before)
  await choose(control, option)
  expect(await seen(page)).toEqual([after])
  await writes.refuses()
  await expect.poll(() => stateOf(control)).toBe(before)
  await page.getByRole('alert').filter({ hasText: 'reach' }).first().waitFor()

  if (typeof option === 'object') await control.click()
  await choose(control, option)
  const answered = page.waitForResponse((response) => response.request().method() !== 'GET')
  await writes.lets()
  await answered
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(await seen(page)).toEqual([after])
  await page.reload()
  await control.waitFor({ state: 'attached' })
  await expect.poll(() => stateOf(control)).toBe(after)
}

interface Writes {
  lets(): Promise<void>
  refuses(): Promise<void>
}

/** What is written goes no further until it is let through or refused. */
async function holdWrites(page: Page): Promise<Writes> {
  const held: ((refused: boolean) => void)[] = []
  await page.route(
    () => true,
    async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      const refused = await new Promise<boolean>((answer) => held.push(answer))
      return refused ? route.abort() : route.continue()
    },
  )
  const answer = async (refused: boolean) => {
    await expect.poll(() => held.length).toBe(1)
    held.pop()!(refused)
  }
  return { lets: () => answer(false), refuses: () => answer(true) }
}

const stateOf = (control: Locator) =>
  control.evaluate((input: HTMLInputElement) =>
    ['checkbox', 'radio'].includes(input.type) ? input.checked : input.value,
  )

/** Notes how the control is from the end of the click on, in every task that follows; a list's, from what is painted next. */
async function choose(control: Locator, option: Choice['option']) {
  const pressed = typeof option === 'string' ? option : await (option ?? control).elementHandle()
  await control.evaluate(async (element, pressed) => {
    const input = element as HTMLInputElement
    const now = () => (['checkbox', 'radio'].includes(input.type) ? input.checked : input.value)
    if (typeof pressed === 'string') {
      input.value = pressed
      input.dispatchEvent(new Event('change', { bubbles: true }))
    } else (pressed as HTMLElement).click()
    if (input.role === 'combobox') await new Promise(requestAnimationFrame)
    const seen = new Set([now()])
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      if ((window as unknown as { seen: unknown }).seen !== seen) return
      seen.add(now())
      port2.postMessage(0)
    }
    port2.postMessage(0)
    Object.assign(window, { seen })
  }, pressed)
}

const seen = (page: Page) => page.evaluate(() => [...(window as unknown as { seen: Set<unknown> }).seen])

test('a limit that is no number is not saved, and one below what is in use is told of', async () => {
  const client = await world.newClient()
  await hasAsset(client.operator, 'Bread')
  const page = await visit(world.admin, `/app/clients/${client.clientId}/settings`)
  const limit = page.getByLabel('Limit in GB')
  const quotaOf = async () => (await world.admin.get(`/admin/clients/${client.clientId}`)).body.quotaBytes
  const before = await quotaOf()
  const isLess = page.getByText('That is less than is in use')
  for (const text of ['', '-5']) {
    await limit.fill(text)
    await limit.press('Enter')
    await page.getByText('Enter a number, 0 or more.').waitFor()
    expect(await limit.inputValue()).toBe(text)
    expect(await isLess.count()).toBe(0)
  }
  await limit.fill('99999999999999')
  await limit.press('Enter')
  await page.getByText('It must be 9,007,199 at most.').waitFor()
  await limit.fill('0')
  await isLess.waitFor()
  expect(await quotaOf()).toBe(before)
  await limit.press('Enter')
  await expect.poll(quotaOf).toBe(0)
  await page.getByText('Settings saved').first().waitFor()
  expect(await isLess.count()).toBe(1)
  await page.reload()
  await isLess.waitFor()
})

test('a limit is written and read with the decimal mark of the language', async () => {
  const client = await world.newClient()
  const page = await visit(world.admin, `/app/clients/${client.clientId}/settings`, { locale: 'de-DE' })
  const limit = page.getByLabel('Grenze in GB')
  const quotaOf = async () => (await world.admin.get(`/admin/clients/${client.clientId}`)).body.quotaBytes
  for (const [typed, shown, bytes] of [
    ['1.5', '1,5', 1.5e9],
    ['2,25', '2,25', 2.25e9],
    ['0,50', '0,5', 0.5e9],
  ] as const) {
    await limit.press('ControlOrMeta+a')
    await limit.pressSequentially(typed)
    await limit.press('Enter')
    await expect.poll(quotaOf).toBe(bytes)
    await expect.poll(() => limit.inputValue()).toBe(shown)
  }
  await page.reload()
  await expect.poll(() => limit.inputValue()).toBe('0,5')
})

test('what is in use is told as it is when the settings are opened, and as it becomes', async () => {
  const client = await world.newClient()
  const page = await visit(world.admin, `/app/clients/${client.clientId}/settings`)
  const isTold = async () => {
    const { storedBytes } = (await world.admin.get(`/admin/clients/${client.clientId}`)).body
    await page.getByText(`In use now: ${storedBytes} B.`).waitFor()
  }
  await isTold()
  await hasAsset(client.operator, 'Bread')
  await isTold()
  await page.getByRole('link', { name: 'Go to the start' }).click()
  await page.getByRole('heading', { name: 'Clients', exact: true }).waitFor()
  await hasAsset(client.operator, 'Rolls')
  await page.goBack()
  await isTold()
})

test('a name that is not saved is asked about before it is lost', async () => {
  const client = await world.newClient()
  const page = await visit(world.admin, `/app/clients/${client.clientId}/activity`)
  await page.getByRole('link', { name: 'Settings' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  const activity = page.getByRole('link', { name: 'Activity' })
  const at = (place: string) => expect.poll(() => new URL(page.url()).pathname).toContain(place)
  const before = await name.inputValue()
  const nameOf = async () => (await world.admin.get(`/admin/clients/${client.clientId}`)).body.name

  await name.fill('Quayside Café')
  for (const leave of [() => activity.click(), () => page.evaluate(() => history.back())]) {
    await leave()
    await dialog.getByText('What you changed here is not saved.').waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'detached' })
    await at('/settings')
    expect(await name.inputValue()).toBe('Quayside Café')
    await expect.poll(() => name.evaluate((it) => it === document.activeElement)).toBe(true)
  }
  await activity.click()
  await dialog.getByRole('button', { name: 'Leave and lose it' }).click()
  await at('/activity')
  expect(await nameOf()).toBe(before)

  // What was saved, or is as it was, is not asked about.
  await page.goBack()
  await name.fill(' Quayside Café')
  await name.press('Enter')
  await expect.poll(nameOf).toBe('Quayside Café')
  await page.getByText('Settings saved').first().waitFor()
  await name.fill('Something else')
  await name.fill('Quayside Café')
  await activity.click()
  await at('/activity')

  // In a dialog only its buttons throw it away.
  await page.goto('/app/clients')
  await page.getByRole('button', { name: 'New client' }).click()
  const created = page.getByRole('dialog', { name: 'New client' })
  await created.getByLabel('Name').fill('Bakery')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  expect(await created.getByLabel('Name').inputValue()).toBe('Bakery')
  await created.getByRole('button', { name: 'Cancel' }).click()
  await created.waitFor({ state: 'detached' })
})
