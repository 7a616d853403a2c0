import { Status } from '../../contract/diagnostics.ts'
import { hasCredentials, recognise } from '../access/door.ts'
import type { App } from '../http/app.ts'
import { recently } from './recently.ts'
import { databaseAnswers, platformStatus, withoutDetails } from './status.ts'

export async function statusRoutes(app: App, { leaving }: { leaving?: AbortSignal | undefined }) {
  const { parts } = app
  // Strangers may ask, as often as they like.
  const aiAnswers = parts.ai && recently(60_000, parts.ai.check)
  const status = recently(1000, () => platformStatus(parts, { aiAnswers }))
  const ready = recently(250, () => databaseAnswers(parts))

  app.get(
    '/status',
    {
      schema: { summary: 'Status of the platform', response: { 200: Status } },
      config: { permission: 'public' },
    },
    async (request) => {
      const known = hasCredentials(request) && (await recognise(request).catch(() => undefined))
      const isOurs = known && !known.session?.pending && known.caller.role !== 'client'
      return isOurs ? status() : withoutDetails(await status())
    },
  )
  app.get('/livez', { config: { permission: 'public' }, schema: { hide: true } }, async () => ({
    status: 'ok',
  }))
  app.get('/readyz', { config: { permission: 'public' }, schema: { hide: true } }, async (_, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'leaving' })
    await ready()
    return { status: 'ok' }
  })
}
