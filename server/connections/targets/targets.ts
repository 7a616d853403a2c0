import type {
  ConnectionKind,
  ConnectionSecrets,
  ConnectionSettings,
  SignInKind,
} from '../../../contract/connection-kinds.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Credentials } from './credentials.ts'
import { facebookIds, facebookPage } from './facebook-page.ts'
import { googleBusinessProfile, googleIds } from './google-business-profile.ts'
import { googlePostIds, googlePosts } from './google-posts.ts'
import { instagram, instagramIds } from './instagram.ts'
import { linkedin, linkedinIds } from './linkedin.ts'
import { linkedinPostIds, linkedinPosts } from './linkedin-posts.ts'
import type { DeliveryTarget } from './target.ts'
import { webhook, webhookIds } from './webhook.ts'
import { wordpress, wordpressIds } from './wordpress.ts'

/** What opens the account. */
export type Login<Kind extends ConnectionKind> = Kind extends SignInKind
  ? Credentials
  : ConnectionSecrets<Kind>

interface TargetKind<Kind extends ConnectionKind> {
  make(outbound: Outbound, settings: ConnectionSettings<Kind>, login: Login<Kind>): DeliveryTarget
  /** What the ids of its items look like. */
  ids(settings: ConnectionSettings<Kind>): RegExp
  /** Whose pages its items are seen on, where these are not at the address that is called. */
  site?: string
}

const kinds: { [Kind in ConnectionKind]: TargetKind<Kind> } = {
  wordpress: { make: wordpress, ids: wordpressIds },
  webhook: { make: webhook, ids: webhookIds },
  gbp: { make: googleBusinessProfile, ids: googleIds, site: 'google.com' },
  'gbp-posts': { make: googlePosts, ids: googlePostIds, site: 'google.com' },
  linkedin: { make: linkedin, ids: linkedinIds, site: 'linkedin.com' },
  'linkedin-posts': { make: linkedinPosts, ids: linkedinPostIds, site: 'linkedin.com' },
  'facebook-page': { make: facebookPage, ids: facebookIds, site: 'facebook.com' },
  instagram: { make: instagram, ids: instagramIds, site: 'instagram.com' },
}

export const makeTarget = <Kind extends ConnectionKind>(
  kind: Kind,
  outbound: Outbound,
  settings: ConnectionSettings<Kind>,
  login: Login<Kind>,
): DeliveryTarget => kinds[kind].make(outbound, settings, login)

export const idForm = <Kind extends ConnectionKind>(kind: Kind, settings: ConnectionSettings<Kind>): RegExp =>
  kinds[kind].ids(settings)

export const siteOf = (kind: ConnectionKind): string | undefined => kinds[kind].site
