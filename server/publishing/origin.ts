import type { Provenance } from '../../contract/assets.ts'
import { type FileEvidence, saysOf } from '../../contract/evidence.ts'
import type { Origin } from './target.ts'

/** How a file came about: generated if it says so itself, whatever people say; else as they say, or as it says. */
export function originOf(said: Provenance, evidence: FileEvidence | null): Origin | null {
  const own = evidence && saysOf(evidence)
  if (own === 'generated') return own
  return said === 'unknown' ? own : said
}
