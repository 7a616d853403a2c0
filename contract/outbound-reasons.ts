import { type Static, Type } from 'typebox'
import { vendors } from './connection-kinds.ts'

/** Why a call to another system did not do what it was to do. Whoever shows one has a sentence for each. */
export const outboundCodes = [
  'address-not-http',
  'address-not-public',
  'login-in-the-clear',
  'name-not-found',
  'connection-refused',
  'certificate-not-trusted',
  'no-answer',
  'line-cut',
  'answer-too-long',
  'unreachable',
  'redirected',
  'slow-down',
  'failed',
  'refused',
  'unreadable-answer',
  'still-at-work',
  'login-missing',
  'login-refused',
  'login-not-seen',
  'login-wall',
  'application-passwords-off',
  'rest-api-closed',
  'security-page',
  'no-wordpress',
  'too-large-there',
  'may-not-upload',
  'sign-in-needed',
  'app-not-known',
  'not-ours',
  'not-there',
  'words-not-set',
  'cannot-tell',
  'asker-may-not',
  'asset-not-usable',
  'problem',
  'our-fault',
] as const
export type OutboundCode = (typeof outboundCodes)[number]

/** Whoever hears one of these is let in nowhere, whatever the file. */
export const shutOutCodes: readonly OutboundCode[] = [
  'login-missing',
  'login-refused',
  'login-not-seen',
  'application-passwords-off',
  'may-not-upload',
]

/** What is wrong stays wrong until somebody corrects the address: trying again is of no use. */
export const lastingCodes: readonly OutboundCode[] = [
  'address-not-http',
  'address-not-public',
  'login-in-the-clear',
]

export type Answerer = keyof typeof vendors | 'receiver' | 'system'
/** The systems that answer. `receiver`: one of the client's own. `system`: whichever it is. */
export const answerers = [
  ...(Object.keys(vendors) as (keyof typeof vendors)[]),
  'receiver',
  'system',
] as const

export const OutboundReason = Type.Object(
  {
    code: Type.Enum(outboundCodes),
    values: Type.Object(
      {
        host: Type.Optional(Type.String()),
        who: Type.Optional(Type.Enum(answerers)),
        status: Type.Optional(Type.Integer({ description: 'What it answered.' })),
        said: Type.Optional(Type.String({ description: 'In its own words.' })),
        refusal: Type.Optional(Type.String({ description: 'Why an asset may not be used.' })),
        problem: Type.Optional(Type.String({ description: 'The code of a problem of ours.' })),
      },
      { description: 'What a sentence of your own may mention.' },
    ),
  },
  { description: 'The same as the error beside it, for a sentence in another language.' },
)
export type OutboundReason = Static<typeof OutboundReason>

export const disabledCodes = ['switched-off', 'gave-up', 'gone'] as const
export type DisabledCode = (typeof disabledCodes)[number]
