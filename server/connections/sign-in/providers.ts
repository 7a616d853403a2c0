import type { ConnectionKind } from '../../../contract/connection-kinds.ts'
import type { Answerer } from '../../../contract/outbound-reasons.ts'
import type { SignInProvider } from '../../../contract/sign-in.ts'

/** How a vendor lets people sign in, where vendors differ. All read on 2026-11-15. */
export interface Provider {
  /** As it is called in a sentence. */
  name: string
  answerer: Answerer
  /** What it is asked to allow. */
  scopes(kind: ConnectionKind, settings: Record<string, unknown>): string[]
  /** What else its authorization page has to be told. */
  parameters: Record<string, string>
  /** Whether it takes a proof of who began (RFC 7636). */
  provesKey: boolean
}

export const providers: Record<SignInProvider, Provider> = {
  /**
   * An access token lives an hour; a refresh token comes with the first consent only, so consent is asked for each time.
   * It ends when it is revoked, after six months without use, and after seven days while the app is in testing
   * (developers.google.com/identity/protocols/oauth2/web-server).
   */
  google: {
    name: 'Google',
    answerer: 'gbp',
    scopes: () => ['https://www.googleapis.com/auth/business.manage'],
    parameters: { access_type: 'offline', prompt: 'consent' },
    provesKey: true,
  },
  /**
   * An access token lives sixty days. Refresh tokens are for approved partners: a year, counted from the sign-in
   * (learn.microsoft.com/linkedin/shared/authentication/programmatic-refresh-tokens). Apps with a secret that send a
   * code_verifier are answered invalid_client; only native apps may (…/authorization-code-flow-native).
   */
  linkedin: {
    name: 'LinkedIn',
    answerer: 'linkedin',
    scopes: (_kind, { ownerUrn }) =>
      String(ownerUrn).startsWith('urn:li:organization:')
        ? ['openid', 'profile', 'w_organization_social', 'r_organization_social']
        : ['openid', 'profile', 'w_member_social'],
    parameters: {},
    provesKey: false,
  },
  /**
   * There are no refresh tokens. A token of hours is exchanged for one of sixty days, and that one for the token of a page,
   * which has no end of its own but ends with the person's password or role there
   * (developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived). It takes a proof of the key, “still in testing”
   * (…/facebook-login/guides/advanced/oidc-token).
   */
  meta: {
    name: 'Meta',
    answerer: 'meta',
    scopes: (kind) =>
      String(kind).startsWith('instagram')
        ? ['pages_show_list', 'pages_read_engagement', 'instagram_basic', 'instagram_content_publish']
        : ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
    parameters: {},
    provesKey: true,
  },
}
