import { Resolve, Resolved } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { resolve } from '../../references/answers.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const resolveAssetRefs = tool({
  name: 'resolve_asset_refs',
  title: 'Resolve asset refs',
  description:
    'Checks whether assets may be used on a surface and fit a target, before you use them. For each ref, in order: what would be sent, or a refusal with code, detail and fix.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId, ...Resolve.properties }),
  output: Resolved,
  async run(agent, { clientId, ...input }) {
    return { answer: await resolve(await libraryFor(agent, clientId), input) }
  },
})
