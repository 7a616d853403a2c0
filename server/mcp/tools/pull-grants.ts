import { Type } from 'typebox'
import { NewPullGrant, PullGrant, PullGrantQuery } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { createPullGrant, listPullGrants, revokePullGrant } from '../../deliveries/pull-grants.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const createPullGrantTool = tool({
  name: 'create_pull_grant',
  title: 'Let a system fetch an asset',
  description:
    'Makes an address from which a system that takes no files can fetch one asset, converted for it, until it expires. Whoever holds the address can fetch. Not needed for deliver_asset, which makes its own.',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Strict({ clientId: ClientId, ...NewPullGrant.properties }),
  output: Type.Object({
    pullGrantId: Type.String(),
    url: Type.String(),
    mimeType: Type.String(),
    sizeBytes: Type.Integer(),
    expiresAt: Type.String(),
  }),
  async run(agent, { clientId, ...input }) {
    const library = await libraryFor(agent, clientId)
    const grant = await createPullGrant(library, agent.parts.config.publicUrl, input)
    const { pullGrantId, url, mimeType, sizeBytes, expiresAt } = grant
    return { answer: { pullGrantId, url, mimeType, sizeBytes, expiresAt } }
  },
})

const shown = [
  'pullGrantId',
  'assetRef',
  'target',
  'state',
  'expiresAt',
  'fetchCount',
  'lastFetchedAt',
] as const

export const listPullGrantsTool = tool({
  name: 'list_pull_grants',
  title: 'List addresses to fetch from',
  description: 'The addresses that systems can fetch assets from, how often and when each was fetched.',
  permission: 'deliveries:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId, ...PullGrantQuery.properties }),
  output: Type.Object({
    pullGrants: Type.Array(Type.Pick(PullGrant, shown)),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  }),
  async run(agent, { clientId, ...query }) {
    const { pullGrants, nextCursor } = await listPullGrants(await libraryFor(agent, clientId), query)
    return { answer: { pullGrants: pullGrants.map(inShort), nextCursor } }
  },
})

export const revokePullGrantTool = tool({
  name: 'revoke_pull_grant',
  title: 'Revoke an address to fetch from',
  description: 'Ends an address that create_pull_grant made: nobody can fetch from it any more.',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId, pullGrantId: Type.String({ maxLength: 100 }) }),
  output: Type.Pick(PullGrant, shown),
  async run(agent, { clientId, pullGrantId }) {
    return { answer: inShort(await revokePullGrant(await libraryFor(agent, clientId), pullGrantId)) }
  },
})

const inShort = (grant: PullGrant) => {
  const { pullGrantId, assetRef, target, state, expiresAt, fetchCount, lastFetchedAt } = grant
  return { pullGrantId, assetRef, target, state, expiresAt, fetchCount, lastFetchedAt }
}
