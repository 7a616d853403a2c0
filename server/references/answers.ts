import { isFilm } from '../../contract/media-types.ts'
import { asArea, type Ratio } from '../../contract/ratios.ts'
import type { Resolved as Answer, Plan, PlanRequest, Resolve } from '../../contract/references.ts'
import { toAsset } from '../assets/asset.ts'
import { noteLooks } from '../assets/looks.ts'
import type { Library } from '../library.ts'
import { factsOf } from '../previews/fits.ts'
import { keptOf } from '../publishing/crop.ts'
import { disclosureOf } from '../publishing/disclosure.ts'
import type { Target } from '../publishing/target.ts'
import { isWhole, planEach, planSet, type SetPlan } from './plan.ts'
import { type Refusal, type Resolved, resolveRefs, sentAs } from './resolve.ts'

/** What each ref stands for, in order; as one post if asked, where all of them may have to be of one ratio. */
export async function resolve(library: Library, input: Resolve): Promise<Answer> {
  const { assetRefs, asOnePost, ...purpose } = input
  const set = asOnePost ? await planSet(library, assetRefs, purpose) : undefined
  const results = set?.pictures ?? (await resolveRefs(library, assetRefs, purpose))
  await noteLooks(
    library,
    results.flatMap((result) => (result.ok ? [result.asset.id] : [])),
  )
  return {
    ...(set && {
      post: { ok: isWhole(set), ratio: set.ratio, reasons: set.why.map(({ detail }) => detail) },
    }),
    results: await Promise.all(
      results.map(async (result, place) => ({
        assetRef: assetRefs[place]!,
        ...(await asAnswer(library, result)),
      })),
    ),
  }
}

const withoutCodes = ({ why: _, ...refusal }: Refusal) => refusal

async function asAnswer(library: Library, result: Resolved | Refusal) {
  if (!result.ok) return withoutCodes(result)
  const { assetRef, asset, version, target, sending } = result
  return {
    ok: true as const,
    pinnedRef: assetRef,
    asset: toAsset(asset),
    version: version.version,
    target: target.id,
    rendition: await sentAs(library, result),
    reasons: sending.reasons,
    ...disclosureOf(
      { provenance: asset.provenance, evidence: version.evidence, mimeType: version.mime_type },
      target,
    ),
  }
}

export async function plan(
  library: Library,
  { assetRefs, asOnePost = true, ...purpose }: PlanRequest,
): Promise<Plan> {
  const set = await (asOnePost ? planSet : planEach)(library, assetRefs, purpose)
  return {
    target: set.target.id,
    ok: isWhole(set),
    ratio: set.ratio,
    most: set.target.set?.most ?? null,
    why: set.why,
    pictures: await Promise.all(
      set.pictures.map(async (result, place) => ({
        assetRef: assetRefs[place]!,
        ...(result.ok ? await planned(library, result, set) : { ...result, why: result.why ?? [] }),
      })),
    ),
  }
}

async function planned(library: Library, result: Resolved, { target, ratio }: SetPlan) {
  const isCropped = result.sending.fits === 'convert' && !isFilm(result.version.mime_type)
  return {
    ok: true as const,
    pinnedRef: result.assetRef,
    rendition: await sentAs(library, result),
    ...(isCropped ? cropOf(result, target, ratio) : whole),
    why: result.sending.why,
  }
}

const whole = { crop: { x: 0, y: 0, width: 1, height: 1 }, cropBy: 'whole' as const }

function cropOf({ asset, version }: Resolved, { image }: Target, ratio: Ratio | null) {
  const facts = factsOf(version, asset)
  const { cut, by } = keptOf(facts, image.ratio, ratio ?? undefined)
  return { crop: asArea(facts, cut), cropBy: by }
}
