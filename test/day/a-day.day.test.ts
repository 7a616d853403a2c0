import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dice } from '../dice.ts'
import { png } from '../pictures.ts'
import { plainDetails } from '../plain-details.ts'
import { app, hasAsset, longWait } from '../web/app.ts'
import { steps } from './random-day.ts'
import { type AtWork, atWork } from './screens.ts'

const { world, visit } = await app()
const many = 5000

/** An operator, a client and a colleague, each in a browser of their own, on a library of five thousand. */
async function threeAtWork() {
  const client = await world.newClient()
  const { folderId } = await client.operator.makesFolder('Archive')
  await fills(client.clientId, folderId)
  await client.operator.makesFolder('Season')
  for (const title of ['Terrace', 'Lanterns', 'Menu']) await hasAsset(client.operator, title)
  const admin = `/app/clients/${client.clientId}/assets`
  const colleague = world.admin.at(client.operator.door)
  const operator = atWork('operator', client.operator, await visit(client.operator, admin))
  const owner = atWork('client', client.portal, await visit(client.portal, '/app/portal/assets'))
  const other = atWork('colleague', colleague, await visit(world.admin, admin))
  return { client, folderId, operator, owner, other, everybody: [operator, owner, other] }
}

/** Rows alone: nobody looks at their pictures. */
async function fills(clientId: string, folderId: string) {
  await sql`
    insert into assets (client_id, id, folder_id, title, original_filename, mime_type, size_bytes, width, height,
      details, media_state, created_by, created_at, description, alt_text, tags)
    select ${clientId}, 'asset_' || lpad(n::text, 10, '0') || right(${folderId}, 16), ${folderId},
      'Archive ' || lpad(n::text, 4, '0'), n || '.jpg', 'image/jpeg', 1000 + n, 10, 10,
      ${plainDetails}::jsonb,
      'failed', 'tests', now() - n * interval '1 minute', '', '', '{}'
    from generate_series(1, ${many}::int) as n`.execute(world.parts.db)
}

const allAgree = async (people: AtWork[]) => {
  for (const who of people) await who.agrees()
}

test('a day of three people on one library', async () => {
  const { client, folderId, operator, owner, other, everybody } = await threeAtWork()
  await operator.asset('Terrace').waitFor()
  await allAgree(everybody)

  // Upload: everybody sees it.
  await operator.uploads([{ name: 'Harbour.png', mimeType: 'image/png', buffer: png(60, 40, [9, 80, 120]) }])
  await owner.asset('Harbour').waitFor()
  await allAgree(everybody)

  // Edit: in the client's browser, read in the others'.
  await owner.asset('Menu').click()
  await owner.press('F2')
  await owner.page.getByRole('textbox', { name: 'Name' }).fill('Summer menu')
  await owner.press('Enter')
  await other.asset('Summer menu').waitFor()
  await allAgree(everybody)

  // Find, among five thousand.
  await other.search.fill('Archive 4711')
  await other.asset('Archive 4711').waitFor()
  await other.agrees()
  await other.search.fill('')
  await other.asset('Terrace').waitFor()
  await other.agrees()

  // Move, and take it back.
  await operator.choosesIn(operator.asset('Terrace'), 'Move to…')
  await operator.page.getByRole('dialog').getByRole('option', { name: 'Season' }).click()
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click()
  await owner.asset('Terrace').waitFor({ state: 'detached' })
  await allAgree(everybody)
  await operator.grid.focus()
  await operator.press('Control+z')
  await owner.asset('Terrace').waitFor()
  await allAgree(everybody)

  // Delete and restore: the client deletes, the colleague brings it back from the trash.
  await owner.asset('Lanterns').click()
  await owner.press('Delete')
  await operator.asset('Lanterns').waitFor({ state: 'detached' })
  await other.opens('Trash')
  await other.choosesIn(other.asset('Lanterns'), 'Restore')
  await operator.asset('Lanterns').waitFor()
  await allAgree(everybody)
  await other.opens(null)

  // Replace, and make the old file the current one again.
  const { assetId } = (await client.operator.lists()).body.assets.find(
    ({ title }: { title: string }) => title === 'Harbour',
  )
  await client.operator.uploads(png(80, 20, [200, 80, 10]), { session: { replacesAssetId: assetId } })
  const details = await operator.showsDetailsOf('Harbour')
  await details.getByRole('button', { name: /^Make this the current version/ }).click()
  await expect.poll(async () => (await client.portal.reads(assetId)).body.version).toBe(3)
  await allAgree(everybody)

  // Select: two at once, in a folder of thousands, deleted and taken back while others look.
  await operator.opens('Archive')
  await other.opens('Archive')
  await operator.asset('Archive 0001').click()
  await operator.asset('Archive 0002').click({ modifiers: ['Shift'] })
  await operator.press('Delete')
  await other.asset('Archive 0002').waitFor({ state: 'detached' })
  await allAgree(everybody)
  await operator.press('Control+z')
  await other.asset('Archive 0002').waitFor()
  await allAgree(everybody)

  // Everything in the folder: tagged and taken back, then its surfaces, then sorted the other way.
  const inArchive = async (query: object) =>
    (await client.operator.lists({ folderId, count: true, limit: 1, ...query })).body.total
  const selected = operator.page.getByRole('toolbar', { name: 'Selected items' })
  const dialog = operator.page.getByRole('dialog')
  await operator.asset('Archive 0003').click()
  await operator.press('Control+a')
  await selected.getByText('5,000 selected').waitFor()
  await selected.getByRole('button', { name: 'Tag' }).click()
  await dialog.getByRole('combobox', { name: 'Tags to add' }).fill('Old town')
  await operator.press('Enter')
  await dialog.getByRole('button', { name: 'Add tags' }).click()
  await operator.said('5,000 assets tagged').waitFor({ timeout: 5 * longWait })
  expect(await inArchive({ tag: 'old town' })).toBe(many)
  await operator.press('Control+z')
  await operator.said('Undone: 5,000 assets tagged').waitFor({ timeout: 5 * longWait })
  expect(await inArchive({ tag: 'old town' })).toBe(0)
  await allAgree(everybody)
  await selected.getByRole('button', { name: 'Surfaces' }).click()
  await dialog.getByRole('checkbox', { name: 'Social' }).check()
  await dialog.getByRole('button', { name: 'Set surfaces' }).click()
  await operator.said('Surfaces of 5,000 assets set').waitFor()
  expect(await inArchive({ surface: 'website' })).toBe(0)
  await operator.press('Control+z')
  await operator.said('Undone: Surfaces of 5,000 assets set').waitFor()
  expect(await inArchive({ surface: 'website' })).toBe(many)
  await operator.sorts('Oldest')
  await operator.asset(`Archive ${many}`).waitFor()
  await allAgree(everybody)

  // The network goes; work goes on elsewhere; it comes back.
  await owner.page.context().setOffline(true)
  await owner.page.getByText('offline', { exact: false }).first().waitFor()
  await client.operator.patch(`${client.operator.door.assets}/${assetId}`, { title: 'Harbour at dusk' })
  await hasAsset(client.operator, 'Made meanwhile')
  await owner.page.context().setOffline(false)
  await owner.asset('Made meanwhile').waitFor()
  await allAgree(everybody)

  // The folder two of them are in goes, with everything in it.
  await client.portal.deletesFolder(folderId)
  await allAgree([owner])
  for (const who of [operator, other])
    await expect
      .poll(() => who.page.locator('.grid-row [data-id]').filter({ hasText: 'Archive' }).count())
      .toBe(0)
})

test('whatever three people do, in whatever order, each sees what is there', async () => {
  const seed = Number(process.env.DAY_SEED ?? Date.now() % 1_000_000)
  const chance = dice(seed)
  const { everybody } = await threeAtWork()
  const story: string[] = []
  try {
    await allAgree(everybody)
    for (let n = 1; n <= Number(process.env.DAY_STEPS ?? 40); n++) {
      const who = chance.of(everybody)
      const step = chance.of(steps)
      story.push(`${n}. the ${who.name} (${step.name})`)
      story.push(`   ${await step(who, chance, n)}`)
      await allAgree(everybody)
    }
  } catch (error) {
    throw new Error(`DAY_SEED=${seed}\n${story.join('\n')}`, { cause: error })
  }
})
