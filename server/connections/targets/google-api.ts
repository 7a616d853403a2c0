import type { Outbound, OutboundRequest } from '../../outbound/outbound.ts'
import { authorized, type Credentials } from './credentials.ts'
import { path, withoutSlash } from './path.ts'

/** One location of a business profile, as Google's API has it. */
export function googleLocation(
  outbound: Outbound,
  credentials: Credentials,
  {
    accountId,
    locationId,
    baseUrl = 'https://mybusiness.googleapis.com',
  }: { accountId: string; locationId: string; baseUrl?: string },
) {
  const google = authorized('gbp', outbound, credentials)
  const ask = (method: OutboundRequest['method'], path: string, more: Partial<OutboundRequest> = {}) =>
    google.send({ method, url: `${withoutSlash(baseUrl)}${path}`, totalSeconds: 60, ...more })
  const post = (path: string, body: object) =>
    ask('POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  return { place: path`/v4/accounts/${accountId}/locations/${locationId}`, ask, post }
}

/** When something that is made now may be said to have been made: its clock and ours differ. */
export const madeSince = () => new Date(Date.now() - 120_000).toISOString()
