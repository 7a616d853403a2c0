import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type Attributes = Record<string, string | number | boolean | undefined>

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: SpanKind
  name: string
  readonly attributes: Attributes
  readonly startedAt: number
  endedAt?: number
  failed?: boolean
}

export interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
  /** A `traceparent` from elsewhere, where no span of this process is under way. */
  parent?: string | undefined
}

/** Says what work consists of and how long each part took. Where nobody collects it, it does the work and no more. */
export interface Tracer {
  /** Work within a span of its own, below the one under way. */
  within<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>
  /** For work whose end is told elsewhere: `run` what belongs to it, then `end` it. */
  begin(name: string, options: SpanOptions): Span | undefined
  run<T>(span: Span | undefined, work: () => T): T
  end(span: Span | undefined, failed?: boolean): void
  /** What has just ended, below the span under way; without one it is not worth telling. */
  note(name: string, milliseconds: number, options: SpanOptions, failed?: boolean): void
  /** The span under way as a W3C `traceparent`, for whoever is called. */
  traceparent(): string | undefined
  close(): Promise<void>
}

export const noTracer: Tracer = {
  within: (_name, _options, work) => work(),
  begin: () => undefined,
  run: (_span, work) => work(),
  end: () => {},
  note: () => {},
  traceparent: () => undefined,
  close: async () => {},
}

export interface Collector {
  take(span: Span): void
  close(): Promise<void>
}

/** `share`: how many of the traces that begin here are told, from 0 to 1. Others' decisions are followed. */
export function openTracer(collector: Collector, { share }: { share: number }): Tracer {
  // Null where a trace is under way that is not told.
  const underWay = new AsyncLocalStorage<Span | null>()
  const unsampled = Symbol('unsampled')
  type Parent = Span | { traceId: string; spanId: string } | typeof unsampled | undefined

  function parentOf(parent: string | undefined): Parent {
    const current = underWay.getStore()
    if (current === null) return unsampled
    if (current) return current
    const given = readTraceparent(parent)
    if (given) return given.sampled ? given : unsampled
    return Math.random() < share ? undefined : unsampled
  }

  const tracer: Tracer = {
    async within(name, options, work) {
      const span = tracer.begin(name, options)
      try {
        const result = await tracer.run(span, work)
        tracer.end(span)
        return result
      } catch (error) {
        tracer.end(span, true)
        throw error
      }
    },
    begin(name, { kind = 'internal', attributes = {}, parent }) {
      const above = parentOf(parent)
      return above === unsampled ? undefined : newSpan(name, kind, attributes, above as Span | undefined)
    },
    run: (span, work) => underWay.run(span ?? null, work),
    end(span, failed = false) {
      if (!span || span.endedAt !== undefined) return
      span.endedAt = now()
      span.failed = failed
      collector.take(span)
    },
    note(name, milliseconds, { kind = 'internal', attributes = {} }, failed = false) {
      const above = underWay.getStore()
      if (!above) return
      const endedAt = now()
      const span = newSpan(name, kind, attributes, above)
      collector.take({ ...span, startedAt: endedAt - milliseconds, endedAt, failed })
    },
    traceparent() {
      const span = underWay.getStore()
      return span ? `00-${span.traceId}-${span.spanId}-01` : undefined
    },
    close: () => collector.close(),
  }
  return tracer
}

const newSpan = (
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  above: { traceId: string; spanId: string } | undefined,
): Span => ({
  traceId: above?.traceId ?? randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
  parentSpanId: above?.spanId,
  kind,
  name,
  attributes,
  startedAt: now(),
})

// Milliseconds since 1970, finer than a millisecond.
const now = () => performance.timeOrigin + performance.now()

/** https://www.w3.org/TR/trace-context/: a malformed header counts as absent. */
export function readTraceparent(
  header: string | undefined,
): { traceId: string; spanId: string; sampled: boolean } | undefined {
  const [, version, traceId, spanId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header ?? '') ?? []
  if (!version || version === 'ff' || (version === '00' && rest)) return undefined
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined
  return { traceId: traceId!, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}
