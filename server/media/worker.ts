import { open } from 'node:fs/promises'
import type { FromProcess, ToProcess } from './messages.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'
import { tasks } from './tasks.ts'

// A process of its own for hostile files: it is given one task at a time and may be killed at any moment.

process.on('disconnect', () => process.exit())

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
    await using opened = source.path
      ? await localFile(source.path, source.sizeBytes)
      : remote(source.sizeBytes)
    const result = await tasks[kind](opened, input as never, limits)
    return { say: 'result', result, residentMb: residentMb() }
  } catch (error) {
    const { code, message } =
      error instanceof Refusal
        ? error
        : new Refusal('unreadable-media', 'The file cannot be read. Export it again, then upload it.')
    return { say: 'refusal', code, detail: message, because: causes(error), residentMb: residentMb() }
  }
}

type OpenedSource = Source & AsyncDisposable

async function localFile(path: string, sizeBytes: number): Promise<OpenedSource> {
  const file = await open(path).catch((cause) => {
    throw new Refusal('object-missing', 'The stored file is gone.', { cause })
  })
  return {
    path,
    sizeBytes,
    async read(start, end) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
      return buffer.subarray(0, bytesRead)
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function remote(sizeBytes: number): OpenedSource {
  return {
    sizeBytes,
    read: (start, end) =>
      new Promise((resolve, reject) => {
        asked++
        awaited.set(asked, { resolve, reject })
        say({ say: 'read', ask: asked, start, end })
      }),
    [Symbol.asyncDispose]: async () => {},
  }
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
