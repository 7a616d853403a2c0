import type { FastifyBaseLogger } from 'fastify'
import { version } from '../version.ts'
import type { Attributes, Collector, Span, SpanKind } from './tracing.ts'

export interface OtlpOptions {
  /** Where a collector listens, e.g. `http://127.0.0.1:4318`. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  log: FastifyBaseLogger
  dropped(spans: number): void
}

const longestWait = 1000
const mostAtOnce = 512
const mostWaiting = 4096
const timeoutMs = 5000
const quietFor = 60_000

/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP, in JSON. What the collector does not take is lost,
 * and counted: a trace is never worth a request.
 */
export function otlpCollector({ endpoint, headers, serviceName, log, dropped }: OtlpOptions): Collector {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  let waiting: Span[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let complainedAt = 0

  function sendSoon(): void {
    if (waiting.length >= mostAtOnce) void flush()
    else timer ??= setTimeout(flush, longestWait).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (sending || waiting.length === 0) return
    const batch = waiting.splice(0, mostAtOnce)
    sending = send(batch)
    await sending
    sending = undefined
    if (waiting.length > 0) sendSoon()
  }

  async function send(batch: Span[]): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(asOtlp(batch, serviceName)),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`The collector answered ${response.status}.`)
    } catch (error) {
      dropped(batch.length)
      if (Date.now() - complainedAt < quietFor) return
      complainedAt = Date.now()
      log.warn({ err: error }, 'Traces are not taken by the collector at OTEL_EXPORTER_OTLP_ENDPOINT.')
    }
  }

  return {
    take(span) {
      if (waiting.length >= mostWaiting) return dropped(1)
      waiting.push(span)
      sendSoon()
    },
    async close() {
      await sending
      while (waiting.length > 0) await send(waiting.splice(0, mostAtOnce))
      waiting = []
    },
  }
}

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

const asOtlp = (spans: Span[], serviceName: string) => ({
  resourceSpans: [
    {
      resource: { attributes: asAttributes({ 'service.name': serviceName, 'service.version': version }) },
      scopeSpans: [{ scope: { name: 'client-asset-library', version }, spans: spans.map(asSpan) }],
    },
  ],
})

const asSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt!),
  attributes: asAttributes(span.attributes),
  status: { code: span.failed ? 2 : 0 },
})

// Through microseconds: nanoseconds since 1970 are more than a number can hold.
const nanoseconds = (milliseconds: number) => `${Math.round(milliseconds * 1000)}000`

const asAttributes = (attributes: Attributes) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: asValue(value!) }))

const asValue = (value: string | number | boolean) =>
  typeof value === 'string'
    ? { stringValue: value }
    : typeof value === 'boolean'
      ? { boolValue: value }
      : Number.isInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value }
