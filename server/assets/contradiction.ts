import type { Provenance } from '../../contract/assets.ts'
import { type FileEvidence, isSignedGenerated } from '../../contract/evidence.ts'
import { Problem } from '../problems.ts'

/** Nobody says “camera” of what is signed as generated. Marks that anybody can write are only shown beside what is said. */
export function refuseContradiction(evidence: FileEvidence | null, said: Provenance | undefined): void {
  const problem = contradiction(evidence, said)
  if (problem) throw problem
}

export function contradiction(
  evidence: FileEvidence | null,
  said: Provenance | undefined,
): Problem | undefined {
  if (said !== 'camera' || !evidence || !isSignedGenerated(evidence)) return undefined
  const { digitalSourceType } = evidence.c2pa!
  return new Problem(
    'provenance-contradicted',
    `The file is signed as ${digitalSourceType}, and nobody has changed it since: it cannot be said to come from a camera. Leave provenance out, or say generated.`,
  )
}
