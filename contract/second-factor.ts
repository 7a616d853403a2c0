import { type Static, Type } from 'typebox'
import { Id, Nullable, plainName, Strict, Timestamp } from './words.ts'

const Given = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: 'The password, once more. Who has none must have logged in just now.',
  }),
)
export const Proof = Strict({ password: Given })
export type Proof = Static<typeof Proof>

export const Passkey = Type.Object({
  passkeyId: Id('passkey'),
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})
export type Passkey = Static<typeof Passkey>

export const SecondFactors = Type.Object({
  totpSince: Nullable(Timestamp),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer(),
  isRequired: Type.Boolean({ description: 'Whether your role has to have one.' }),
})
export type SecondFactors = Static<typeof SecondFactors>

export const TotpBegun = Type.Object({
  secret: Type.String({ description: 'In base32, to be typed into an app.' }),
  uri: Type.String({ description: 'The same as an otpauth address, to be shown as a QR code.' }),
})
export type TotpBegun = Static<typeof TotpBegun>

const Code = Type.String({ minLength: 1, maxLength: 40 })
export const TotpCode = Strict({ code: Code })
export type TotpCode = Static<typeof TotpCode>

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description:
      'Each works once in place of a code. Shown only now; none when there was a second factor already.',
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

const Step = Type.String({ minLength: 1, maxLength: 200, description: 'Stands for what was begun.' })
const Bytes = (longest: number) => Type.String({ maxLength: longest, pattern: '^[A-Za-z0-9_-]*$' })

const Credentials = Type.Array(
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
)

/** For the browser, as WebAuthn has it in JSON. */
const NewPasskeyOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.Optional(Type.String()), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.String() })),
  timeout: Type.Optional(Type.Integer()),
  attestation: Type.Optional(Type.String()),
  excludeCredentials: Type.Optional(Credentials),
  authenticatorSelection: Type.Optional(
    Type.Object({
      residentKey: Type.Optional(Type.String()),
      requireResidentKey: Type.Optional(Type.Boolean()),
      userVerification: Type.Optional(Type.String()),
    }),
  ),
})

const PasskeyOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.Optional(Type.String()),
  allowCredentials: Type.Optional(Credentials),
  userVerification: Type.Optional(Type.String()),
  timeout: Type.Optional(Type.Integer()),
})

export const NewPasskeyBegun = Type.Object({ step: Type.String(), options: NewPasskeyOptions })
export type NewPasskeyBegun = Static<typeof NewPasskeyBegun>

export const PasskeySignInBegun = Type.Object({ step: Type.String(), options: PasskeyOptions })
export type PasskeySignInBegun = Static<typeof PasskeySignInBegun>

/** What a browser answers, its bytes in base64url. */
export const NewPasskey = Strict({
  step: Step,
  name: Type.String({ minLength: 1, maxLength: 120, pattern: plainName }),
  id: Bytes(2000),
  clientDataJSON: Bytes(4000),
  attestationObject: Bytes(20_000),
  transports: Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 }),
})
export type NewPasskey = Static<typeof NewPasskey>

export const AddedPasskey = Type.Object({ ...Passkey.properties, ...RecoveryCodes.properties })
export type AddedPasskey = Static<typeof AddedPasskey>

export const PasskeyAnswer = Strict({
  id: Bytes(2000),
  clientDataJSON: Bytes(4000),
  authenticatorData: Bytes(4000),
  signature: Bytes(4000),
  userHandle: Type.Optional(Bytes(200)),
})
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

/** After the password: what else is asked for. */
export const SecondStep = Type.Object({
  step: Type.String(),
  expiresAt: Timestamp,
  hasTotp: Type.Boolean(),
  passkey: Nullable(PasskeyOptions),
})
export type SecondStep = Static<typeof SecondStep>

export const SecondStepAnswer = Strict({
  step: Step,
  code: Type.Optional(Code),
  passkey: Type.Optional(PasskeyAnswer),
})
export type SecondStepAnswer = Static<typeof SecondStepAnswer>

export const PasskeySignIn = Strict({ step: Step, passkey: PasskeyAnswer })
export type PasskeySignIn = Static<typeof PasskeySignIn>
