import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FileAnswer } from '../file-answers.ts'
import { libraryOf, recognise } from './door.ts'

/** Whether a request whose answer goes on for long would be let in again now. */
export async function stillAllowed(request: FastifyRequest): Promise<boolean> {
  const { permission } = request.routeOptions.config
  const now = await recognise(request)
  return (
    (now?.caller.permissions as ReadonlySet<string> | undefined)?.has(permission!) === true &&
    (now!.visibleClientId ?? now!.caller.clientId) === libraryOf(request).clientId
  )
}

/** A file that breaks off when its caller's rights end before it does. */
export const whileAllowed = (request: FastifyRequest, file: FileAnswer): FileAnswer => ({
  ...file,
  open: async (range) => endWithRights(request, await file.open(range)),
})

function endWithRights(request: FastifyRequest, body: Readable): Readable {
  const unfollow = request.server.parts.news.followRights(async () => {
    if (!(await stillAllowed(request).catch(() => false)))
      body.destroy(new Error('The rights of its reader have ended'))
  })
  return body.once('close', unfollow)
}
