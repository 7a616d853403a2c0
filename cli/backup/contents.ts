import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TarEntry } from './tar.ts'

/** What of DATA_DIR is kept: all that cannot be made anew. */
export const kept = ['database', 'objects', 'secret.key'] as const

/** In the format of sha256sum, the last file of the archive. */
export const sumsName = 'SHA256SUMS'

/** Everything that is kept, folders before what is in them; empty ones too, for the database wants them. */
export async function* contentsOf(dataDir: string): AsyncGenerator<TarEntry> {
  for (const name of kept) yield* entriesAt(dataDir, name)
}

async function* entriesAt(dataDir: string, name: string): AsyncGenerator<TarEntry> {
  const path = join(dataDir, name)
  const found = await stat(path).catch(() => undefined)
  if (!found || name === 'objects/unfinished') return
  const directory = found.isDirectory()
  const entry = { name, directory, modifiedAt: found.mtime, sizeBytes: directory ? 0 : found.size }
  if (directory || found.isFile())
    yield { ...entry, body: directory ? nothing() : createReadStream(path, { highWaterMark: 1024 ** 2 }) }
  if (directory)
    for (const child of (await readdir(path)).sort()) yield* entriesAt(dataDir, `${name}/${child}`)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
