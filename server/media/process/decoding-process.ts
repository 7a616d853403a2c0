import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { objectMissing, Problem, storageUnavailable } from '../../problems.ts'
import type { Limits } from '../pictures/inspection.ts'
import type { Source } from '../pictures/source.ts'
import type { Confinement } from './confinement.ts'
import { toldUnder } from './kernel-files.ts'
import type { FromProcess, ToProcess, Want } from './messages.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'
import type { Tasks } from './tasks.ts'
import { waitedMs } from './waited.ts'

export interface Task {
  kind: keyof Tasks
  input: unknown
  source: Source
  /** A still of the video at that second, made by an ffmpeg beside; absent if there is none. */
  frame?: ((seconds: number, side: number) => Promise<Uint8Array>) | undefined
  /** Signs a claim of C2PA: the key stays in this process. Absent for what is not signed. */
  sign?: ((claim: Uint8Array) => Promise<Uint8Array>) | undefined
  /** Where a film that is made goes; absent for what makes none. */
  sink?: FilmSink | undefined
  limits: Limits
  timeoutMs: number
  /** Aborted when nobody wants it any more: it takes the process along. */
  signal?: AbortSignal | undefined
}

export interface FilmSink {
  write(position: number, bytes: Uint8Array): Promise<void>
  progress(share: number): Promise<void>
}

/** A child process that decodes strangers' files, one task at a time. Whatever a file does to it, only its own task fails. */
export interface DecodingProcess {
  run(task: Task): Promise<unknown>
  /** It has done enough, or holds too much memory: not to be given another task. */
  readonly worn: boolean
  readonly pid: number | undefined
  kill(): void
}

/** The file may not be to blame: what came before it in the same process, or somebody else, may have ended that. */
export class TryOnceMore extends Error {
  readonly otherwise: Error

  constructor(otherwise: Error) {
    super(otherwise.message)
    this.otherwise = otherwise
  }
}

// To start one takes as long as some three hundred small files; one that holds on to memory goes before.
const tasksInALife = 2_000
const startMs = 30_000
/** How much longer than its own time a task may take when it waits for the store. */
const storeShare = 10

interface Running {
  task: Task
  /** Runs while nothing is read for the task. */
  clock: Stopwatch
  /** Runs while something is. */
  storeClock: Stopwatch
  reads: number
  resolve(result: unknown): void
  reject(reason: Error): void
  sourceFailure?: Error
}

export function startProcess(
  confinement: Confinement,
  memoryCapMb: number,
  onExit: () => void,
): DecodingProcess {
  const child = launch(confinement, memoryCapMb)
  let running: Running | undefined
  let killedFor: Error | undefined
  let begun = 0
  let residentMb = 0
  let isDying = false
  let complaints = ''

  let isReady = false
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    complaints = (complaints + text).slice(-2000)
  })
  child.on('message', (message: FromProcess) => hear(message))
  child.on('error', (error) => ended(error.message))
  child.on('exit', (code, signal) => ended(signal ?? `exit ${code}`, signal))

  return {
    get worn() {
      return isDying || begun >= tasksInALife || residentMb > memoryCapMb * 0.4
    },
    get pid() {
      return child.pid
    },
    kill: () => void child.kill('SIGKILL'),
    async run(task) {
      holdOpen(child, true)
      if (!isReady) await inTime(ready.promise)
      task.signal?.throwIfAborted()
      begun++
      const clock = startStopwatch(task.timeoutMs, () => killFor(tooSlow()), waited)
      const storeClock = startStopwatch(task.timeoutMs * storeShare, () => killFor(storageUnavailable()))
      storeClock.hold()
      const stopWatching = watchMemory()
      const abandon = () => killFor(task.signal!.reason)
      task.signal?.addEventListener('abort', abandon)
      try {
        return await new Promise((resolve, reject) => {
          running = { task, clock, storeClock, reads: 0, resolve, reject }
          const { kind, input, limits, source } = task
          const { sizeBytes, path } = source
          say({ say: 'task', kind, input, limits, source: { sizeBytes, path } })
        })
      } finally {
        running = undefined
        clock.stop()
        storeClock.stop()
        stopWatching()
        task.signal?.removeEventListener('abort', abandon)
        holdOpen(child, false)
      }
    },
  }

  async function inTime(start: Promise<void>) {
    const tooLate = () => killFor(new Error('The media process did not start in time.'))
    const starting = startStopwatch(startMs, tooLate, waited)
    await start.finally(starting.stop)
  }

  function hear(message: FromProcess) {
    if (message.say === 'ready') {
      isReady = true
      return ready.resolve()
    }
    if (message.say === 'want') return void (running && handBytes(running, message.ask, message.want))
    residentMb = message.residentMb
    if (message.say === 'result')
      return running?.sourceFailure ? running.reject(running.sourceFailure) : running?.resolve(message.result)
    isDying = message.isLast
    running?.reject(running.sourceFailure ?? doubted(problemOf(message), message.isLast))
  }

  async function handBytes(current: Running, ask: number, want: Want) {
    const { task } = current
    const isRead = want.what === 'range' || want.what === 'frame'
    if (isRead) beginRead(current)
    try {
      say({ say: 'bytes', ask, bytes: await bytesFor(task, want) })
    } catch (error) {
      // That ffmpeg has no picture to give says something of the file, and another way may be found.
      if (!(error instanceof Problem && error.code === 'unreadable-media'))
        current.sourceFailure = error as Error
      say({ say: 'no-bytes', ask })
    } finally {
      if (isRead) endRead(current)
    }
  }

  /** The store's slowness is not the file's, nor the file's the store's. */
  function beginRead(current: Running) {
    if (current.reads++ > 0) return
    current.clock.hold()
    current.storeClock.goOn()
  }

  function endRead(current: Running) {
    if (--current.reads > 0) return
    current.storeClock.hold()
    current.clock.goOn()
  }

  function say(message: ToProcess) {
    if (child.connected) child.send(message, () => {}) // a dead child is told by its exit
  }

  function ended(how: string, signal?: NodeJS.Signals | null) {
    onExit()
    const cause = new Error(`decoding process ended: ${how}; ${complaints}`)
    const outside = !killedFor && (signal === 'SIGKILL' || signal === 'SIGTERM')
    ready.reject(
      outside
        ? new TryOnceMore(cause)
        : (killedFor ?? new Error(`The media process does not start: ${complaints}`)),
    )
    running?.reject(running.sourceFailure ?? killedFor ?? doubted(broughtDown(cause), true, outside))
  }

  /** A crash is the file's own doing only where the process was fresh. */
  function doubted(problem: Error, crashed: boolean, outside = false): Error {
    return crashed && (outside || begun > 1) ? new TryOnceMore(problem) : problem
  }

  /** That a machine has much to do is not the file's fault: what the child and this process stood in line for. */
  function waited(): number {
    return waitedMs(child.pid ?? 0) + waitedMs(process.pid)
  }

  function killFor(reason: Error) {
    killedFor = reason
    child.kill('SIGKILL')
  }

  /** The kernel's own limit stands behind it, a little higher: that one counts memory that was never touched. */
  function watchMemory() {
    const timer = setInterval(() => {
      if (residentMbOf(child.pid!) > memoryCapMb) killFor(doubted(tooLarge(), true))
    }, 50)
    return () => clearInterval(timer)
  }
}

/**
 * Node's permission flags keep JavaScript in there from writing files and from starting programs; they bind neither
 * native code nor, in Node 24, the network. The network is taken away by `confinement.ts` where the machine allows it.
 */
function launch(confinement: Confinement, memoryCapMb: number): ChildProcess {
  const [program, args] = confinement.around([
    process.execPath,
    '--permission',
    '--allow-fs-read=*',
    '--allow-addons',
    '--disable-warning=PERM0001',
    `--max-old-space-size=${Math.round(memoryCapMb / 2)}`,
    fileURLToPath(new URL('./worker.ts', import.meta.url)),
  ])
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, TZ: 'UTC', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  holdOpen(child, false)
  return child
}

/** Whether this process has to stay alive for the child's sake: only while a task runs. */
function holdOpen(child: ChildProcess, held: boolean) {
  const verb = held ? 'ref' : 'unref'
  child[verb]()
  child.channel?.[verb]()
  const stderr = child.stderr as unknown as { ref?(): void; unref?(): void } | null
  stderr?.[verb]?.()
}

async function bytesFor({ source, frame, sign, sink }: Task, want: Want): Promise<Uint8Array> {
  if (want.what === 'range') return source.read(want.start, want.end)
  if (want.what === 'frame') return frame!(want.seconds, want.side)
  if (want.what === 'signature') return sign!(want.claim)
  if (want.what === 'write') await sink!.write(want.position, want.bytes)
  else await sink!.progress(want.share)
  return nothing
}

const nothing = new Uint8Array()

const smallerAdvice = 'Export the file again, perhaps smaller, then upload it.'
const tooSlow = () => new Problem('unreadable-media', `It takes too long to read. ${smallerAdvice}`)
const tooLarge = () => new Problem('unreadable-media', `It needs too much memory to read. ${smallerAdvice}`)
const broughtDown = (cause: Error) =>
  new Problem('unreadable-media', `Reading it brought the decoder down. ${smallerAdvice}`, { cause })

function problemOf({ code, detail, because }: FromProcess & { say: 'refusal' }): Problem {
  const cause = new Error(because)
  return code === 'object-missing' ? objectMissing(cause) : new Problem(code, detail, { cause })
}

const pageBytes = 4096

function residentMbOf(pid: number): number {
  try {
    return (Number(toldUnder(`/proc/${pid}/statm`).split(' ')[1]) * pageBytes) / 2 ** 20
  } catch {
    return 0 // no /proc here, or the process has just ended
  }
}
