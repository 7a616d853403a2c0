import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from '../pictures/source.ts'

/** A file without a name, so that nothing is left behind whatever happens. */
export async function scratchFile(scratchFolder: string): Promise<FileHandle> {
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const path = join(scratchFolder, `video-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

export async function scratchCopy(
  source: Source,
  scratchFolder: string,
  signal: AbortSignal,
): Promise<FileHandle> {
  const file = await scratchFile(scratchFolder)
  try {
    for await (const chunk of chunksOf(source)) {
      signal.throwIfAborted()
      await file.writeFile(chunk)
    }
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The same bytes as a file that another process can open, where they are more than it can hold. */
export async function localFile(
  source: Source,
  scratchFolder: string,
  mostHeld: number,
): Promise<Source & AsyncDisposable> {
  if (source.path || source.sizeBytes <= mostHeld) return { ...source, [Symbol.asyncDispose]: async () => {} }
  const file = await scratchCopy(source, scratchFolder, new AbortController().signal)
  return {
    ...source,
    path: `/proc/${process.pid}/fd/${file.fd}`,
    [Symbol.asyncDispose]: () => file.close(),
  }
}

const chunkBytes = 4 * 1024 * 1024

async function* chunksOf(source: Source) {
  for (let start = 0; start < source.sizeBytes; start += chunkBytes) {
    yield await source.read(start, Math.min(source.sizeBytes, start + chunkBytes))
  }
}
