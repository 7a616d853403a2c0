import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../access/door.ts'
import { Problem } from '../problems.ts'

const longestBatch = 100
const mostAtOnce = 2
const mostAnswerBytes = 1024 ** 2

/** Holds the batches of each key to so many at once, each call of one counted as a request is. Counted in this process. */
export function openBatches() {
  const held = new Map<string, number>()

  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (!Array.isArray(request.body)) return
    const calls = request.body.length
    if (calls > longestBatch)
      throw new Problem('invalid-request', `Send ${longestBatch} messages in a batch at most.`)
    const caller = callerOf(request)
    const before = held.get(caller.id) ?? 0
    if (before >= mostAtOnce)
      throw new Problem(
        'rate-limited',
        `${mostAtOnce} batches of your key are at work. Send one after another.`,
        { headers: { 'retry-after': '1' } },
      )
    request.server.rateLimits.countCaller(reply, caller, null, Math.max(0, calls - 1))
    held.set(caller.id, before + 1)
    reply.raw.once('close', () => {
      const left = held.get(caller.id)! - 1
      if (left > 0) held.set(caller.id, left)
      else held.delete(caller.id)
    })
  }
}

/**
 * The messages of a batch come all at once, and their answers are held until the last is there: they are made one
 * after another, and no more of them once together they are large.
 */
export function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  let left = mostAnswerBytes
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(async () => {
      if (left <= 0) throw answerFull()
      const answer = await work()
      left -= JSON.stringify(answer ?? null).length
      return answer
    })
    last = mine.catch(() => {})
    return mine
  }
}

const answerFull = () =>
  new Problem(
    'too-large',
    `The answer to this batch has ${mostAnswerBytes / 1024 ** 2} MB already. Send this call again, in a batch of its own.`,
  )
