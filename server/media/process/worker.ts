import { open } from 'node:fs/promises'
import { Refusal, unreadable } from '../pictures/refusal.ts'
import type { FromProcess, ToProcess, Want } from './messages.ts'
import { type TaskSource, tasks } from './tasks.ts'

// A process of its own for hostile files: it is given one task at a time and may be killed at any moment.

// Whatever a library may want of the network, it gets nothing.
globalThis.fetch = () => Promise.reject(new Error('Nothing is fetched here.'))

process.on('disconnect', () => process.exit())

// The video decoder throws outside of any promise on some damaged packets. Nothing is to be trusted after that.
process.on('uncaughtException', (error) => process.send?.(refusalOf(error, true), () => process.exit(1)))

const awaited = new Map<number, { resolve(bytes: Uint8Array): void; reject(reason: Error): void }>()
let asked = 0

process.on('message', async (message: ToProcess) => {
  if (message.say === 'task') return say(await outcomeOf(message))
  const read = awaited.get(message.ask)
  awaited.delete(message.ask)
  if (message.say === 'bytes') read?.resolve(message.bytes)
  else read?.reject(new Error('The source could not be read.'))
})

say({ say: 'ready' })

async function outcomeOf({ kind, input, source, limits }: ToProcess & { say: 'task' }): Promise<FromProcess> {
  try {
    await using opened =
      (source.path && (await localFile(source.path, source.sizeBytes))) || remote(source.sizeBytes)
    const result = await tasks[kind](opened, input as never, limits)
    return { say: 'result', result, residentMb: residentMb() }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown, isLast = false): FromProcess {
  const { code, message } =
    error instanceof Refusal ? error : unreadable('The file is damaged. Export it again, then upload it.')
  return { say: 'refusal', code, detail: message, because: causes(error), residentMb: residentMb(), isLast }
}

type OpenedSource = TaskSource & AsyncDisposable

/** Undefined where the walls are in the way of what is the parent's: it reads for us then. */
async function localFile(path: string, sizeBytes: number): Promise<OpenedSource | undefined> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EACCES') return undefined
    throw new Refusal('object-missing', 'The stored file is gone.', { cause })
  })
  if (!file) return undefined
  return {
    path,
    sizeBytes,
    async read(start, end) {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafeSlow(end - start),
        0,
        end - start,
        start,
      )
      return buffer.subarray(0, bytesRead)
    },
    ...parent,
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function remote(sizeBytes: number): OpenedSource {
  return {
    sizeBytes,
    read: (start, end) => ask({ what: 'range', start, end }),
    ...parent,
    [Symbol.asyncDispose]: async () => {},
  }
}

const parent: Omit<TaskSource, 'sizeBytes' | 'read'> = {
  frame: (seconds, side) => ask({ what: 'frame', seconds, side }),
  sign: (claim) => ask({ what: 'signature', claim }),
  write: async (position, bytes) => void (await ask({ what: 'write', position, bytes })),
  progress: async (share) => void (await ask({ what: 'progress', share })),
}

function ask(want: Want): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    asked++
    awaited.set(asked, { resolve, reject })
    say({ say: 'want', ask: asked, want })
  })
}

function say(message: FromProcess) {
  process.send?.(message)
}

const residentMb = () => process.memoryUsage.rss() / 2 ** 20

function causes(error: unknown): string {
  const texts: string[] = []
  for (let at = error; at instanceof Error && texts.length < 4; at = at.cause) texts.push(at.message)
  return texts.join(' ← ').slice(0, 500)
}
