import type { FitReason } from '../../contract/fit-reasons.ts'
import type { Ratio } from '../../contract/ratios.ts'
import type { Library } from '../library.ts'
import { factsOf } from '../previews/fits.ts'
import { ratioForAll, whyNotAmong, whyNotTogether } from '../publishing/plan.ts'
import type { Target } from '../publishing/target.ts'
import {
  findRefs,
  type Purpose,
  type Refusal,
  type Resolved,
  resolveRefs,
  targetFor,
  targetRefusal,
} from './resolve.ts'

export interface SetPlan {
  target: Target
  /** The one for all; null where each has its own. */
  ratio: Ratio | null
  /** What is wrong with the set as a whole. */
  why: FitReason[]
  /** In the order asked. */
  pictures: (Resolved | Refusal)[]
}

export const isWhole = ({ why, pictures }: SetPlan): boolean =>
  why.length === 0 && pictures.every(({ ok }) => ok)

/**
 * Several assets as one post of a target: in one ratio, where it crops all of them to that of the first. Each is
 * cropped by what a person chose for the ratio, or else by its focal point; those that do not fit say why.
 */
export async function planSet(library: Library, assetRefs: string[], purpose: Purpose): Promise<SetPlan> {
  const target = targetFor(purpose.surface, purpose.target)
  const found = await findRefs(library.db, library, assetRefs)
  const facts = assetRefs.flatMap((assetRef) => {
    const { asset, version } = found.get(assetRef) ?? {}
    return asset && version ? [factsOf(version, asset)] : []
  })
  const ratio = purpose.ratio ?? ratioForAll(facts, target)
  const resolved = await resolveRefs(library, assetRefs, { ...purpose, ratio: ratio ?? undefined })
  return {
    target,
    ratio,
    why: whyNotTogether(assetRefs.length, target),
    pictures: resolved.map((result) => {
      const why = result.ok ? whyNotAmong(result.version.mime_type, assetRefs.length, target) : []
      return why.length > 0 ? targetRefusal(why) : result
    }),
  }
}

/** The same assets, each by itself. */
export async function planEach(library: Library, assetRefs: string[], purpose: Purpose): Promise<SetPlan> {
  return {
    target: targetFor(purpose.surface, purpose.target),
    ratio: purpose.ratio ?? null,
    why: [],
    pictures: await resolveRefs(library, assetRefs, purpose),
  }
}
