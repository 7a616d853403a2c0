import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, libraryOf, recognise } from './door.ts'

/** Whether a request whose answer goes on for long would be let in again now, by the same door and as the same role. */
export async function stillAllowed(request: FastifyRequest): Promise<boolean> {
  const { permission } = request.routeOptions.config
  const now = await recognise(request)
  return (
    (now?.caller.permissions as ReadonlySet<string> | undefined)?.has(permission!) === true &&
    now!.caller.role === callerOf(request).role &&
    (now!.visibleClientId ?? now!.caller.clientId) === libraryOf(request).clientId
  )
}

/** Breaks an answer off when its reader's rights end before it does. */
export function endWithRights(request: FastifyRequest, { raw }: FastifyReply): void {
  const unfollow = request.server.parts.newEvents.followRights(async () => {
    if (!(await stillAllowed(request).catch(() => false))) raw.destroy()
  })
  raw.once('close', unfollow)
}
