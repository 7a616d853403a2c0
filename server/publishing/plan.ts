import type { FitReason } from '../../contract/fit-reasons.ts'
import { isFilm } from '../../contract/media-types.ts'
import { type Ratio, ratios } from '../../contract/ratios.ts'
import { keptOf } from './crop.ts'
import { fitTo } from './fit.ts'
import type { Target } from './target.ts'
import { type AssetFacts, because } from './verdict.ts'

/**
 * The one ratio for all of a set, where the target gives all of them the first one's: the one that suits most of them,
 * of these the one that takes least from the one that loses most, then the one that keeps most in all. Null where each
 * may have its own.
 */
export function ratioForAll(assets: AssetFacts[], target: Target): Ratio | null {
  if (!target.set?.oneRatio || assets.length < 2) return null
  const scored = ratios.map((ratio) => ({ ratio, score: scoreOf(assets, target, ratio) }))
  return scored.reduce((best, one) => (isHigher(one.score, best.score) ? one : best)).ratio
}

function scoreOf(assets: AssetFacts[], target: Target, ratio: Ratio): number[] {
  const fitting = assets.filter((asset) => fitTo(asset, target, { ratio }).fits !== 'refused')
  const kept = fitting.map((asset) => keptShare(asset, ratio))
  return [fitting.length, Math.min(1, ...kept), kept.reduce((sum, share) => sum + share, 0)]
}

const isHigher = (one: number[], other: number[]) => {
  const at = one.findIndex((value, place) => Math.abs(value - other[place]!) > 1e-6)
  return at >= 0 && one[at]! > other[at]!
}

/** How much of what matters stays: all of it where a person chose. */
function keptShare(asset: AssetFacts, ratio: Ratio): number {
  const { cut, by } = keptOf(asset, undefined, ratio)
  return by === 'focal-point' ? (cut.width * cut.height) / (asset.width * asset.height) : 1
}

/** What is wrong with a set as a whole. */
export function whyNotTogether(count: number, { name, set }: Target): FitReason[] {
  if (!set || count <= set.most) return []
  const detail = `${name} takes up to ${set.most} in one post; these are ${count}.`
  return [because('too-many-pictures', detail, { target: name, limit: set.most, value: count })]
}

/** Why an asset cannot be among others. */
export const whyNotAmong = (mimeType: string, count: number, { name, set }: Target): FitReason[] =>
  count > 1 && isFilm(mimeType) && set && !set.films
    ? [because('film-among-pictures', `${name} takes a film alone, not among others.`, { target: name })]
    : []
