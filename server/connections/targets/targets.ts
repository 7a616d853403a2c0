import type { ConnectionKind, ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { googleBusinessProfile } from './google-business-profile.ts'
import { linkedin } from './linkedin.ts'
import type { DeliveryTarget } from './target.ts'
import { webhook } from './webhook.ts'
import { wordpress } from './wordpress.ts'

const makers: {
  [Kind in ConnectionKind]: (
    outbound: Outbound,
    settings: ConnectionSettings<Kind>,
    secrets: ConnectionSecrets<Kind>,
  ) => DeliveryTarget
} = { wordpress, webhook, gbp: googleBusinessProfile, linkedin }

export const makeTarget = <Kind extends ConnectionKind>(
  kind: Kind,
  outbound: Outbound,
  settings: ConnectionSettings<Kind>,
  secrets: ConnectionSecrets<Kind>,
): DeliveryTarget => makers[kind](outbound, settings, secrets)

/** Whose rules a file must fit before it goes to a connection of this kind. */
export const rulesOf: Record<ConnectionKind, string | undefined> = {
  wordpress: 'wordpress',
  webhook: undefined,
  gbp: 'google-business-profile-gallery',
  linkedin: 'linkedin',
}
