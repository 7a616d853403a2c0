import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { sql } from 'kysely'
import { type AssetRow, assetColumns, assetRow, toAsset } from '../assets/asset.ts'
import { readCursor, writeCursor } from '../cursors.ts'
import { isId } from '../ids.ts'
import { Problem } from '../problems.ts'
import { type Agent, clientsOf, libraryFor, toldTo } from './agent.ts'
import { pickerResource, pickerUri, readPicker } from './picker-app.ts'

const pageSize = 100

export const uriTemplate = 'asset://{clientId}/{assetId}'
export const uriOf = (clientId: string, assetId: string) => `asset://${clientId}/${assetId}`

export function addressOf(uri: string): { clientId: string; assetId: string } {
  const [, clientId = '', assetId = ''] = /^asset:\/\/([^/]+)\/([^/]+)$/.exec(uri) ?? []
  return { clientId, assetId }
}

/** All assets of the agent's clients that are not in the trash, and the picker. */
export async function listResources(
  agent: Agent,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const clients = await clientsOf(agent)
  const [clientId, id] = cursor ? readCursor(cursor, ['text', 'text']) : ['', '']
  const rows = await agent.parts.db
    .selectFrom('assets')
    .select(assetColumns)
    .where(sql<boolean>`client_id = any(${clients.map((client) => client.clientId)}::text[])`)
    .where(sql<boolean>`(client_id, id) > (${clientId}::text, ${id}::text)`)
    .where('trashed_at', 'is', null)
    .orderBy('client_id')
    .orderBy('id')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    resources: [...page.map(toResource), ...(cursor ? [] : [pickerResource])],
    ...(rows.length > pageSize && { nextCursor: writeCursor([last!.client_id, last!.id]) }),
  }
}

/** The record of an asset, whose picture is for look_at_asset; or the picker. */
export async function readResource(agent: Agent, uri: string): Promise<ReadResourceResult> {
  if (uri === pickerUri) return readPicker()
  const asset = toldTo(agent, toAsset(await assetByUri(agent, uri)))
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(asset) }] }
}

export async function assetByUri(agent: Agent, uri: string): Promise<AssetRow> {
  const { clientId, assetId } = addressOf(uri)
  try {
    if (!isId('client', clientId) || !isId('asset', assetId)) throw notThere(uri)
    const library = await libraryFor(agent, clientId)
    return await assetRow(library.db, library, assetId)
  } catch (error) {
    throw error instanceof Problem && error.status === 404 ? notThere(uri) : error
  }
}

const toResource = (row: AssetRow): Resource => ({
  uri: uriOf(row.client_id, row.id),
  name: row.title,
  mimeType: 'application/json',
  description: [row.mime_type, row.alt_text || row.description].filter(Boolean).join(': '),
})

const notThere = (uri: string) => new ResourceNotFoundError(uri, 'No asset was found under that uri.')
