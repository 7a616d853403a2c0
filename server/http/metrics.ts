import { isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isSame } from '../secrets.ts'

/** Prometheus metrics at /metrics, for who has the token or, without one, for this machine. */
export function tellMetrics(app: FastifyInstance): void {
  const { metrics, jobs, database } = app.parts
  metrics.gauge('jobs', 'Jobs by queue and state.', ['queue', 'state'], async () =>
    (await jobs.waiting()).flatMap(({ name: queue, queued, active, failed }) => [
      [{ queue, state: 'queued' }, queued],
      [{ queue, state: 'active' }, active],
      [{ queue, state: 'failed' }, failed],
    ]),
  )
  metrics.gauge('database_connections', 'Connections of the pool, by state.', ['state'], () => [
    [{ state: 'open' }, database.pool.totalCount],
    [{ state: 'idle' }, database.pool.idleCount],
    [{ state: 'waited-for' }, database.pool.waitingCount],
  ])
  metrics.gauge('database_connections_max', 'Connections the pool may have.', [], () => [
    [{}, database.pool.options.max],
  ])

  app.get(
    '/metrics',
    { config: { permission: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      refuseStrangers(request)
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
    },
  )
}

function refuseStrangers(request: FastifyRequest): void {
  const { metricsToken } = request.server.parts.config
  const fromHere = isLoopback(request.socket.remoteAddress) && !mayBeProxied(request)
  const allowed = metricsToken
    ? isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
    : fromHere
  if (!allowed)
    throw new Problem(
      'forbidden',
      'Metrics are for who sends METRICS_TOKEN as a Bearer token. Without one, for this machine, if nothing stands in front.',
    )
}

const isLoopback = (address = '') =>
  address === '::1' || isIPv4Loopback(address) || isIPv4Loopback(address.replace(/^::ffff:/i, ''))

const isIPv4Loopback = (address: string) => isIPv4(address) && address.startsWith('127.')

/** The headers by which proxies of all makes say for whom they call. */
const proxyHeader =
  /^(via$|(x-)?forwarded|x-real-|x-original-|x-envoy-|x-amzn-|x-azure-|x-arr-|x-proxy|cf-|cdn-|fastly-|fly-|cloudfront-|true-client-|akamai-)|client-?ip$/

// A proxy on this machine calls from here for everybody, and need not say so: where one may stand, only the token tells.
const mayBeProxied = ({ headers, server: { parts } }: FastifyRequest) =>
  (parts.config.role !== 'worker' && !isOwnName(new URL(parts.config.publicUrl).hostname)) ||
  parts.config.trustProxy !== false ||
  // DNS rebinding: a page may have its own name resolve to this machine.
  !isOwnName((headers.host ?? '').replace(/:\d+$/, '').toLowerCase()) ||
  Object.keys(headers).some((name) => proxyHeader.test(name))

const isOwnName = (host: string) => host === 'localhost' || host === '[::1]' || isIPv4Loopback(host)
