import type { Surface } from '../../contract/words.ts'
import { pinnedRef } from '../assets/ref.ts'
import { type Files, type Payload, TargetFault } from '../connections/targets/target.ts'
import type { DeliveryRow } from '../ledger/ledger.ts'
import type { Library } from '../library.ts'
import { madeBy } from '../publishing/disclosure.ts'
import { type Purpose, renditionOf, resolveRef } from '../references/resolve.ts'
import { grantToDelivery } from './pull-grants.ts'

/** The files of a delivery, as they leave: one, or all that a post shows in their order. */
export async function filesOf(
  library: Library,
  publicUrl: string,
  delivery: DeliveryRow,
  rules: string | undefined,
): Promise<Files> {
  const { asset_id, version, surface, recipe, more } = delivery
  const files: Payload[] = []
  for (const each of [{ assetRef: pinnedRef(asset_id, version), recipe }, ...more]) {
    const promised = each.recipe as Purpose['promised']
    const purpose = { surface: surface as Surface, target: rules, promised }
    // Asked anew: it may have been trashed, or its rights may have ended, since it was queued.
    const resolved = await resolveRef(library, each.assetRef, purpose)
    if (!resolved.ok)
      throw new TargetFault('refused', 'asset-not-usable', `${resolved.detail} ${resolved.fix}`, {
        refusal: resolved.code,
      })
    const file = await renditionOf(library, resolved)
    files.push({
      sizeBytes: file.sizeBytes,
      mimeType: file.mimeType,
      altText: resolved.asset.alt_text,
      isMadeByAi:
        madeBy({ provenance: resolved.asset.provenance, evidence: resolved.version.evidence }) === 'ai',
      open: (range) => file.open(range),
      address: () => grantToDelivery(library, publicUrl, delivery, resolved, file),
    })
  }
  return files as Files
}
