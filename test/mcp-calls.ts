import { json, peer } from './delivery-peers.ts'
import { type Person, puts } from './person.ts'
import { png } from './pictures.ts'
import type { ClientWorld } from './world.ts'

/** What a client has that tools take ids of. */
export interface Things {
  clientId: string
  assetId: string
  assetRef: string
  folderId: string
  collectionId: string
  savedSearchId: string
  connectionId: string
  postingId: string
  deliveryId: string
  pullGrantId: string
  uploadSessionId: string
  uploadToken: string
  sourceUrl: string
}

export interface Call {
  args: Record<string, unknown>
  /** With what it may be refused although all of it is the caller's own. */
  orElse?: string
}

const file = { originalFilename: 'new.png', mimeType: 'image/png' }

/** Calls of every tool, with every argument that names something; one of ours that is missing here fails a test. */
export function callsOf(its: Things): Record<string, Call[]> {
  const { assetId, assetRef, folderId, connectionId, deliveryId, pullGrantId, uploadSessionId } = its
  const use = { kind: 'social-post', externalId: 'p-1', status: 'scheduled' }
  const begin = { ...file, expectedSizeBytes: 100 }
  const order = { assetRef, connectionId, surface: 'website' }
  return Object.fromEntries(
    Object.entries({
      search_assets: [
        {},
        { folderId },
        { collectionId: its.collectionId },
        { savedSearchId: its.savedSearchId },
      ],
      pick_assets: [{ surface: 'website' }],
      look_at_asset: [{ assetRef, size: 'thumb' }],
      resolve_asset_refs: [{ assetRefs: [assetRef], surface: 'website' }],
      list_library: [
        ...['folders', 'collections', 'saved_searches', 'connections', 'targets'].map((what) => ({ what })),
        ...['uses', 'deliveries', 'pull_grants'].map((what) => ({ what, assetId })),
      ],
      edit_asset: [{ assetId, altText: 'A square' }],
      organise_assets: [
        { action: 'create_folder', name: `Below ${Math.random()}`, parentId: folderId },
        { action: 'change_folder', folderId, name: `Renamed ${Math.random()}` },
        { action: 'move_assets', assetIds: [assetId], folderId },
      ],
      upload_asset: [
        { action: 'from_url', url: `${its.sourceUrl}/x.png`, folderId },
        { action: 'begin', ...begin, folderId, replacesAssetId: assetId },
        { action: 'status', uploadSessionId },
        {
          args: { action: 'parts', uploadToken: its.uploadToken, partNumbers: [1] },
          orElse: 'invalid-request',
        },
        { action: 'finish', uploadToken: its.uploadToken, folderId },
        { args: { action: 'abort', uploadSessionId }, orElse: 'upload-finalized' },
      ],
      request_review: [{ assetIds: [assetId] }],
      record_use: [{ ...use, assetRefs: [assetRef], featuredAssetRef: assetRef }],
      deliver_asset: [
        order,
        {
          assetRef,
          moreAssetRefs: [`${assetId}@1`],
          connectionId: its.postingId,
          surface: 'social',
          text: 'New',
        },
        { action: 'status', deliveryId },
        { action: 'retry', deliveryId },
        { args: { action: 'cancel', deliveryId }, orElse: 'delivery-state' },
      ],
      pull_grant: [
        { action: 'create', assetRef, surface: 'website', target: 'wordpress' },
        { action: 'revoke', pullGrantId },
      ],
    }).map(([tool, calls]) => [
      tool,
      calls.map((call) => ('args' in call ? (call as Call) : { args: call })),
    ]),
  )
}

/** A client with one of everything, for calls that may use it up. */
export async function thingsOf(admin: Person, client: ClientWorld, title: string): Promise<Things> {
  const { clientId, operator, social } = client
  const at = `/admin/clients/${clientId}`
  const other = await peer(({ method }, response) => {
    if (method !== 'GET') return json(response, { id: 'x-1' })
    const picture = png(12, 12)
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length }).end(picture)
  })
  const { folderId } = await social.makesFolder(title)
  const asset = await operator.uploads(png(1080, 1080), { session: { folderId }, words: { title } })
  const made = async (path: string, body: object, by: Person = admin) => {
    const answer = await by.post(`${at}${path}`, body)
    if (answer.status > 202) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const { connectionId } = await made('/connections', {
    kind: 'webhook',
    name: title,
    settings: { url: other.url },
    secrets: { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const { connectionId: postingId } = await made('/connections', {
    kind: 'facebook-page',
    name: title,
    settings: { pageId: '1234567', baseUrl: other.url },
    secrets: { accessToken: 'x'.repeat(40) },
  })
  const assetRef = asset.assetRef
  const { collectionId } = await made('/collections', { name: title, assetIds: [asset.assetId] })
  const { savedSearchId } = await made('/saved-searches', { name: title, search: {}, for: 'client' })
  const { deliveryId } = await made('/deliveries', { assetRef, connectionId, surface: 'social' }, operator)
  const grant = { assetRef, surface: 'website', target: 'wordpress' }
  const { pullGrantId } = await made('/pull-grants', grant, operator)
  const bytes = png(13, 13)
  const session = { ...file, expectedSizeBytes: bytes.length }
  const { uploadSessionId, uploadToken, uploadUrl } = await made('/assets/upload-session', session, operator)
  await puts({ uploadUrl }, bytes)
  return {
    clientId,
    assetId: asset.assetId,
    assetRef,
    folderId,
    collectionId,
    savedSearchId,
    connectionId,
    postingId,
    deliveryId,
    pullGrantId,
    uploadSessionId,
    uploadToken,
    sourceUrl: other.url,
  }
}
