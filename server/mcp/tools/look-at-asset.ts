import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { Asset, Fit, PreviewQuery } from '../../../contract/assets.ts'
import { AssetRef } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { toAsset } from '../../assets/asset.ts'
import { assetFits } from '../../previews/fits.ts'
import { previewFile } from '../../previews/preview.ts'
import { notFound } from '../../problems.ts'
import { findRefs } from '../../references/resolve.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const lookAtAsset = tool({
  name: 'look_at_asset',
  title: 'Look at an asset',
  description:
    'Shows one asset as a picture (a poster for a video), with its record and how each target system would take it.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({
    clientId: ClientId,
    assetRef: AssetRef,
    size: PreviewQuery.properties.size,
    frame: PreviewQuery.properties.frame,
  }),
  output: Type.Object({ asset: Asset, fits: Type.Array(Type.Omit(Fit, ['crop', 'why'])) }),
  async run(agent, { clientId, assetRef, size, frame }) {
    const library = await libraryFor(agent, clientId)
    const found = (await findRefs(library.db, library, [assetRef])).get(assetRef)
    if (!found) throw notFound('No asset')
    const { asset, version } = found
    const query = { size, frame, version: version.version }
    const preview = await previewFile(library, asset.id, query, 'image/jpeg')
    const { fits } = await assetFits(library, asset.id)
    return {
      answer: { asset: toAsset(asset), fits: fits.map(({ crop: _, why: __, ...fit }) => fit) },
      pictures: [{ bytes: await buffer(await preview.open(undefined)), mimeType: preview.mimeType }],
    }
  },
})
