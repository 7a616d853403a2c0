import { Readable } from 'node:stream'
import { EventStreamQuery } from '../../contract/events.ts'
import { libraryOf } from '../access/door.ts'
import { stillAllowed } from '../access/still-allowed.ts'
import type { App } from '../http/app.ts'
import { inLibrary } from '../http/paths.ts'
import { Problem } from '../problems.ts'
import { eventStream } from './stream.ts'

export async function eventRoutes(app: App) {
  const { newEvents } = app.parts
  const open = new Set<AbortController>()
  // An open stream would keep the server from closing.
  app.addHook('preClose', async () => {
    for (const stream of open) stream.abort()
  })

  app.get(
    '/',
    {
      schema: {
        summary: 'Follow the events of a library',
        params: inLibrary(app),
        querystring: EventStreamQuery,
        produces: ['text/event-stream'],
      },
      config: { permission: 'assets:read' },
      logLevel: 'warn',
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const library = libraryOf(request)
      app.streams.hold(request, reply)
      const stream = new AbortController()
      open.add(stream)
      request.raw.socket.once('close', () => stream.abort())
      const messages = eventStream(library, {
        newEvents,
        mayGoOn: () => stillAllowed(request),
        signal: stream.signal,
        lastEventId: lastEventId(request.headers['last-event-id']) ?? request.query.lastEventId,
      })
      const body = Readable.from(messages).once('close', () => open.delete(stream))
      return reply
        .headers({
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
        .send(body)
    },
  )
}

function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const id = Number(header)
  if (!Number.isSafeInteger(id) || id < 0)
    throw new Problem('invalid-request', 'Last-Event-ID is the id of an event of this stream.')
  return id
}
