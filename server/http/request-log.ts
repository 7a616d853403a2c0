import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noTracer, type Span } from '../telemetry/tracing.ts'
import { callerAddress } from './caller-address.ts'
import { probes } from './probes.ts'
import { clientOf } from './recognised.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The status logged for a request that was aborted before it was answered (as nginx does). */
const gone = 499

/**
 * One line in the log for each request, its figures and its span. All are told when its connection is done with it,
 * so that who hangs up is counted too, and none knows more of the address than its pattern: the rest may be secret.
 */
export function observeRequests(app: FastifyInstance): void {
  const { tracer } = app.parts
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    observeRequest(request, reply)
    tracer.run(request.span, done)
  })
  // After a body has been read, callbacks run in the socket's context, outside the request's span.
  if (tracer !== noTracer)
    app.addHook('preValidation', (request, _reply, done) => tracer.run(request.span, done))
}

export function observeRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { headers, id, method, server } = request
  const route = routeOf(request)
  reply.header('x-request-id', id)
  request.span = server.parts.tracer.begin(`${method} ${route}`, {
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'request.id': id },
    parent: headers.traceparent as string | undefined,
  })
  reply.raw.once('close', () => tell(request, reply))
}

const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? 'none'

function tell(request: FastifyRequest, reply: FastifyReply): void {
  const { metrics, tracer } = request.server.parts
  const { recognised, refusedWith: code, span } = request
  const answered = reply.raw.headersSent
  const status = answered ? reply.raw.statusCode : gone
  const route = routeOf(request)
  const ms = reply.elapsedTime
  const client = recognised && clientOf(recognised)

  const method = methods.has(request.method) ? request.method : 'other'
  metrics.requests.inc({ method, route, status })
  metrics.requestSeconds.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
  if (code) metrics.refusals.inc({ code })

  // Probes come every few seconds: told only to who wants to know everything.
  request.server.log[probes.has(route) ? 'debug' : 'info'](
    {
      requestId: request.id,
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(code && { code }),
      ...(answered && !reply.raw.writableFinished && { cutShort: true }),
      ...(recognised && { principal: { kind: recognised.caller.kind, id: recognised.caller.id } }),
      ...(client && { client }),
      ip: callerAddress(request),
      ...(span && { traceId: span.traceId }),
    },
    'request',
  )
  if (!span) return
  Object.assign(span.attributes, {
    'http.response.status_code': status,
    ...(recognised && { 'enduser.id': recognised.caller.id }),
    ...(client && { client }),
  })
  tracer.end(span, status >= 500)
}
