import { Type } from 'typebox'
import type { Answerer } from '../../../contract/outbound-reasons.ts'
import {
  type Outbound,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundRequest,
} from '../../outbound/outbound.ts'
import { complaintIn, readIfThere } from './answers.ts'
import { named as nameOf, TargetFault } from './target.ts'

/** What opens an account at a vendor: a token that somebody pasted, or one that came of a sign-in and is renewed. */
export interface Credentials {
  /** Which version of the vendor's API is asked for; empty where there is none. */
  apiVersion: string
  /** One that is good for now. Asked for anew before each request: a delivery may outlive several. */
  token(): Promise<string>
  /** Another, after this one was refused. Without one, the connection says so and it throws `SignInNeeded`. */
  another(refused: string, needed: SignInNeeded): Promise<string>
}

/** The vendor lets us in no more: a person has to sign in again, or paste another token. */
export class SignInNeeded extends TargetFault {
  constructor(who: Answerer, answer?: OutboundAnswer) {
    const said = answer ? complaintIn(answer) : ''
    const status = answer?.status
    const heard = status ? ` (${status}${said && `: ${said}`})` : ''
    super(
      'refused',
      'sign-in-needed',
      `${nameOf[who]} does not let us in${heard}. Sign in again on the connection, then try again.`,
      { who, ...(status && { status }), ...(said && { said }) },
    )
  }
}

/** Requests to the vendor with a token that it takes. One that it refuses is renewed once, and the request repeated. */
export const authorized = (who: Answerer, outbound: Outbound, credentials: Credentials): Outbound => ({
  async send(request) {
    let token = await credentials.token()
    for (;;) {
      const answer = await outbound.send(withToken(request, token)).catch((error) => {
        throw named(who, error)
      })
      if (!refusesToken(answer)) return answer
      token = await credentials.another(token, new SignInNeeded(who, answer))
    }
  },
})

/** Why the line failed. Whose it is matters to who reads it: the address of a vendor is not theirs to correct. */
function named(who: Answerer, error: unknown): unknown {
  if (error instanceof OutboundFailure) error.reason.values.who = who
  return error
}

const withToken = (request: OutboundRequest, token: string): OutboundRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
})

/**
 * Google and LinkedIn answer 401 to a token that has ended or was revoked. Google answers 403 with a reason of its own to
 * one that lacks a scope (cloud.google.com/apis/design/errors). Meta answers 400 or 403 with a code: 102 and 190 for
 * the token, 10 and 200 to 299 for a permission that was never given or was taken back
 * (developers.facebook.com/docs/graph-api/guides/error-handling). All read on 2026-11-15.
 */
function refusesToken(answer: OutboundAnswer): boolean {
  if (answer.status === 401) return true
  if (answer.status !== 400 && answer.status !== 403) return false
  const { code, details = [], type } = readIfThere(VendorError, answer)?.error ?? {}
  if (details.some(({ reason }) => reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')) return true
  if (type === undefined || code === undefined) return false
  return code === 102 || code === 190 || code === 10 || (code >= 200 && code <= 299)
}

const VendorError = Type.Object({
  error: Type.Object({
    code: Type.Optional(Type.Number()),
    type: Type.Optional(Type.String()),
    details: Type.Optional(Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }))),
  }),
})
