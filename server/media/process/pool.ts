import { FairQueue } from '../../jobs/fair-queue.ts'
import { Problem } from '../../problems.ts'
import { type Metrics, timed } from '../../telemetry/metrics.ts'
import type { Confinement } from './confinement.ts'
import { type DecodingProcess, startProcess, type Task, TryOnceMore } from './decoding-process.ts'

export interface PoolOptions {
  /**
   * How many slow tasks run at once. Others are kept for quick ones, so that they never wait for those; and one for a
   * quick one of a name that has none at work, so that nobody's files can hold up everybody's.
   */
  processes: number
  memoryCapMb: number
  /** How many tasks of one name may wait; over it, callers are told to come again. */
  queueLength: number
  walls(): Promise<Confinement>
  metrics?: Metrics | undefined
}

export interface Pool {
  /** Tasks under one name wait for each other; those of many names are taken in turn. */
  run(task: Task, pace: 'quick' | 'slow', name?: string): Promise<unknown>
  /** Process ids at work or waiting for work. */
  pids(): number[]
  close(): Promise<void>
}

interface Waiting {
  name: string
  task: Task
  pace: 'quick' | 'slow'
  /** It failed through no fault of its own, perhaps: now it gets a fresh process. */
  again: boolean
  resolve(result: unknown): void
  reject(reason: unknown): void
}

const idleMs = 120_000
/** How many times the queue of one name all may be. */
const mostQueues = 10

export function openPool({ processes, memoryCapMb, queueLength, walls, metrics }: PoolOptions): Pool {
  const queues = { quick: new FairQueue<Waiting>(), slow: new FairQueue<Waiting>() }
  const all = new Set<DecodingProcess>()
  const idle: { process: DecodingProcess; timer: NodeJS.Timeout }[] = []
  const running = { quick: 0, slow: 0 }
  const atWork = new Map<string, number>()
  const most = processes + 3
  let closed = false

  metrics?.gauge('decoders', 'Decoding processes, by state.', ['state'], () => [
    [{ state: 'busy' }, running.quick + running.slow],
    [{ state: 'idle' }, idle.length],
  ])
  metrics?.gauge('decoder_tasks_waiting', 'Tasks that wait for a decoder.', ['pace'], () => [
    [{ pace: 'quick' }, queues.quick.length],
    [{ pace: 'slow' }, queues.slow.length],
  ])

  return {
    run(task, pace, name = '') {
      if (closed || isFull(queues[pace], name)) return Promise.reject(mediaBusy())
      return new Promise((resolve, reject) => {
        task.signal?.addEventListener('abort', () => reject(task.signal!.reason), { once: true })
        queues[pace].push(name, { name, task, pace, again: false, resolve, reject })
        dispatch()
      })
    },
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    async close() {
      closed = true
      for (const { reject } of [...queues.quick.drain(), ...queues.slow.drain()]) reject(mediaBusy())
      for (const process of all) process.kill()
    },
  }

  function isFull(queue: FairQueue<Waiting>, name: string): boolean {
    return queue.lengthOf(name) >= queueLength || queue.length >= queueLength * mostQueues
  }

  function dispatch() {
    for (let next = takeNext(); next; next = takeNext()) if (!next.task.signal?.aborted) void carryOut(next)
  }

  function takeNext(): Waiting | undefined {
    return takeQuick() ?? takeSlow()
  }

  /** What is slow gets to its processes, however much that is quick waits before it. */
  function takeQuick(): Waiting | undefined {
    const all = running.quick + running.slow
    const slowComes = queues.slow.length > 0 && running.slow < processes
    const isFree = running.quick < processes && all <= processes && !slowComes
    if (running.quick === 0 || isFree) return queues.quick.shift()
    return all < most ? queues.quick.shift((name) => !atWork.has(name)) : undefined
  }

  function takeSlow(): Waiting | undefined {
    const all = running.quick + running.slow
    return running.slow < processes && all < most - 1 ? queues.slow.shift() : undefined
  }

  function count(name: string, more: 1 | -1) {
    const its = (atWork.get(name) ?? 0) + more
    if (its > 0) atWork.set(name, its)
    else atWork.delete(name)
  }

  async function carryOut(waiting: Waiting) {
    running[waiting.pace]++
    count(waiting.name, 1)
    let process: DecodingProcess | undefined
    try {
      process = await (waiting.again ? hire() : (takeIdle() ?? hire()))
      const decoder = process
      waiting.resolve(
        await timed(
          () => decoder.run(waiting.task),
          (seconds, error) => tell(waiting.task.kind, seconds, error),
        ),
      )
    } catch (error) {
      if (process && !all.has(process) && !waiting.task.signal?.aborted) metrics?.decoderCrashes.inc()
      refuseOrRetry(waiting, error)
    } finally {
      running[waiting.pace]--
      count(waiting.name, -1)
      if (process) putBack(process)
      dispatch()
    }
  }

  function refuseOrRetry(waiting: Waiting, error: unknown) {
    if (closed) waiting.reject(mediaBusy(error))
    else if (!(error instanceof TryOnceMore)) waiting.reject(error)
    else if (waiting.again) waiting.reject(error.otherwise)
    else queues[waiting.pace].putBack(waiting.name, { ...waiting, again: true })
  }

  function tell(task: string, seconds: number, error: unknown) {
    metrics?.decoderSeconds.observe({ task }, seconds)
    metrics?.decoderTasks.inc({ task, outcome: outcomeOf(error) })
  }

  async function hire(): Promise<DecodingProcess> {
    const confinement = await walls()
    if (closed) throw mediaBusy()
    if (all.size >= most) takeIdle()?.kill()
    const process: DecodingProcess = startProcess(confinement, memoryCapMb, () => forget(process))
    all.add(process)
    metrics?.decoderStarts.inc()
    return process
  }

  function takeIdle(): DecodingProcess | undefined {
    const last = idle.pop()
    clearTimeout(last?.timer)
    return last?.process
  }

  function putBack(process: DecodingProcess) {
    if (!all.has(process)) return
    if (process.worn) return process.kill()
    idle.push({ process, timer: setTimeout(() => process.kill(), idleMs).unref() })
  }

  function forget(process: DecodingProcess) {
    all.delete(process)
    const at = idle.findIndex((one) => one.process === process)
    if (at >= 0) clearTimeout(idle.splice(at, 1)[0]!.timer)
  }
}

const outcomeOf = (error: unknown) =>
  error === undefined ? 'ok' : error instanceof Problem ? error.code : 'error'

const mediaBusy = (cause?: unknown) =>
  new Problem('media-busy', 'Too many files are being looked at just now. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
    cause,
  })
