import { expect, test } from 'vitest'
import type { ConnectionKind } from '../contract/connection-kinds.ts'
import { newId } from '../server/ids.ts'
import { json, peer, type Received } from './delivery-peers.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1', ROLE: 'api' })
const at = ({ clientId }: ClientWorld) => `/admin/clients/${clientId}`
const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** For each kind: an id of its own, and ids with which a caller would reach for something else. */
const kinds: Record<ConnectionKind, { settings: object; secrets: object; own: string; others: string[] }> = {
  wordpress: {
    settings: {},
    secrets: { username: 'editor', applicationPassword: 'pass word' },
    own: '17',
    others: ['../users/1?force=true&reassign=2#', '17?force=false', '17/../../users/1', '0', '1e3', '１７'],
  },
  gbp: {
    settings: { accountId: '1', locationId: '2' },
    secrets: { accessToken: 'token' },
    own: 'accounts/1/locations/2/media/AF1Qip-x_y',
    others: [
      'accounts/1/locations/999',
      'accounts/1/locations/999/media/a',
      'accounts/1/locations/2/media/../../../locations/999',
      'accounts/1/locations/2/media/..',
      'accounts/1/locations/2/media/a?x=1',
      'accounts/1/locations/2/media/a/b',
    ],
  },
  linkedin: {
    settings: { ownerUrn: 'urn:li:organization:5' },
    secrets: { accessToken: 'token' },
    own: 'urn:li:image:C4E10AQ-_x',
    others: ['urn:li:share:1', 'urn:li:image:../1', 'urn:li:image:1?x', '../posts/1'],
  },
  'linkedin-posts': {
    settings: { ownerUrn: 'urn:li:organization:5' },
    secrets: { accessToken: 'token' },
    own: 'urn:li:share:7130000000000000001',
    others: ['urn:li:image:1', 'urn:li:share:../1', 'urn:li:share:1?x', '../posts/1'],
  },
  'facebook-page': {
    settings: { pageId: '10203' },
    secrets: { accessToken: 'token' },
    own: '10203_122101',
    others: ['999_122101', '10203_', '10203/feed', '../me', '1?fields=id'],
  },
  'gbp-posts': {
    settings: { accountId: '1', locationId: '2' },
    secrets: { accessToken: 'token' },
    own: 'accounts/1/locations/2/localPosts/123-x_y',
    others: ['accounts/1/locations/2/media/a', 'accounts/1/locations/2/localPosts/..', 'localPosts/1'],
  },
  instagram: {
    settings: { userId: '17841400000000001' },
    secrets: { accessToken: 'token' },
    own: '18000000000000007',
    others: ['../me', '1/media', '1?fields=id', 'x', ''],
  },
  webhook: {
    settings: {},
    secrets: { signingSecret },
    own: 'x/1?y=2#z',
    others: ['a\r\nx-more: 1', 'a b', 'ü', '\u0000', 'x'.repeat(201)],
  },
}

/** What the other system shows under our own id: what was brought there, something of its own, or nothing more. */
type Shown = 'ours' | 'theirs' | 'gone'

async function delivered(
  kind: ConnectionKind,
  remoteId: string | null,
  status: 'done' | 'unknown',
  shown: Shown = 'ours',
) {
  const client = await w.newClient()
  const { assetId } = await client.operator.uploads()
  const caption = 'Boats in fog'
  const createTime = new Date().toISOString()
  let name = ''
  const it = await peer(({ method }, response) => {
    if (shown === 'gone') return json(response, {}, 404)
    if (method !== 'GET') return json(response, {})
    const slug = shown === 'ours' ? name : 'logo'
    const description = shown === 'ours' ? caption : 'Since 1894'
    if (kind === 'wordpress') return json(response, { id: 17, slug, title: { raw: 'Boats' } })
    return json(response, { name: kinds[kind].own, description, createTime })
  })
  const address =
    kind === 'wordpress' ? { siteUrl: it.url } : kind === 'webhook' ? { url: it.url } : { baseUrl: it.url }
  const { settings, secrets } = kinds[kind]
  const { body } = await w.admin.post(`${at(client)}/connections`, {
    kind,
    name: kind,
    settings: { ...settings, ...address },
    secrets,
  })
  const enter = async (version: number, more: object) => {
    const id = newId('delivery')
    name = `asset-${id.slice(-12)}`
    await w.parts.db
      .insertInto('deliveries')
      .values({
        client_id: client.clientId,
        id,
        asset_id: assetId,
        version,
        connection_id: body.connectionId,
        rendition: 'original',
        surface: 'website',
        mark: id.slice(-12),
        filename: `${name}.png`,
        sent_at: new Date(),
        steps: JSON.stringify({ creatingSince: createTime, caption }),
        asked_by: 'tests',
        created_by: 'tests',
        ...more,
      })
      .execute()
    return id
  }
  const earlier = await enter(1, { status: 'done', remote_id: kinds[kind].own })
  const deliveryId = await enter(2, { status, remote_id: remoteId, replaces: earlier })
  const says = (person: ClientWorld['operator'], act: string, input?: object) =>
    person.post(`${at(client)}/deliveries/${deliveryId}/${act}`, input)
  const reads = async () => (await client.viewer.get(`${at(client)}/deliveries/${deliveryId}`)).body
  return { client, says, reads, url: it.url, removals: () => it.requests.filter(isRemoval) }
}

const isRemoval = ({ method, body }: Received) =>
  method === 'DELETE' || body.toString().includes('asset.removed')

test.each(Object.keys(kinds) as ConnectionKind[])(
  '%s: only an id of its own is settled with, and by a person',
  async (kind) => {
    const { client, says, removals } = await delivered(kind, null, 'unknown')
    const { own, others } = kinds[kind]
    for (const input of [{ outcome: 'there', remoteId: own }, { outcome: 'not-there' }])
      expect(await says(client.agent, 'settle', input)).toEqual(refusal('forbidden'))
    for (const remoteId of others)
      expect(await says(client.operator, 'settle', { outcome: 'there', remoteId }), remoteId).toEqual(
        refusal('invalid-request'),
      )
    expect(removals()).toEqual([])
    const settled = await says(client.operator, 'settle', { outcome: 'there', remoteId: own })
    expect(settled.body).toMatchObject({ status: 'done', remoteId: own })
    // Whoever looks again may find it gone; then there is nothing left to settle.
    const gone = await says(client.operator, 'settle', { outcome: 'not-there' })
    expect(gone.body).toMatchObject({ status: 'removed', remoteId: null })
    for (const input of [{ outcome: 'there', remoteId: own }, { outcome: 'not-there' }])
      expect(await says(client.operator, 'settle', input)).toEqual(refusal('delivery-state'))
  },
)

test.each(Object.keys(kinds) as ConnectionKind[])(
  '%s: is settled with an address of its own or none',
  async (kind) => {
    const { client, says, url } = await delivered(kind, null, 'unknown')
    const there = { outcome: 'there', remoteId: kinds[kind].own }
    for (const remoteUrl of ['https://elsewhere.example/1', url.replace('127.0.0.1', '127.0.0.1.example')])
      expect(await says(client.operator, 'settle', { ...there, remoteUrl })).toEqual(
        refusal('invalid-request'),
      )
    const lookalike = { ...there, remoteUrl: 'https://notinstagram.com/p/1' }
    expect(await says(client.operator, 'settle', lookalike)).toEqual(refusal('invalid-request'))
    const remoteUrl = kind === 'instagram' ? 'https://www.instagram.com/p/1/' : `${url}/1`
    const settled = await says(client.operator, 'settle', { ...there, remoteUrl })
    expect(settled.body).toMatchObject({ status: 'done', remoteUrl })
  },
)

test.each(['wordpress', 'gbp'] as const)('%s: what is not ours there is left alone', async (kind) => {
  const { client, says, reads, removals } = await delivered(kind, kinds[kind].own, 'done', 'theirs')
  const answer = await says(client.agent, 'undo')
  expect(answer).toEqual(refusal('target-failed'))
  expect(answer.body.detail).toMatch(/nothing was removed/)
  expect(removals()).toEqual([])
  expect(await reads()).toMatchObject({ status: 'done', remoteId: kinds[kind].own })
})

test.each(['wordpress', 'gbp'] as const)('%s: what is gone there already is removed', async (kind) => {
  const { client, says } = await delivered(kind, kinds[kind].own, 'done', 'gone')
  expect((await says(client.agent, 'undo')).body).toMatchObject({ status: 'removed' })
})

test('a receiver that cannot be asked is told to remove only what it named itself', async () => {
  const { client, says, removals } = await delivered('webhook', null, 'unknown')
  await says(client.operator, 'settle', { outcome: 'there', remoteId: 'somebody-elses' })
  expect(await says(client.agent, 'undo')).toEqual(refusal('target-failed'))
  expect(removals()).toEqual([])
})

test.each([
  ['wordpress', 'DELETE', '/wp-json/wp/v2/media/17?force=true'],
  ['gbp', 'DELETE', '/v4/accounts/1/locations/2/media/AF1Qip-x_y'],
  ['webhook', 'POST', '/'],
] as const)('%s: what is taken back is asked for under its own id alone', async (kind, method, path) => {
  const { own, others } = kinds[kind]
  const { client, says, removals } = await delivered(kind, own, 'done')
  expect((await says(client.agent, 'undo')).body).toMatchObject({ status: 'removed' })
  expect(removals()).toMatchObject([{ method, path }])

  // As it may have been stored before ids were looked at.
  for (const remoteId of others.filter((id) => !id.includes('\u0000'))) {
    const stored = await delivered(kind, remoteId, 'done')
    expect(await stored.says(stored.client.agent, 'undo'), remoteId).toEqual(refusal('target-failed'))
    expect(stored.removals(), remoteId).toEqual([])
  }
})
