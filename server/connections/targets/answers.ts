import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Answerer, OutboundCode } from '../../../contract/outbound-reasons.ts'
import { keepable } from '../../db/keepable.ts'
import type { OutboundAnswer } from '../../outbound/outbound.ts'
import { pauseAskedFor, retryAfter } from '../../outbound/retry-after.ts'
import { named, TargetFault, Unreadable } from './target.ts'

/** A fault for anything but yes. */
export function accepted(who: Answerer, answer: OutboundAnswer): OutboundAnswer {
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  if (status >= 300 && status < 400)
    throw faultOf(
      who,
      answer,
      'refused',
      'redirected',
      'sends us elsewhere',
      ' Redirects are not followed; correct the address of the connection.',
    )
  if (status === 413)
    throw faultOf(
      who,
      answer,
      'refused',
      'too-large-there',
      'takes no file as large as this',
      ' Have its limit raised, or deliver a smaller file.',
    )
  if (status === 429) throw faultOf(who, answer, 'busy', 'slow-down', 'asks us to slow down')
  if (status === 501 || status === 505)
    throw faultOf(who, answer, 'refused', 'refused', 'cannot do what it is asked for')
  // Only what is not a gateway's page tells that the work itself has ended.
  if (status === 500 && complaintIn(answer)) throw faultOf(who, answer, 'ended', 'failed', 'failed')
  if (status >= 500 || status === 408) throw faultOf(who, answer, 'broken', 'failed', 'failed')
  throw faultOf(who, answer, 'refused', 'refused', 'refused')
}

/** What an answer comes to, with what the other system said of it. */
export function faultOf(
  who: Answerer,
  answer: OutboundAnswer,
  fault: TargetFault['fault'],
  code: OutboundCode,
  does: string,
  fix = '',
): TargetFault {
  const { status } = answer
  const said = complaintIn(answer)
  const text = `${named[who]} ${does} (${status}${said && `: ${said}`}).${fix}`
  return new TargetFault(fault, code, text, { who, status, said }, askedToWait(answer))
}

/** For how long an answer asks to be left alone. */
export function askedToWait({ headers }: OutboundAnswer): number | undefined {
  const seconds = retryAfter(headers['retry-after'])
  return seconds === undefined ? undefined : pauseAskedFor(seconds)
}

/** What a good answer says. One that is not of this form says nothing at all, not even that nothing is there. */
export function read<T extends TSchema>(who: Answerer, form: T, answer: OutboundAnswer): Static<T> {
  const said = jsonIn(accepted(who, answer).text)
  if (Value.Check(form, said)) return said
  throw new Unreadable(who)
}

/** For an answer that may say more, and need not. */
export function readIfThere<T extends TSchema>(form: T, { text }: OutboundAnswer): Static<T> | undefined {
  const said = jsonIn(text)
  return Value.Check(form, said) ? said : undefined
}

const mostBeginnings = 100

/** The JSON of an answer, though a byte order mark or a notice of PHP stands before it: it must reach to the end. */
export function jsonIn(text: string): unknown {
  let tried = 0
  for (const { index } of text.matchAll(/(?<=^|[>\s\uFEFF])[[{]/g)) {
    if (tried++ === mostBeginnings) break
    try {
      // What is no JSON is found out faster without a reviver.
      JSON.parse(text.slice(index))
      return JSON.parse(text.slice(index), (_, value) =>
        typeof value === 'string' ? keepable(value) : value,
      )
    } catch {}
  }
  return undefined
}

const Complaint = Type.Object({
  message: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
  code: Type.Optional(Type.Unknown()),
})

// What others write is shown to people, so it is kept short and plain.
export function complaintIn(answer: OutboundAnswer): string {
  const { message, error, code } = readIfThere(Complaint, answer) ?? {}
  const nested = (error as { message?: unknown } | null | undefined)?.message
  const said = [message, nested, error, code].find((value) => typeof value === 'string') ?? ''
  return said
    .slice(0, 2000)
    .replace(/<[^>]*>|\p{C}/gu, ' ')
    .trim()
    .slice(0, 200)
}
