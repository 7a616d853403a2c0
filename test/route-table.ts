import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

export interface Route {
  method: string
  url: string
  permission: string | undefined
  hidden: boolean
  bodyLimit: number | undefined
  schema: { body?: Schema; params?: Schema; querystring?: Schema; response?: object; produces?: string[] }
}

export interface Schema {
  properties?: Record<string, Schema>
  required?: string[]
  type?: string
}

let registered: RouteOptions[] = []
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const its: RouteOptions[] = []
  fastify.addHook('onRoute', (route) => {
    its.push(route)
  })
  // Files of one process make servers of their own to try something on; those do not listen.
  fastify.addHook('onListen', async () => {
    registered = its
  })
})

/** Every route of the server that listens since last, whoever registered it. */
export function routeTable(): Route[] {
  return registered.flatMap((route) =>
    [route.method].flat().map((method) => ({
      method,
      url: route.url,
      permission: route.config?.permission,
      hidden: (route.schema as { hide?: boolean } | undefined)?.hide === true,
      bodyLimit: route.bodyLimit,
      schema: (route.schema ?? {}) as Route['schema'],
    })),
  )
}

/** What callers are told of: hidden routes and the HEAD beside each GET left out. */
export const apiRoutes = () => routeTable().filter(({ method, hidden }) => !hidden && method !== 'HEAD')
