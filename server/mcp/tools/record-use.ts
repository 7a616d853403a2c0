import { ExternalId, surfaceOfKind, UseInput, UseKind } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { recordUse } from '../../references/uses.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const recordUseTool = tool({
  name: 'record_use',
  title: 'Record a use',
  description:
    'Says where assets are used: a blog post, social post, business-profile update or website job. Called again with the same kind and externalId, it replaces the whole use, e.g. with another status or other refs. Scheduled and running uses keep their assets from being deleted.',
  permission: 'references:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  budget: 9000,
  input: Strict({ clientId: ClientId, kind: UseKind, externalId: ExternalId, ...UseInput.properties }),
  purpose: async (agent, { clientId, kind }) => ({
    library: await libraryFor(agent, clientId),
    surface: surfaceOfKind[kind],
  }),
  async run(agent, { clientId, kind, externalId, ...input }) {
    const { use } = await recordUse(await libraryFor(agent, clientId), kind, externalId, input)
    const { clientId: _, createdBy: __, createdAt: ___, ...answer } = use
    return { answer }
  },
})
