import type { Writable } from 'node:stream'
import type pg from 'pg'
import { blame, refuseAway } from './failures.ts'

/**
 * Statements that find a few rows by their keys, one behind another on one connection: none waits until the one before
 * is answered, nor for a connection of the pool. Many requests then share what it costs to send and to wake the database.
 */
export interface Pipeline {
  /** Undefined where the database has no connection left for it: the pool has some. */
  ask<Row>(text: string, values: unknown[]): Promise<Row[] | undefined>
  close(): Promise<void>
}

interface Line {
  client: pg.Client
  /** When each statement that is not answered yet was asked: they are answered in turn. */
  waiting: number[]
}

const unlessFull = (error: Error & { code?: string }) =>
  error.code === tooManyConnections ? undefined : refuseAway(error)
const tooManyConnections = '53300'

/** What is asked in the same turn of the event loop leaves in one piece. */
function sendTogether(stream: Writable): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** A line that has kept a statement waiting for so many milliseconds is taken for dead. */
export function openPipeline(connect: () => Promise<pg.Client>, mostMilliseconds: number): Pipeline {
  let line: Promise<Line> | undefined
  const given = new Set<Line>()

  function open(): Promise<Line> {
    const opening = connect().then((client) => {
      const opened: Line = { client, waiting: [] }
      given.add(opened)
      client.once('error', forget).once('end', () => {
        given.delete(opened)
        forget()
      })
      return opened
    })
    const forget = () => {
      if (line === opening) line = undefined
    }
    opening.catch(forget)
    line = opening
    return opening
  }

  // While more is sent, the socket of a line on which nothing comes back never falls idle.
  const watching = setInterval(() => {
    const latest = performance.now() - mostMilliseconds
    for (const { client, waiting } of given)
      if (waiting.length > 0 && waiting[0]! < latest)
        client.connection.stream.destroy(
          Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' }),
        )
  }, 1000).unref()

  return {
    async ask<Row>(text: string, values: unknown[]) {
      const its = await (line ?? open()).catch(unlessFull)
      if (!its) return undefined
      const { client, waiting } = its
      waiting.push(performance.now())
      sendTogether(client.connection.stream as Writable)
      try {
        return (await client.query(text, values)).rows as Row[]
      } catch (error) {
        return blame(error)
      } finally {
        waiting.shift()
      }
    },
    async close() {
      await line?.then(({ client }) => client.end()).catch(() => {})
      clearInterval(watching)
    },
  }
}
