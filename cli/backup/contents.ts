import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keptForBackup } from '../../server/live-backup.ts'
import { keyOfFlatName } from '../../server/storage/disk-files.ts'
import type { TarEntry } from './tar.ts'

/** What of DATA_DIR is kept: all that cannot be made anew. */
export const kept = ['database', 'objects', 'secret.key'] as const

/** In the format of sha256sum, the last file of the archive. */
export const sumsName = 'SHA256SUMS'

/**
 * Everything that is kept, folders before what is in them; empty ones too, for the database wants them. Of a running
 * server's folder the database is the copy of a moment, and the objects are those of now with those deleted since.
 */
export async function* contentsOf(dataDir: string, { live = false } = {}): AsyncGenerator<TarEntry> {
  if (!live) for (const name of kept) yield* entriesAt(dataDir, name)
  else {
    const { database, deleted } = keptForBackup(dataDir)
    yield* entriesAt(database, 'database', '')
    const told = new Set<string>()
    for await (const entry of entriesAt(dataDir, 'objects')) {
      told.add(entry.name)
      yield entry
    }
    for (const file of await readdir(deleted)) {
      const name = `objects/${keyOfFlatName(file)}`
      if (!told.has(name)) yield* entriesAt(deleted, name, file)
    }
    yield* entriesAt(dataDir, 'secret.key')
  }
}

/** What is gone or going when its turn comes is left out. */
export async function* entriesAt(folder: string, name: string, below = name): AsyncGenerator<TarEntry> {
  if (name === 'objects/unfinished') return
  const path = join(folder, below)
  const found = await stat(path).catch(() => undefined)
  if (!found) return
  if (found.isDirectory()) {
    yield { name, directory: true, modifiedAt: found.mtime, sizeBytes: 0, body: nothing() }
    for (const child of (await readdir(path).catch(() => [])).sort())
      yield* entriesAt(folder, `${name}/${child}`, below ? `${below}/${child}` : child)
  } else if (found.isFile()) {
    const file = await open(path).catch(() => undefined)
    if (!file) return
    // Of the file that is open: another may take its name any time.
    const { size, mtime } = await file.stat()
    const body = file.createReadStream({ highWaterMark: 1024 ** 2 })
    yield { name, directory: false, modifiedAt: mtime, sizeBytes: size, body }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
