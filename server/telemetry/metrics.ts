import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

/** Every figure the server tells at `/metrics`. Labels take few values, known beforehand: no id, no name, no address. */
export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const seconds = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram({ name, help, buckets, labelNames, registers })

  return {
    registry,
    requests: counter('http_requests_total', 'Requests answered.', 'method', 'route', 'status'),
    requestSeconds: seconds(
      'http_request_duration_seconds',
      'Time from the request to the last byte of its answer, by class of status.',
      [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      'method',
      'route',
      'status',
    ),
    refusals: counter('http_refusals_total', 'Requests refused, by the code of the problem.', 'code'),
    rateLimited: counter('rate_limited_total', 'Requests over a rate limit.', 'policy'),

    uploadSessions: counter('upload_sessions_total', 'Upload sessions opened.'),
    uploadsFinalized: counter('uploads_finalized_total', 'Uploads that became an asset or a version.'),
    uploadsRefused: counter('uploads_refused_total', 'Sessions and finalizations refused.', 'step', 'code'),
    uploadBytes: counter('upload_bytes_total', 'Bytes of finalized uploads.'),

    sweptObjects: counter(
      'upload_swept_objects_total',
      'Objects that uploads left behind and the sweep removed.',
    ),
    sweptBytes: counter('upload_swept_bytes_total', 'Their bytes.'),

    jobs: counter('jobs_run_total', 'Jobs run, by how they ended.', 'queue', 'outcome'),
    jobSeconds: seconds(
      'job_duration_seconds',
      'Time a job took.',
      [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3600],
      'queue',
    ),

    decoderTasks: counter('decoder_tasks_total', 'Tasks of decoders, by how they ended.', 'task', 'outcome'),
    decoderSeconds: seconds(
      'decoder_task_duration_seconds',
      'Time a task took in a decoder, without its wait for one.',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      'task',
    ),
    decoderStarts: counter('decoder_starts_total', 'Decoding processes started.'),
    decoderCrashes: counter('decoder_crashes_total', 'Decoding processes that ended within a task.'),

    storageSeconds: seconds(
      'storage_call_duration_seconds',
      'Time until the object store answered.',
      [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30],
      'op',
      'outcome',
    ),
    outboundSeconds: seconds(
      'outbound_call_duration_seconds',
      'Time a call to another system took: deliveries, webhooks, connection tests.',
      [0.05, 0.25, 1, 5, 15, 60, 300],
      'outcome',
    ),
    aiSeconds: seconds(
      'ai_call_duration_seconds',
      'Time until the AI endpoint had answered, the wait for a turn and further tries included.',
      [0.1, 0.5, 1, 2.5, 5, 15, 30, 60, 120],
      'call',
      'outcome',
    ),
    spansDropped: counter('trace_spans_dropped_total', 'Spans that no collector took.'),

    /** A figure that is read when it is asked for. One that cannot be read is left out: the others matter then. */
    gauge: (
      name: string,
      help: string,
      labelNames: string[],
      read: () => Reading[] | Promise<Reading[]>,
    ): void => {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const readings = await soon(read).catch(() => [])
          this.reset()
          for (const [labels, value] of readings) this.set(labels, value)
        },
      })
    },
  }
}

const timeoutMs = 2000

async function soon<T>(read: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), timeoutMs)
  })
  try {
    return await Promise.race([read(), late])
  } finally {
    clearTimeout(timer)
  }
}

type Reading = [labels: Record<string, string>, value: number]

/** Tells how long work took, and whether it ended well. */
export async function timed<T>(work: () => Promise<T>, tell: (seconds: number, error?: unknown) => void) {
  const began = performance.now()
  try {
    const result = await work()
    tell((performance.now() - began) / 1000)
    return result
  } catch (error) {
    tell((performance.now() - began) / 1000, error)
    throw error
  }
}
