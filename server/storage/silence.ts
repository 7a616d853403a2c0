import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

export type StoreAnswer = Readable & Pick<IncomingMessage, 'socket' | 'complete'>

/**
 * Breaks an answer off when the store has stopped sending for so long. A reader of ours may pause as long as it
 * likes: then the buffer is full, and nothing is asked of the store.
 */
export function endWhenSilent(answer: StoreAnswer, milliseconds: number): Readable {
  let seen = -1
  const look = setInterval(() => {
    const wanting = !answer.complete && answer.readableLength < answer.readableHighWaterMark
    const { bytesRead } = answer.socket
    if (wanting && bytesRead === seen) answer.destroy(new Error('The store stopped sending: inactivity.'))
    seen = wanting ? bytesRead : -1
  }, milliseconds).unref()
  return answer.once('close', () => clearInterval(look))
}
