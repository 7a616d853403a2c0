import { ExternalId, Use, UseInput, UseKind } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { recordUse } from '../../references/uses.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const recordUseTool = tool({
  name: 'record_use',
  title: 'Record a use',
  description:
    'Says where assets are used: a blog post, social post, business-profile update or website job. Call it again with the same kind and externalId whenever its status or refs change; the whole use is replaced. Scheduled and running uses keep their assets from being deleted.',
  permission: 'references:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId, kind: UseKind, externalId: ExternalId, ...UseInput.properties }),
  output: Use,
  async run(agent, { clientId, kind, externalId, ...input }) {
    const { use } = await recordUse(await libraryFor(agent, clientId), kind, externalId, input)
    return { answer: use }
  },
})
