import type { Provenance } from '../../contract/assets.ts'
import { type FileEvidence, isSignedGenerated } from '../../contract/evidence.ts'
import { Problem } from '../problems.ts'

/** Nobody says “camera” of what is signed as generated. Marks that anybody can write are only shown beside what is said. */
export function refuseContradiction(evidence: FileEvidence | null, said: Provenance | undefined): void {
  if (said !== 'camera' || !evidence || !isSignedGenerated(evidence)) return
  const { digitalSourceType } = evidence.c2pa!
  throw new Problem(
    'provenance-contradicted',
    `The file is signed as ${digitalSourceType}, and nobody has changed it since: it cannot be said to come from a camera. Leave provenance out, or say generated.`,
  )
}
