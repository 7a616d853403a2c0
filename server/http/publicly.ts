import type { FastifyInstance, FastifyPluginAsync } from 'fastify'

/** For routes of parts that know nothing of permissions. */
export async function publicly(app: FastifyInstance, plugin: FastifyPluginAsync): Promise<void> {
  await app.register(async (open) => {
    open.addHook('onRoute', (route) => {
      route.config = { ...route.config, permission: 'public' }
      route.schema = { ...route.schema, hide: true }
    })
    await open.register(plugin)
  })
}
