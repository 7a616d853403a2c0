import type {
  ConnectionKind,
  ConnectionSecrets,
  ConnectionSettings,
  SignInKind,
} from '../../../contract/deliveries.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Access } from './access.ts'
import { googleBusinessProfile, googleIds } from './google-business-profile.ts'
import { linkedin, linkedinIds } from './linkedin.ts'
import type { DeliveryTarget } from './target.ts'
import { webhook, webhookIds } from './webhook.ts'
import { wordpress, wordpressIds } from './wordpress.ts'

/** What opens the account. */
export type Login<Kind extends ConnectionKind> = Kind extends SignInKind ? Access : ConnectionSecrets<Kind>

interface TargetKind<Kind extends ConnectionKind> {
  make(outbound: Outbound, settings: ConnectionSettings<Kind>, login: Login<Kind>): DeliveryTarget
  /** What the ids of its items look like. */
  ids(settings: ConnectionSettings<Kind>): RegExp
}

const kinds: { [Kind in ConnectionKind]: TargetKind<Kind> } = {
  wordpress: { make: wordpress, ids: wordpressIds },
  webhook: { make: webhook, ids: webhookIds },
  gbp: { make: googleBusinessProfile, ids: googleIds },
  linkedin: { make: linkedin, ids: linkedinIds },
}

export const makeTarget = <Kind extends ConnectionKind>(
  kind: Kind,
  outbound: Outbound,
  settings: ConnectionSettings<Kind>,
  login: Login<Kind>,
): DeliveryTarget => kinds[kind].make(outbound, settings, login)

export const idForm = <Kind extends ConnectionKind>(kind: Kind, settings: ConnectionSettings<Kind>): RegExp =>
  kinds[kind].ids(settings)
