import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { objectMissing, Problem } from '../problems.ts'
import type { Confinement } from './confinement.ts'
import type { Limits } from './inspection.ts'
import type { FromProcess, ToProcess, Want } from './messages.ts'
import type { Source } from './source.ts'
import type { Tasks } from './tasks.ts'

export interface Task {
  kind: keyof Tasks
  input: unknown
  source: Source
  /** A still of the film at that second, made by an ffmpeg beside; absent if there is none. */
  frame?: ((seconds: number, side: number) => Promise<Uint8Array>) | undefined
  limits: Limits
  timeoutMs: number
}

/** A child process that decodes strangers' files, one task at a time. Whatever a file does to it, only its own task fails. */
export interface DecodingProcess {
  run(task: Task): Promise<unknown>
  /** It has done enough, or holds too much memory: not to be given another task. */
  readonly worn: boolean
  readonly pid: number | undefined
  kill(): void
}

/** Somebody else ended the process; the file is not to blame, so its task may be tried again. */
export class KilledFromOutside extends Error {}

const tasksInALife = 500
const startMs = 30_000

export function startProcess(
  confinement: Confinement,
  memoryCapMb: number,
  onExit: () => void,
): DecodingProcess {
  const child = launch(confinement, memoryCapMb)
  let running: { task: Task; resolve(result: unknown): void; reject(reason: Error): void } | undefined
  let sourceFailure: Error | undefined
  let killedFor: string | undefined
  let done = 0
  let residentMb = 0
  let complaints = ''

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
      return done >= tasksInALife || residentMb > memoryCapMb * 0.4
    },
    get pid() {
      return child.pid
    },
    kill: () => void child.kill('SIGKILL'),
    async run(task) {
      holdOpen(child, true)
      const stopStarting = killAfter(startMs, 'It did not start in time.')
      await ready.promise.finally(stopStarting)
      const stopTimer = killAfter(task.timeoutMs, 'It takes too long to read.')
      const stopWatching = watchMemory()
      try {
        return await new Promise((resolve, reject) => {
          running = { task, resolve, reject }
          const { kind, input, limits, source } = task
          say({
            say: 'task',
            kind,
            input,
            limits,
            source: { sizeBytes: source.sizeBytes, path: source.path },
          })
        })
      } finally {
        running = undefined
        sourceFailure = undefined
        done++
        stopTimer()
        stopWatching()
        holdOpen(child, false)
      }
    },
  }

  function hear(message: FromProcess) {
    if (message.say === 'ready') return ready.resolve()
    if (message.say === 'want') return void handBytes(message.ask, message.want)
    residentMb = message.residentMb
    if (message.say === 'result') running?.resolve(message.result)
    else running?.reject(sourceFailure ?? problemOf(message))
  }

  async function handBytes(ask: number, want: Want) {
    const { source, frame } = running!.task
    try {
      const bytes =
        want.what === 'range'
          ? await source.read(want.start, want.end)
          : await frame!(want.seconds, want.side)
      say({ say: 'bytes', ask, bytes })
    } catch (error) {
      sourceFailure = error as Error
      say({ say: 'no-bytes', ask })
    }
  }

  function say(message: ToProcess) {
    if (child.connected) child.send(message, () => {}) // a dead child is told by its exit
  }

  function ended(how: string, signal?: NodeJS.Signals | null) {
    onExit()
    const outside =
      !killedFor && (signal === 'SIGKILL' || signal === 'SIGTERM') ? new KilledFromOutside(how) : undefined
    ready.reject(outside ?? new Error(`The media process does not start: ${how}. ${complaints}`))
    const cause = new Error(`decoding process ended: ${how}; ${complaints}`)
    running?.reject(sourceFailure ?? outside ?? broughtDown(killedFor, cause))
  }

  function killAfter(ms: number, reason: string) {
    const timer = setTimeout(() => killFor(reason), ms)
    return () => clearTimeout(timer)
  }

  function killFor(reason: string) {
    killedFor = reason
    child.kill('SIGKILL')
  }

  /** The kernel's own limit stands behind it, a little higher: that one counts memory that was never touched. */
  function watchMemory() {
    const timer = setInterval(() => {
      if (residentMbOf(child.pid!) > memoryCapMb) killFor('It needs too much memory to read.')
    }, 50)
    return () => clearInterval(timer)
  }
}

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

function broughtDown(reason: string | undefined, cause: Error): Problem {
  const why = reason ?? 'Reading it brought the decoder down.'
  return new Problem('unreadable-media', `${why} Export the file again, perhaps smaller, then upload it.`, {
    cause,
  })
}

function problemOf({ code, detail, because }: FromProcess & { say: 'refusal' }): Problem {
  const cause = new Error(because)
  return code === 'object-missing' ? objectMissing(cause) : new Problem(code, detail, { cause })
}

const pageBytes = 4096

function residentMbOf(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageBytes) / 2 ** 20
  } catch {
    return 0 // no /proc here, or the process has just ended
  }
}
