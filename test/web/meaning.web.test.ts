import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMeaning } from '../../server/ai/meaning.ts'
import { catchUp } from '../../server/meaning/keep-vectors.ts'
import { embeddingsPeer } from '../embeddings-peer.ts'
import { app, hasAsset, libraryOn, surfaces, violationsInBoth } from './app.ts'
import { onEmbedded } from './on-embedded.ts'
import { plants } from './plants.ts'

onEmbedded()
const model = await embeddingsPeer()
const { world, visit } = await app({ ...model.environment, ROLE: 'api' })

// However busy the machine is.
world.parts.meaning = openMeaning(world.parts.ai!, 60)

test('where words alone are sent, that is what an administrator is told of and allows', async () => {
  const { clientId } = await world.newClient()
  const page = await visit(world.admin, `/app/clients/${clientId}/settings`, { locale: 'de-DE' })
  await page.getByText('Auf diesem Server werden Bilder nicht gelesen').waitFor()
  expect(await page.getByRole('checkbox', { name: 'Polnisch' }).count()).toBe(0)
  const consent = page.getByRole('region', { name: 'Einsatz von KI' })
  await consent.getByText('Titel, Alternativtexte, Schlagwörter und Beschreibungen aller Dateien').waitFor()
  expect(await consent.getByText('Vorschau').count()).toBe(0)
  await consent.getByRole('radio', { name: 'Erlaubt', exact: true }).check()
  const read = async () => (await world.admin.get(`/admin/clients/${clientId}/suggestion-settings`)).body
  await expect.poll(read).toMatchObject({ mode: 'on-request', consentedTo: ['words'] })
})

test('what is only similar in meaning says so, stays when it changes, and is part of all that is chosen', async () => {
  const client = await world.newClient()
  const { operator, clientId } = client
  await sql`insert into suggestion_settings (client_id, mode, host, sends, decided_by)
    values (${clientId}, 'on-request', ${world.parts.ai!.host}, '{words}', 'tests')`.execute(world.parts.db)
  await hasAsset(operator, 'Hochzeit im Park')
  const bride = await hasAsset(operator, 'Brautpaar')
  await plants(world, clientId, 2, { title: 'Trauung' })
  await plants(world, clientId, 2, { title: 'Kaffee' })
  await catchUp(world.parts)

  const library = libraryOn(await visit(operator, surfaces[0]!.home(client)))
  const { page } = library
  await library.search.fill('hochzeit')
  const similar = page.getByRole('gridcell', { name: 'Similar in meaning' })
  await similar.first().waitFor()
  expect(await library.asset('Hochzeit im Park').getByText('Similar in meaning').count()).toBe(0)
  await library.asset('Brautpaar').getByText('Similar in meaning').waitFor()

  await operator.edits(bride.assetId, { title: 'Brautpaar am See' })
  await library.asset('Brautpaar am See').getByText('Similar in meaning').waitFor()

  await library.grid.focus()
  await page.keyboard.press('Control+a')
  await page.getByText('4 selected').first().waitFor()

  // Whoever wants the words alone says so, and the address keeps it.
  const also = page.getByRole('checkbox', { name: 'Also what is similar in meaning' })
  await also.uncheck()
  await library.asset('Brautpaar').waitFor({ state: 'detached' })
  await library.asset('Hochzeit im Park').waitFor()
  await page.reload()
  await library.asset('Hochzeit im Park').waitFor()
  expect(await library.cells.count()).toBe(1)
  await also.check()
  await library.asset('Brautpaar').waitFor()
  expect(await violationsInBoth(page)).toEqual([])
})
