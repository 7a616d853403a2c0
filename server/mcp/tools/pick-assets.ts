import { Type } from 'typebox'
import { PickQuery } from '../../../contract/picks.ts'
import { Strict } from '../../../contract/words.ts'
import { pickAssets } from '../../references/pick.ts'
import { libraryFor } from '../agent.ts'
import { briefAsset } from '../brief.ts'
import { pickerUri } from '../picker-app.ts'
import { costOf, pictureWithin } from '../pictures.ts'
import { ClientId, type Picture, tool } from '../tool.ts'

const budget = 6000
const mostTogether = 25_000

export const pickAssetsTool = tool({
  name: 'pick_assets',
  title: 'Pick the best assets',
  description:
    'Chooses the best assets for a purpose, e.g. “an unused 4:5 photo for social about the terrace”: q “terrace”, surface social, ratio 4:5, unused true. Only what may be used there now, ranked by words, shape, least recently used, approval, resolution and rights; each with a score, why, and, for the first ones, a picture in the same order.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  ui: pickerUri,
  budget,
  input: Strict({
    clientId: ClientId,
    ...PickQuery.properties,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 5 })),
  }),
  async run(agent, { clientId, limit = 5, ...wish }) {
    const library = await libraryFor(agent, clientId)
    const picks = await pickAssets(library, { ...wish, limit })
    const pictures: Picture[] = []
    let left = mostTogether - budget
    for (const { asset } of picks) {
      const picture = await pictureWithin(library, asset.assetId, { size: 'thumb' }, left).catch(
        () => undefined,
      )
      if (!picture) break
      pictures.push(picture)
      left -= costOf(picture.bytes)
    }
    return {
      answer: {
        picks: picks.map(({ asset, pinnedRef, score, why }) => ({
          ...briefAsset(asset),
          pinnedRef,
          score,
          why: why.map(({ detail }) => detail),
        })),
        pictures: pictures.length,
      },
      pictures,
    }
  },
})
