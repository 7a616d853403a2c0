import { type Static, type TSchema, Type } from 'typebox'
import type { Answerer } from '../../../contract/outbound-reasons.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../outbound/outbound.ts'
import { accepted, askedToWait, complaintIn, read, readIfThere } from './answers.ts'
import { authorized, type Credentials } from './credentials.ts'
import { withoutSlash } from './path.ts'
import { type Content, type Line, named, TargetFault } from './target.ts'

const facebook = 'https://graph.facebook.com'

export interface Graph {
  base: string
  get<T extends TSchema>(form: T, path: string): Promise<Static<T>>
  post<T extends TSchema>(form: T, path: string, fields: object): Promise<Static<T>>
  /** The same with a form that has a file in it. */
  upload<T extends TSchema>(form: T, path: string, content: Content, line: Line): Promise<Static<T>>
}

/** Meta's Graph API, through which both Instagram and Facebook are reached. Its version stands in every address. */
export function graphApi(
  who: Answerer,
  outbound: Outbound,
  credentials: Credentials,
  baseUrl = facebook,
): Graph {
  const base = `${withoutSlash(baseUrl)}/${credentials.apiVersion}`
  const signedIn = authorized(who, outbound, credentials)
  const ask = async <T extends TSchema>(
    form: T,
    method: OutboundRequest['method'],
    path: string,
    more: Partial<OutboundRequest> = {},
  ): Promise<Static<T>> =>
    read(
      who,
      form,
      understood(who, await signedIn.send({ method, url: base + path, totalSeconds: 120, ...more })),
    )
  return {
    base,
    get: (form, path) => ask(form, 'GET', path),
    post: (form, path, fields) =>
      ask(form, 'POST', path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }),
    upload: (form, path, content, { signal, sent }) =>
      ask(form, 'POST', path, {
        headers: { 'content-type': content.mimeType },
        body: content,
        totalSeconds: 3600,
        idleSeconds: 120,
        signal,
        sent,
      }),
  }
}

/**
 * Meta says with 400 what others say with 429 or 500: codes 4, 17, 32, 613 and 9 are limits that pass, 1, 2 and those
 * below zero are faults of its own (developers.facebook.com/docs/graph-api/guides/error-handling, and Instagram's Error
 * Codes; read on 2026-11-15).
 */
export function understood(who: Answerer, answer: OutboundAnswer): OutboundAnswer {
  const { code, error_subcode: subcode, is_transient } = readIfThere(GraphError, answer)?.error ?? {}
  if (answer.status < 400 || code === undefined) return accepted(who, answer)
  const said = complaintIn(answer)
  const { status } = answer
  const values = { who, status, said }
  if (limits.includes(code) && subcode !== takenForSpam)
    throw new TargetFault(
      'busy',
      'slow-down',
      `${named[who]} asks us to slow down (${status}: ${said}).`,
      values,
      askedToWait(answer),
    )
  if (is_transient || code === 1 || code === 2 || code < 0)
    throw new TargetFault(
      'ended',
      'failed',
      `${named[who]} failed (${status}: ${said}).`,
      values,
      askedToWait(answer),
    )
  return accepted(who, answer)
}

const limits = [4, 9, 17, 32, 613]
const takenForSpam = 2207051

const GraphError = Type.Object({
  error: Type.Object({
    code: Type.Optional(Type.Number()),
    error_subcode: Type.Optional(Type.Number()),
    is_transient: Type.Optional(Type.Boolean()),
  }),
})

/** What Meta calls its things. */
export const GraphId = Type.String({ pattern: '^[0-9]{1,40}$' })
