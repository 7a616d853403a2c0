import { type Static, Type } from 'typebox'
import { Nullable, Strict, Timestamp } from './words.ts'

/** Who lets people sign in for a connection, so that nobody has to paste a token. */
export const signInProviders = ['google', 'linkedin', 'meta'] as const
export type SignInProvider = (typeof signInProviders)[number]
const Provider = Type.Enum(signInProviders)

/** One provider as this installation offers it. */
export const SignInOffer = Type.Object({
  provider: Provider,
  ready: Type.Boolean({ description: 'False: the settings in `missing` must be set first.' }),
  missing: Type.Array(Type.String({ description: 'The name of a setting.' })),
  redirectUrl: Type.String({ description: 'What to register with the provider as the redirect address.' }),
})
export type SignInOffer = Static<typeof SignInOffer>

/** Who was signed in with, and until when no person is needed; null: as far as is known, for good. */
export const SignedIn = Type.Object({
  provider: Provider,
  at: Timestamp,
  until: Nullable(Timestamp),
})
export type SignedIn = Static<typeof SignedIn>

export const SignInBegun = Type.Object({
  authorizationUrl: Type.String({
    description: 'Where the person goes next. Good for ten minutes, and once.',
  }),
})
export type SignInBegun = Static<typeof SignInBegun>

/** What the provider said when it sent the person back, as it stood in the address. */
export const SignInReturn = Strict({
  provider: Provider,
  state: Type.String({ minLength: 1, maxLength: 200 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  iss: Type.Optional(Type.String({ maxLength: 500 })),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
})
export type SignInReturn = Static<typeof SignInReturn>
