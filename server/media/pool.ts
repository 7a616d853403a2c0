import { Problem } from '../problems.ts'
import type { Confinement } from './confinement.ts'
import { type DecodingProcess, startProcess, type Task, TryOnceMore } from './decoding-process.ts'

export interface PoolOptions {
  /** How many slow tasks run at once. One process more is kept for quick ones, so that they never wait for those. */
  processes: number
  memoryCapMb: number
  /** How many tasks may wait; over it, callers are told to come again. */
  queueLength: number
  walls(): Promise<Confinement>
}

export interface Pool {
  run(task: Task, pace: 'quick' | 'slow'): Promise<unknown>
  /** Process ids at work or waiting for work. */
  pids(): number[]
  close(): Promise<void>
}

interface Waiting {
  task: Task
  pace: 'quick' | 'slow'
  /** It failed through no fault of its own, perhaps: now it gets a fresh process. */
  again: boolean
  resolve(result: unknown): void
  reject(reason: unknown): void
}

const idleMs = 120_000

export function openPool({ processes, memoryCapMb, queueLength, walls }: PoolOptions): Pool {
  const queues = { quick: [] as Waiting[], slow: [] as Waiting[] }
  const all = new Set<DecodingProcess>()
  const idle: { process: DecodingProcess; timer: NodeJS.Timeout }[] = []
  const running = { quick: 0, slow: 0 }
  let closed = false

  return {
    run(task, pace) {
      if (closed || queues[pace].length >= queueLength) return Promise.reject(mediaBusy())
      return new Promise((resolve, reject) => {
        queues[pace].push({ task, pace, again: false, resolve, reject })
        dispatch()
      })
    },
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    async close() {
      closed = true
      for (const { reject } of [...queues.quick.splice(0), ...queues.slow.splice(0)]) reject(mediaBusy())
      for (const process of all) process.kill()
    },
  }

  function dispatch() {
    for (let next = takeNext(); next; next = takeNext()) void carryOut(next)
  }

  function takeNext(): Waiting | undefined {
    if (running.quick + running.slow > processes) return undefined
    return queues.quick.shift() ?? (running.slow < processes ? queues.slow.shift() : undefined)
  }

  async function carryOut(waiting: Waiting) {
    running[waiting.pace]++
    let process: DecodingProcess | undefined
    try {
      process = await (waiting.again ? hire() : (takeIdle() ?? hire()))
      waiting.resolve(await process.run(waiting.task))
    } catch (error) {
      refuseOrRetry(waiting, error)
    } finally {
      running[waiting.pace]--
      if (process) putBack(process)
      dispatch()
    }
  }

  function refuseOrRetry(waiting: Waiting, error: unknown) {
    if (closed) waiting.reject(mediaBusy(error))
    else if (!(error instanceof TryOnceMore)) waiting.reject(error)
    else if (waiting.again) waiting.reject(error.otherwise)
    else queues[waiting.pace].unshift({ ...waiting, again: true })
  }

  async function hire(): Promise<DecodingProcess> {
    const confinement = await walls()
    if (closed) throw mediaBusy()
    if (all.size > processes) takeIdle()?.kill()
    const process: DecodingProcess = startProcess(confinement, memoryCapMb, () => forget(process))
    all.add(process)
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

const mediaBusy = (cause?: unknown) =>
  new Problem('media-busy', 'Too many files are being looked at just now. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
    cause,
  })
