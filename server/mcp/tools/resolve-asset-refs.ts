import { Type } from 'typebox'
import { AssetRef, Resolve } from '../../../contract/references.ts'
import { Strict } from '../../../contract/words.ts'
import { resolve } from '../../references/answers.ts'
import { libraryFor } from '../agent.ts'
import { briefUse, clipped, quotedReview } from '../brief.ts'
import { ClientId, tool } from '../tool.ts'

const mostPlaces = 10

export const resolveAssetRefs = tool({
  name: 'resolve_asset_refs',
  title: 'Resolve asset refs',
  description:
    'Checks whether assets may be used on a surface and fit a target, before you use them. For each ref, in order: what would be sent, or a refusal with code, detail and fix.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  budget: 12_000,
  input: Strict({
    clientId: ClientId,
    ...Resolve.properties,
    assetRefs: Type.Array(AssetRef, { minItems: 1, maxItems: 20 }),
  }),
  async run(agent, { clientId, ...input }) {
    const { post, results } = await resolve(await libraryFor(agent, clientId), input)
    return {
      answer: {
        ...(post && { post }),
        results: results.map((result) => inShort(result, Math.floor(mostPlaces / results.length))),
      },
    }
  },
})

type Result = Awaited<ReturnType<typeof resolve>>['results'][number]

function inShort(result: Result, places: number) {
  if (result.ok) {
    const { asset, assetRef: _, reasons, disclosureRules, ...rest } = result
    return {
      ...rest,
      ...(disclosureRules.length > 0 && { disclosureRules: disclosureRules.map(({ rule }) => rule) }),
      title: clipped(asset.title, 100),
      altText: clipped(asset.altText),
      reasons: reasons.slice(0, 3).map((reason) => clipped(reason, 120)),
    }
  }
  const { detail, fix, reviewNote, uses, deliveries, ...rest } = result
  return {
    ...rest,
    detail: clipped(detail, 300),
    fix: clipped(fix, 300),
    ...(reviewNote && { reviewNote: quotedReview(reviewNote) }),
    ...(uses && { uses: uses.slice(0, places).map(briefUse) }),
    ...(deliveries && { deliveries: deliveries.slice(0, places) }),
  }
}
