import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { connects } from './mcp-clients.ts'
import { type Person, person, puts } from './person.ts'
import { refusal } from './refusal.ts'
import { threeHoursPass } from './three-hours-pass.ts'
import { adminLogin, newClient, newHome, type Server, signIn, startServer } from './world.ts'

vi.setConfig({ testTimeout: 400_000 })

const home = await newHome()
let server = await startServer(home.environment)
afterAll(async () => {
  await server.stop()
  await home.remove()
})

const menu = readFileSync(fixturePath('menu.png'))
const photo = await sharp(fixturePath('c2pa/C.jpg')).resize(1600).jpeg().toBuffer()
const jpeg = { originalFilename: 'photo.jpg', mimeType: 'image/jpeg' }

const textOf = async (somebody: Person, assetId: string) => (await somebody.reads(assetId)).body.pictureText
const found = async (somebody: Person, q: string) =>
  ((await somebody.lists({ q, everywhere: true })).body.assets as { assetId: string }[]).map(
    ({ assetId }) => assetId,
  )
const soughtIn = async (assetId: string) =>
  (
    await server.parts.db
      .selectFrom('asset_versions')
      .select('text_sought_in')
      .where('asset_id', '=', assetId)
      .orderBy('version', 'desc')
      .executeTakeFirst()
  )?.text_sought_in
const until = (what: () => Promise<unknown>, is: unknown) =>
  expect.poll(what, { timeout: 300_000, interval: 250 }).toEqual(is)

/** The same people, at a server that was started anew. */
async function restarted(settings: object): Promise<Server> {
  await server.stop()
  server = await startServer({ ...home.environment, ...settings })
  return server
}
const again = (somebody: Person) => person(server.url, somebody.credentials, somebody.door, somebody.id)

test('pictures from before they were read are read by the schedule, for clients who want it', async () => {
  const wanting = await newClient(server)
  const declining = await newClient(server)
  const [old, unread] = [await wanting.operator.uploads(menu), await declining.operator.uploads(menu)]
  for (const [client, { assetId }] of [
    [wanting, old],
    [declining, unread],
  ] as const)
    await until(async () => (await client.operator.reads(assetId)).body.media.state, 'ready')
  expect(await textOf(wanting.operator, old.assetId)).toBeNull()
  expect(await soughtIn(old.assetId)).toBeNull() // off by the setting

  await server.parts.db
    .updateTable('clients')
    .set({ ocr_languages: [] })
    .where('id', '=', declining.clientId)
    .execute()
  await threeHoursPass((await restarted({ ROLE: 'api' })).parts)
  await restarted({ MEDIA_OCR: 'de,en' })
  const operator = again(wanting.operator)
  await until(
    () => textOf(operator, old.assetId),
    expect.stringContaining('Käsespätzle mit Röstzwiebeln 12,90 €'),
  )
  expect(await found(operator, 'Röstzwiebeln')).toEqual([old.assetId])
  expect(await soughtIn(unread.assetId)).toBeNull()

  const admin = person(server.url, {
    cookie: await signIn(server.url, adminLogin.email, adminLogin.password),
  })
  const its = `/admin/clients/${declining.clientId}`
  expect(await admin.patch(its, { ocrLanguages: ['pl'] })).toEqual(
    refusal('language-not-installed', {
      detail: expect.stringContaining('@tesseract.js-data/pol'),
      params: { languages: 'pl' },
    }),
  )
  expect((await admin.patch(its, { ocrLanguages: ['de'] })).body).toMatchObject({ ocrLanguages: ['de'] })
  await until(async () => {
    await server.parts.db.transaction().execute((trx) => server.parts.jobs.send(trx, 'ocr-backlog', {}))
    return soughtIn(unread.assetId)
  }, 'de')
  expect(await soughtIn(old.assetId)).toBe('de en')
})

test('what a new picture says is found by its own client, behind what people said, and once a version', async () => {
  const { clientId, operator, portal, agent } = await newClient(server)
  const stranger = await newClient(server)
  const { assetId } = await operator.uploads(menu, { words: { title: 'Aushang' } })
  await until(() => textOf(operator, assetId), expect.stringContaining('Straßburger Apfelkuchen'))
  expect(await textOf(portal, assetId)).toBe(await textOf(operator, assetId))
  expect((await operator.lists()).body.assets[0]).not.toHaveProperty('pictureText')

  expect(await found(operator, 'spatzle gasthaus')).toEqual([assetId])
  const misspelt = await portal.lists({ q: 'Zwiebelrostbratn', everywhere: true })
  expect(misspelt.body).toMatchObject({ meant: 'zwiebelrostbraten', assets: [{ assetId }] })
  expect(await found(stranger.operator, 'Röstzwiebeln')).toEqual([])
  const described = await operator.uploads(photo, { session: jpeg, words: { altText: 'Ein Teller Brägele' } })
  expect(await found(operator, 'Brägele')).toEqual([described.assetId, assetId])
  await until(() => soughtIn(described.assetId), 'de en')
  expect(await textOf(operator, described.assetId)).toBeNull()

  const client = await connects('2025-11-25', agent, server.url)
  const asked = await client.uses('search_assets', { clientId, q: 'Vanillesoße' })
  expect(JSON.stringify(asked.content)).toContain(assetId)
  const looked = await client.uses('look_at_asset', { clientId, assetRef: assetId, size: 'thumb' })
  expect(JSON.parse((looked.content[0] as { text: string }).text)).toMatchObject({
    textInPicture: {
      note: expect.stringMatching(/not instructions/),
      text: expect.stringMatching(/^Gasthaus/),
    },
  })
  await client.close()

  await operator.edits(assetId, { title: 'Speisekarte' })
  expect(await found(operator, 'Röstzwiebeln')).toEqual([assetId])
  const { rows: before } =
    await sql`select text, read_at from picture_texts where asset_id = ${assetId}`.execute(server.parts.db)
  const replacing = await operator.opensUpload({
    ...jpeg,
    expectedSizeBytes: photo.length,
    replacesAssetId: assetId,
  })
  await puts(replacing.body, photo)
  expect((await operator.finalizes(replacing.body.uploadToken)).status).toBe(201)
  expect(await found(operator, 'Röstzwiebeln')).toEqual([])
  expect(await textOf(operator, assetId)).toBeNull()
  await operator.post(`${operator.door.assets}/${assetId}/versions/1/restore`)
  expect(await found(operator, 'Röstzwiebeln')).toEqual([assetId])
  const { rows: after } =
    await sql`select text, read_at from picture_texts where asset_id = ${assetId} and version = 3`.execute(
      server.parts.db,
    )
  expect(after).toEqual(before)

  await operator.trashes(assetId)
  expect((await operator.delete(`${operator.door.assets}/trash`)).status).toBe(200)
  const { rows: left } = await sql`select from picture_texts where asset_id = ${assetId}`.execute(
    server.parts.db,
  )
  expect(left).toEqual([])
})
