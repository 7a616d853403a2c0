import { Type } from 'typebox'
import { NewPullGrant } from '../../../contract/deliveries.ts'
import { Strict } from '../../../contract/words.ts'
import { createPullGrant, revokePullGrant } from '../../deliveries/pull-grants.ts'
import { libraryFor } from '../agent.ts'
import { briefGrant } from '../brief.ts'
import { ClientId, needed, tool } from '../tool.ts'

const { assetRef, surface, target, ...optional } = NewPullGrant.properties

export const pullGrant = tool({
  name: 'pull_grant',
  title: 'Let a system fetch an asset',
  description:
    'create: an address (assetRef, surface, target) from which a system that takes no files fetches one asset, converted for it, until it expires; whoever holds it can fetch, and it is shown once. deliver_asset makes its own. revoke: ends one (pullGrantId).',
  permission: 'deliveries:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  budget: 1000,
  input: Strict({
    clientId: ClientId,
    action: Type.Enum(['create', 'revoke']),
    pullGrantId: Type.Optional(Type.String({ maxLength: 100 })),
    assetRef: Type.Optional(assetRef),
    surface: Type.Optional(surface),
    target: Type.Optional(target),
    ...optional,
  }),
  purpose: async (agent, { clientId, surface, target, ratio }) => ({
    library: await libraryFor(agent, clientId),
    surface: surface!,
    target,
    ratio,
  }),
  async run(agent, { clientId, ...input }) {
    const library = await libraryFor(agent, clientId)
    const { action, pullGrantId: _, ...wish } = input
    if (action === 'revoke')
      return { answer: briefGrant(await revokePullGrant(library, needed(input, 'pullGrantId'))) }
    const grant = await createPullGrant(library, agent.parts.config.publicUrl, {
      ...wish,
      assetRef: needed(input, 'assetRef'),
      surface: needed(input, 'surface'),
      target: needed(input, 'target'),
    })
    const { pullGrantId, url, mimeType, sizeBytes, expiresAt } = grant
    return { answer: { pullGrantId, url, mimeType, sizeBytes, expiresAt } }
  },
})
