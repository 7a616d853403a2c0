import type { ConnectionKind, ConnectionSecrets, ConnectionSettings } from '../../../contract/deliveries.ts'
import type { Outbound } from '../../outbound.ts'
import { googleBusinessProfile, googleIds } from './google-business-profile.ts'
import { linkedin, linkedinIds } from './linkedin.ts'
import { type DeliveryTarget, Unreadable } from './target.ts'
import { webhook, webhookIds } from './webhook.ts'
import { wordpress, wordpressIds } from './wordpress.ts'

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

const idForms: { [Kind in ConnectionKind]: (settings: ConnectionSettings<Kind>) => RegExp } = {
  wordpress: wordpressIds,
  webhook: webhookIds,
  gbp: googleIds,
  linkedin: linkedinIds,
}

interface Account {
  kind: ConnectionKind
  settings: object
}

/** Whether this is what an id of this account's items looks like. */
export const isRemoteId = ({ kind, settings }: Account, id: string): boolean =>
  idForms[kind](settings as never).test(id)

/** An id that goes out to the account: whether the account, a person or the ledger gave it, it has the right form. */
export function checkedId(account: Account, id: string): string {
  if (isRemoteId(account, id)) return id
  throw new Unreadable('The other system')
}

/** Whose rules a file must fit before it goes to a connection of this kind. */
export const rulesOf: Record<ConnectionKind, string | undefined> = {
  wordpress: 'wordpress',
  webhook: undefined,
  gbp: 'google-business-profile-gallery',
  linkedin: 'linkedin',
}
