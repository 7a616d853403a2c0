import type { Config } from '../../server/config.ts'
import type { Finding } from './finding.ts'

const daysAhead = 60

/** Whether the versions of the vendors' APIs that are asked for still have some time. */
export const vendors = async ({ apiVersions }: Config): Promise<Finding[]> =>
  Object.entries(apiVersions).map(([part, { version, ends }]) => {
    if (!ends) return { part, ok: true, says: `API version ${version}; its end is not set` }
    const daysLeft = (Date.parse(ends) - Date.now()) / 86_400_000
    const setting = `${part.toUpperCase()}_API_VERSION`
    const fix = `Read the vendor’s notes, then set ${setting} to a later version and the day that one ends.`
    if (daysLeft > daysAhead) return { part, ok: true, says: `API version ${version}, until ${ends}` }
    return {
      part,
      ok: false,
      says: `API version ${version} ${daysLeft > 0 ? 'ends' : 'ended'} on ${ends}. ${fix}`,
    }
  })
