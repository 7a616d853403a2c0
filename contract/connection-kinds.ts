import { type Static, type TSchema, Type } from 'typebox'
import { BaseUrl, HttpUrl } from './http-url.ts'
import type { SignInProvider } from './sign-in.ts'
import { Strict, type Surface } from './words.ts'

/** As a header can carry it. */
export const AccessToken = Type.String({ maxLength: 4000, pattern: '^[!-~]+$', format: 'password' })

/** How long what a post says may be, or must be. */
export interface PostRules {
  text: { min: number; max: number }
}

const OwnerUrn = Type.String({
  pattern: '^urn:li:(organization|person):[A-Za-z0-9_-]{1,60}$',
  maxLength: 100,
})
const AccountNumber = Type.String({ pattern: '^[0-9]{1,40}$', maxLength: 40 })

/**
 * What each kind of connection asks for, on which surfaces its files are shown, and whose rules they must fit. Settings
 * are shown again; secrets never are. Where there is a provider, people sign in with it, or paste a token. Where there
 * are rules for a post, it is published at once, with what it says.
 */
export const connectionKinds = {
  wordpress: {
    surfaces: ['website'],
    rules: 'wordpress',
    provider: undefined,
    settings: Strict({ siteUrl: BaseUrl }),
    secrets: Strict({
      // As RFC 7617 has them.
      username: Type.String({ maxLength: 200, pattern: '^[^:\\p{Cc}]+$' }),
      applicationPassword: Type.String({ maxLength: 4000, pattern: '^\\P{Cc}+$', format: 'password' }),
    }),
  },
  webhook: {
    surfaces: ['website', 'social', 'gbp'],
    rules: undefined,
    provider: undefined,
    settings: Strict({
      url: HttpUrl,
      honoursIdempotencyKey: Type.Optional(
        Type.Boolean({
          description:
            'The receiver makes one thing of all requests with one Idempotency-Key, so a lost answer is asked for again.',
        }),
      ),
      asJson: Type.Optional(
        Type.Boolean({
          description:
            'One JSON text with the file in base64 as `data.file`, which any Standard Webhooks library verifies as it comes. Otherwise multipart/form-data of `message` and `file`, with a signature of the message and one of the whole body.',
        }),
      ),
    }),
    secrets: Strict({
      signingSecret: Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
        maxLength: 200,
        format: 'password',
        description: 'whsec_ and the key in base64, at least 24 bytes.',
      }),
    }),
  },
  gbp: {
    surfaces: ['gbp'],
    rules: 'google-business-profile-gallery',
    provider: 'google',
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      category: Type.Optional(
        Type.Enum(['ADDITIONAL', 'EXTERIOR', 'INTERIOR', 'PRODUCT', 'AT_WORK', 'FOOD_AND_DRINK', 'TEAMS']),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  linkedin: {
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 3,000 characters: learn.microsoft.com/linkedin, Posts API, 2026-11-15.
  'linkedin-posts': {
    surfaces: ['social'],
    rules: 'linkedin',
    provider: 'linkedin',
    post: { text: { min: 1, max: 3000 } },
    settings: Strict({ ownerUrn: OwnerUrn, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Updates have up to 1,500 characters: support.google.com/business, “Create posts”, 2026-11-15.
  'gbp-posts': {
    surfaces: ['gbp'],
    rules: 'google-business-profile-posts',
    provider: 'google',
    post: { text: { min: 1, max: 1500 } },
    settings: Strict({
      accountId: AccountNumber,
      locationId: AccountNumber,
      languageCode: Type.Optional(
        Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' }),
      ),
      baseUrl: Type.Optional(BaseUrl),
    }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Posts have up to 63,206 characters: developers.facebook.com/docs/pages-api/posts, 2026-11-15.
  'facebook-page': {
    surfaces: ['social'],
    rules: 'facebook-page',
    provider: 'meta',
    post: { text: { min: 0, max: 63_206 } },
    settings: Strict({ pageId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
  // Captions have up to 2,200 characters: developers.facebook.com/docs/instagram-platform, IG User Media, 2026-11-15.
  instagram: {
    surfaces: ['social'],
    rules: 'instagram',
    provider: 'meta',
    post: { text: { min: 0, max: 2200 } },
    settings: Strict({ userId: AccountNumber, baseUrl: Type.Optional(BaseUrl) }),
    secrets: Strict({ accessToken: AccessToken }),
  },
} as const satisfies Record<
  string,
  {
    surfaces: readonly Surface[]
    rules: string | undefined
    post?: PostRules
    provider: SignInProvider | undefined
    settings: TSchema
    secrets: TSchema
  }
>

export type ConnectionKind = keyof typeof connectionKinds
/** The rules for a post, where a delivery to this kind of connection is one. */
export const postRules = (kind: ConnectionKind): PostRules | undefined =>
  (connectionKinds[kind] as { post?: PostRules }).post
export const connectionKindNames = Object.keys(connectionKinds) as ConnectionKind[]
export type ConnectionSettings<Kind extends ConnectionKind> = Static<
  (typeof connectionKinds)[Kind]['settings']
>
export type ConnectionSecrets<Kind extends ConnectionKind> = Static<(typeof connectionKinds)[Kind]['secrets']>
/** Kinds that are signed in to. */
export type SignInKind = {
  [Kind in ConnectionKind]: (typeof connectionKinds)[Kind]['provider'] extends string ? Kind : never
}[ConnectionKind]
