import { Type } from 'typebox'
import { AssetChange } from '../../../contract/assets.ts'
import { Strict } from '../../../contract/words.ts'
import { toAsset } from '../../assets/asset.ts'
import { editAsset } from '../../assets/assets.ts'
import { Problem } from '../../problems.ts'
import { libraryFor } from '../agent.ts'
import { wholeAsset } from '../brief.ts'
import { ClientId, tool } from '../tool.ts'

const { folderId: _, crops: __, ...words } = AssetChange.properties

export const editAssetTool = tool({
  name: 'edit_asset',
  title: 'Edit what is said of an asset',
  description:
    'Changes title, description, alt text, tags, allowed surfaces, provenance, rights or focal point of one asset. What you send replaces what was there (tags: all of them); what you leave out stays.',
  permission: 'assets:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  budget: 6000,
  input: Strict({ clientId: ClientId, assetId: Type.String({ maxLength: 100 }), ...words }),
  async run(agent, { clientId, assetId, ...input }) {
    if (Object.keys(input).length === 0) throw nothingToChange()
    const row = await editAsset(await libraryFor(agent, clientId), assetId, input)
    return { answer: wholeAsset(toAsset(row)) }
  },
})

const nothingToChange = () =>
  new Problem('invalid-request', 'Correct the arguments: say what is to be changed.', {
    extra: { errors: [{ path: '/', message: 'must have something to change' }] },
  })
