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
  why: string[]
}

/** How good a choice it is, from 0 to 100, and why. */
export function rank(
  candidate: Candidate,
  wanted: { ratio?: Ratio | undefined; words: number },
  now: Date,
): Ranked {
  const told: [keyof typeof weights, number, string][] = []
  if (wanted.words > 0) {
    const { wordShare, namedShare } = candidate
    told.push(['words', 0.6 * wordShare + 0.4 * namedShare, sayWords(wordShare, namedShare)])
  }
  const { width, height, approval, rightsExpireAt, lastUsedAt } = candidate
  if (wanted.ratio && width && height) {
    const kept = keptShare(width / height, ratioValue(wanted.ratio))
    told.push(['shape', kept, `${Math.round(kept * 100)} % of it is kept at ${wanted.ratio}`])
  }
  const idleDays = lastUsedAt && (now.getTime() - lastUsedAt.getTime()) / day
  told.push([
    'unused',
    idleDays === null ? 1 : 0.8 * Math.min(1, idleDays / freshAfterDays),
    sayUsed(idleDays),
  ])
  told.push([
    'approval',
    approvalValue[approval] ?? 0.5,
    approval === 'none' ? 'nobody was asked to approve it' : `approval: ${approval}`,
  ])
  if (width && height) {
    const shortSide = Math.min(width, height)
    told.push(['resolution', Math.min(1, shortSide / enoughPixels), `${width} × ${height} pixels`])
  }
  if (rightsExpireAt) {
    const leftDays = Math.max(0, (rightsExpireAt.getTime() - now.getTime()) / day)
    told.push([
      'rights',
      Math.min(1, leftDays / rightsSafeDays),
      `rights end on ${rightsExpireAt.toISOString().slice(0, 10)}`,
    ])
  } else told.push(['rights', 1, 'rights do not end'])
  const most = told.reduce((sum, [name]) => sum + weights[name], 0)
  const score = told.reduce((sum, [name, value]) => sum + weights[name] * value, 0)
  return { score: Math.round((100 * score) / most), why: told.map(([, , text]) => text) }
}

const approvalValue: Record<string, number> = { approved: 1, none: 0.6, pending: 0.4, 'changes-requested': 0 }

const keptShare = (is: number, wanted: number) => Math.min(is / wanted, wanted / is)

const sayWords = (share: number, named: number) =>
  share === 0
    ? 'has none of the words'
    : `has ${Math.round(share * 100)} % of the words${named > 0 ? ', in its title or tags' : ''}`

const sayUsed = (idleDays: number | null) =>
  idleDays === null ? 'not used yet' : `last used ${Math.max(0, Math.round(idleDays))} days ago`
