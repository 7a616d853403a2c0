import { PreviewQuery } from '../../../contract/assets.ts'
import { AssetRef } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { toAsset } from '../../assets/asset.ts'
import { noteLooks } from '../../assets/looks.ts'
import { pictureText } from '../../assets/picture-text.ts'
import { listDeliveries } from '../../deliveries/deliveries.ts'
import { assetFits } from '../../previews/fits.ts'
import { notFound } from '../../problems.ts'
import { findRefs } from '../../references/resolve.ts'
import { listUses } from '../../references/uses.ts'
import { libraryFor } from '../agent.ts'
import { briefDelivery, briefUse, clipped, quoted, wholeAsset } from '../brief.ts'
import { pictureWithin } from '../pictures.ts'
import { within } from '../tokens.ts'
import { ClientId, tool } from '../tool.ts'

const budget = 9000
const mostTogether = 25_000
const mostPlaces = 10
const mostText = 2000

export const lookAtAsset = tool({
  name: 'look_at_asset',
  title: 'Look at an asset',
  description:
    'Shows one asset as a picture (a poster for a video), with its record, where it is used and was delivered, and how each target would take it.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  budget,
  input: Strict({
    clientId: ClientId,
    assetRef: AssetRef,
    size: PreviewQuery.properties.size,
    frame: PreviewQuery.properties.frame,
  }),
  async run(agent, { clientId, assetRef, size, frame }) {
    const library = await libraryFor(agent, clientId)
    const found = (await findRefs(library.db, library, [assetRef])).get(assetRef)
    if (!found) throw notFound('No asset')
    const { asset, version } = found
    const query = { size, frame, version: version.version }
    const picture = await pictureWithin(library, asset.id, query, mostTogether - budget)
    const { fits } = await assetFits(library, asset.id)
    const { uses } = await listUses(library, { limit: mostPlaces }, asset.id)
    const mayDeliver = agent.caller.permissions.has('deliveries:read')
    const { deliveries } = mayDeliver
      ? await listDeliveries(library, { assetId: asset.id, limit: mostPlaces })
      : { deliveries: [] }
    await noteLooks(library, [asset.id])
    const places = { usedIn: uses.map(briefUse), deliveredTo: deliveries.map(briefDelivery) }
    const text = await pictureText(library.db, library, asset.id, version.version)
    const answer = {
      asset: wholeAsset(toAsset(asset)),
      ...(text && { textInPicture: quoted('Recognised in the picture.', text, mostText) }),
      ...places,
      fits: fits.map(({ target, verdict, reasons }) => ({
        target,
        verdict,
        reasons: reasons.slice(0, 3).map((reason) => clipped(reason, 120)),
      })),
    }
    return {
      answer: within(budget, answer, Object.values(places)),
      pictures: picture ? [picture] : [],
    }
  },
})
