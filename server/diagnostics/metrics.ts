import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Problem } from '../problems.ts'

/** Prometheus metrics at /metrics, for who has the token or, without one, for this machine. */
export function measureRequests(app: FastifyInstance): void {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers,
  })
  const refusals = new Counter({
    name: 'http_refusals_total',
    help: 'Answers of 4xx and 5xx, by route.',
    labelNames: ['route', 'status'],
    registers,
  })
  new Gauge({
    name: 'jobs',
    help: 'Jobs by queue and state.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      for (const { name, queued, active, failed } of await app.parts.jobs.waiting()) {
        this.set({ queue: name, state: 'queued' }, queued)
        this.set({ queue: name, state: 'active' }, active)
        this.set({ queue: name, state: 'failed' }, failed)
      }
    },
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { pool } = app.parts.database
      this.set({ state: 'open' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waited-for' }, pool.waitingCount)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode >= 400) refusals.inc({ route, status: reply.statusCode })
  })
  app.get(
    '/metrics',
    { config: { permission: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      refuseStrangers(request)
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

function refuseStrangers(request: FastifyRequest): void {
  const { metricsToken } = request.server.parts.config
  const fromHere = /^(127\.|::1$|::ffff:127\.)/.test(request.ip) && !request.headers['x-forwarded-for']
  const allowed = metricsToken ? request.headers.authorization === `Bearer ${metricsToken}` : fromHere
  if (!allowed)
    throw new Problem(
      'forbidden',
      'Metrics are for this machine, or for who sends METRICS_TOKEN as a Bearer token.',
    )
}
