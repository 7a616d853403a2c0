import type { DuplicateGroup } from '../../contract/duplicates.ts'

/** What looks like two that do not look like each other is in the groups of both: it shows in the first. */
export function eachOnce(groups: DuplicateGroup[]): DuplicateGroup[] {
  const shown = new Set<string>()
  return groups.flatMap((group) => {
    const duplicates = group.duplicates.filter(({ asset }) => !shown.has(asset.assetId))
    if (duplicates.length < 2) return []
    for (const { asset } of duplicates) shown.add(asset.assetId)
    return [{ ...group, duplicates }]
  })
}
