import type { PickCode, PickReason } from '../../contract/picks.ts'
import { type Ratio, ratioValue } from '../../contract/ratios.ts'

/** How much each thing counts when the best of several assets are chosen. */
export const weights = { words: 40, shape: 20, unused: 20, approval: 10, resolution: 6, rights: 4 }

const day = 86_400_000
/** After so long nobody remembers where they saw it. */
const freshAfterDays = 180
/** What every target shows in full. */
const enoughPixels = 1080
const rightsSafeDays = 30

/** What is known of an asset before anything is made of it. */
export interface Candidate {
  /** Which share of the words it has at all, and in its title or tags. */
  wordShare: number
  namedShare: number
  width: number | null
  height: number | null
  approval: string
  rightsExpireAt: Date | null
  lastUsedAt: Date | null
}

export interface Ranked {
  score: number
  why: PickReason[]
}

/** What is said of one thing: how good it is, from 0 to 1, and why. */
type Said = [weight: keyof typeof weights, value: number, code: PickCode, detail: string]

/** How good a choice it is, from 0 to 100, and why. */
export function rank(
  candidate: Candidate,
  wanted: { ratio?: Ratio | undefined; words: number },
  now: Date,
): Ranked {
  const said = [
    ...(wanted.words > 0 ? [ofWords(candidate)] : []),
    ...(wanted.ratio ? ofShape(candidate, wanted.ratio) : []),
    ofUse(candidate, now),
    ofApproval(candidate),
    ...ofResolution(candidate),
    ofRights(candidate, now),
  ]
  // What cannot be said of it, or was not asked for, leaves more to the rest.
  const share = 100 / said.reduce((sum, [name]) => sum + weights[name], 0)
  const points = (name: keyof typeof weights, value: number) => weights[name] * value * share
  return {
    score: Math.round(said.reduce((sum, [name, value]) => sum + points(name, value), 0)),
    why: said.map(([name, value, code, detail]) => ({
      code,
      detail,
      points: tenth(points(name, value)),
      of: tenth(points(name, 1)),
    })),
  }
}

function ofWords({ wordShare, namedShare }: Candidate): Said {
  const value = 0.6 * wordShare + 0.4 * namedShare
  if (wordShare === 0) return ['words', value, 'no-words', 'has none of the words']
  const where = namedShare > 0 ? ', in its title or tags' : ''
  const code = wordShare === 1 ? 'all-words' : 'some-words'
  return ['words', value, code, `has ${percent(wordShare)} of the words${where}`]
}

function ofShape({ width, height }: Candidate, ratio: Ratio): Said[] {
  if (!width || !height) return []
  const kept = keptShare(width / height, ratioValue(ratio))
  const code = kept > 0.99 ? 'whole-shape' : 'cropped-shape'
  return [['shape', kept, code, `${percent(kept)} of it is kept at ${ratio}`]]
}

function ofUse({ lastUsedAt }: Candidate, now: Date): Said {
  if (!lastUsedAt) return ['unused', 1, 'not-used', 'not used yet']
  const idleDays = Math.max(0, (now.getTime() - lastUsedAt.getTime()) / day)
  const value = 0.8 * Math.min(1, idleDays / freshAfterDays)
  return ['unused', value, 'used-before', `last used ${days(Math.round(idleDays))}`]
}

const ofApproval = ({ approval }: Candidate): Said => [
  'approval',
  ...(approvals[approval] ?? approvals.none!),
]

const approvals: Record<string, [number, PickCode, string]> = {
  approved: [1, 'approved', 'it is approved'],
  none: [0.6, 'approval-none', 'nobody was asked to approve it'],
  pending: [0.4, 'approval-pending', 'its approval is still awaited'],
  'changes-requested': [0, 'changes-requested', 'changes were asked for'],
}

function ofResolution({ width, height }: Candidate): Said[] {
  if (!width || !height) return []
  const value = Math.min(1, Math.min(width, height) / enoughPixels)
  const code = value === 1 ? 'enough-pixels' : 'few-pixels'
  return [['resolution', value, code, `${width} × ${height} pixels`]]
}

function ofRights({ rightsExpireAt }: Candidate, now: Date): Said {
  if (!rightsExpireAt) return ['rights', 1, 'rights-do-not-end', 'its rights do not end']
  const leftDays = Math.max(0, (rightsExpireAt.getTime() - now.getTime()) / day)
  const until = rightsExpireAt.toISOString().slice(0, 10)
  return ['rights', Math.min(1, leftDays / rightsSafeDays), 'rights-end', `its rights end on ${until}`]
}

const keptShare = (is: number, wanted: number) => Math.min(is / wanted, wanted / is)
const percent = (share: number) => `${Math.round(share * 100)} %`
const days = (count: number) => (count === 0 ? 'today' : count === 1 ? 'yesterday' : `${count} days ago`)
const tenth = (value: number) => Math.round(value * 10) / 10
