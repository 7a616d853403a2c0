import { expect, test } from 'vitest'
import { newId } from '../server/ids.ts'
import { tokensOf } from '../server/mcp/tokens.ts'
import { tools } from '../server/mcp/tools/tools.ts'
import { peer } from './delivery-peers.ts'
import { asks } from './mcp-requests.ts'
import { png } from './pictures.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })

/** Three bytes and a token each, or an escape in JSON: as bad as words can be. */
const long = (length: number) => '鷲"'.repeat(Math.ceil(length / 2)).slice(0, length)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
const digits = (index: number) => String(index).padStart(3, '0')

test('every answer keeps to its budget, on the worst that a client can have', async () => {
  const { agent, social, operator, clientId } = await w.newClient()
  const at = `/admin/clients/${clientId}`
  const { db } = w.parts
  const words = {
    title: long(200),
    description: long(5000),
    altText: long(2000),
    tags: times(50, (index) => `${digits(index)}${long(57)}`),
  }
  const assets = []
  for (const index of times(26, (i) => i))
    assets.push(await operator.uploads(png(700, 700 + index), { words }))
  const [worst] = assets as [(typeof assets)[0]]
  const { assetId, assetRef } = worst

  let parentId: string | null = null
  for (const index of times(31, (i) => i))
    parentId = (await social.makesFolder(`${digits(index)}${'深'.repeat(60)}`, parentId)).folderId
  for (const index of times(75, (i) => i))
    await social.makesFolder(`${digits(index)}${'底'.repeat(60)}`, parentId)

  const refs = times(100, () => assetRef)
  for (const index of times(21, (i) => i))
    await operator.put(
      `${at}/uses/social-post/${encodeURIComponent(`${digits(index)}${'鷲'.repeat(197)}`)}`,
      {
        status: 'scheduled',
        assetRefs: refs,
        title: long(500),
        url: `https://example.com/${'a'.repeat(1900)}`,
      },
    )

  const nobody = await peer((_, response) => response.destroy())
  for (const index of times(100, (i) => i)) {
    const connectionId = newId('connection')
    await db
      .insertInto('connections')
      .values({
        client_id: clientId,
        id: connectionId,
        kind: 'webhook',
        name: `${digits(index)}${'鷲'.repeat(117)}`,
        settings: JSON.stringify({ url: nobody.url }),
        sealed_secrets: w.parts.sealer.seal(JSON.stringify({ signingSecret: `whsec_${'A'.repeat(44)}` })),
        created_by: operator.id,
      })
      .execute()
    if (index < 16) await operator.post(`${at}/deliveries`, { assetRef, connectionId, surface: 'website' })
  }
  await db
    .updateTable('deliveries')
    .set({
      status: 'failed',
      claim: null,
      last_error: long(1000),
      remote_id: 'r'.repeat(500),
      remote_url: `https://example.com/${'b'.repeat(1900)}`,
    })
    .where('client_id', '=', clientId)
    .execute()
  await db
    .updateTable('connections')
    .set({ last_error: long(1000) })
    .where('client_id', '=', clientId)
    .execute()
  const named = { client_id: clientId, created_by: operator.id }
  for (let index = 0; index < 100; index++) {
    const name = `${digits(index)}${'鷲'.repeat(117)}`
    await db
      .insertInto('collections')
      .values({ ...named, id: newId('collection'), name, name_key: name })
      .execute()
    await db
      .insertInto('saved_searches')
      .values({ ...named, id: newId('search'), user_id: null, key_id: null, name, search: '{}' })
      .execute()
  }
  const grant = { action: 'create', assetRef, surface: 'website', target: 'wordpress' }

  const begun = { action: 'begin', originalFilename: `${'鷲'.repeat(80)}.png`, mimeType: 'image/png' }
  const calls: [tool: string, args: object][] = [
    ['search_assets', { limit: 25 }],
    ['pick_assets', { surface: 'social', limit: 10 }],
    ['look_at_asset', { assetRef, size: 'large' }],
    ['resolve_asset_refs', { assetRefs: refs.slice(0, 20), surface: 'social', target: 'instagram' }],
    ...[
      ...['folders', 'collections', 'saved_searches', 'connections', 'targets'],
      ...['uses', 'deliveries', 'pull_grants'],
    ].map((what): [string, object] => ['list_library', { what }]),
    ['edit_asset', { assetId, focalPoint: { x: 0.5, y: 0.5 } }],
    ['organise_assets', { action: 'create_folder', name: '鷲'.repeat(60) }],
    [
      'organise_assets',
      { action: 'move_assets', assetIds: times(100, () => newId('asset')), folderId: null },
    ],
    ['upload_asset', { ...begun, expectedSizeBytes: 1000 }],
    ['request_review', { assetIds: assets.map((asset) => asset.assetId) }],
    [
      'record_use',
      { kind: 'blog-post', externalId: '鷲'.repeat(200), status: 'done', assetRefs: refs, title: long(500) },
    ],
    ['deliver_asset', { action: 'status', deliveryId: await firstDelivery() }],
    ...times(25, (): [string, object] => ['pull_grant', grant]),
    ['list_library', { what: 'pull_grants' }],
  ]
  async function firstDelivery() {
    return (await operator.get(`${at}/deliveries`)).body.deliveries[0].deliveryId
  }
  const keepTo = async (list: typeof calls) => {
    for (const [name, args] of list) {
      const what = `${name} ${JSON.stringify(args).slice(0, 100)}`
      const { result } = await asks(w.url, social, 'tools/call', { name, arguments: args })
      const [{ text }] = result.content
      expect(result.isError, `${what}: ${text.slice(0, 300)}`).toBeFalsy()
      expect(tokensOf(text), what).toBeLessThanOrEqual(tools.find((tool) => tool.name === name)!.budget)
      expect(tokensOf(JSON.stringify(result)), what).toBeLessThanOrEqual(25_000)
    }
  }
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(tools.map(({ name }) => name)))
  await keepTo(calls)
  // Refused for being over, with all the places where it is still to be seen.
  await operator.edits(assetId, { rightsExpireAt: '2020-01-01T00:00:00Z' })
  await keepTo(
    [1, 3, 20].map((count) => ['resolve_asset_refs', { assetRefs: refs.slice(0, count), surface: 'social' }]),
  )
  const { result } = await asks(w.url, agent, 'tools/list')
  expect(tokensOf(JSON.stringify(result.tools))).toBeLessThanOrEqual(6000)
})
