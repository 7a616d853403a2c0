import type { Provenance } from '../../contract/assets.ts'
import type { Limits } from '../../contract/duplicates.ts'
import type { Surface } from '../../contract/words.ts'
import type { AssetRow } from '../assets/asset.ts'
import { contradiction } from '../assets/contradiction.ts'
import { Problem } from '../problems.ts'

/** The strictest of what limits any of them, as far as the one that is kept is not limited so already. */
export function limitsTaken(kept: AssetRow, going: AssetRow[]): Partial<Limits> {
  const all = [kept, ...going]
  const own = limitsOf(kept)
  const allowedSurfaces = commonSurfaces(all)
  const rightsExpireAt = firstEnd(all)
  const provenance = strictest.find((origin) => all.some((row) => row.provenance === origin))!
  return {
    ...(allowedSurfaces.length !== own.allowedSurfaces.length && { allowedSurfaces }),
    ...(rightsExpireAt !== own.rightsExpireAt && { rightsExpireAt }),
    ...(provenance !== own.provenance && !contradiction(kept.evidence, provenance) && { provenance }),
  }
}

export const limitsOf = (row: AssetRow): Limits => ({
  allowedSurfaces: row.allowed_surfaces as Surface[],
  rightsExpireAt: row.rights_expire_at?.toISOString() ?? null,
  provenance: row.provenance,
})

/** What fewer targets take comes first. */
const strictest: Provenance[] = ['generated', 'stock', 'camera', 'unknown']

function commonSurfaces(all: AssetRow[]): Surface[] {
  const [first, ...others] = all.filter((row) => row.allowed_surfaces.length > 0)
  let common = first?.allowed_surfaces ?? []
  for (const other of others) {
    common = common.filter((surface) => other.allowed_surfaces.includes(surface))
    // None would mean everywhere.
    if (common.length === 0) throw noSurfaceInCommon(first!, other)
  }
  return common as Surface[]
}

function firstEnd(all: AssetRow[]): string | null {
  const ends = all.flatMap((row) => row.rights_expire_at?.getTime() ?? [])
  return ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null
}

const noSurfaceInCommon = ({ title }: AssetRow, { title: name }: AssetRow) =>
  new Problem(
    'no-surface-in-common',
    `No surface is left on which what is kept may be used: “${title}” and “${name}” are limited to different ones. Change that first, or leave one of them out.`,
    { extra: { params: { title, name } } },
  )
