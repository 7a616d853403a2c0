import { randomUUID } from 'node:crypto'
import { constants, existsSync, renameSync } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { objectMissing, Problem, storageFull, storageUnavailable } from '../problems.ts'
import { exactly } from './exactly.ts'
import { isKey } from './keys.ts'
import type { ByteRange, StoredObject } from './storage.ts'

const chunkBytes = 256 * 1024

// Used over and over: memory that V8 does not see fill up makes it collect garbage far too often.
const spareChunks: Buffer[] = []
const mostSpareChunks = 8

const aDay = 24 * 60 * 60 * 1000

/**
 * Objects as files below one folder. A file appears under its key complete and synced, or not at all, and is
 * never rewritten in place, only replaced by rename: hence one inode may stand under several keys.
 */
export function diskFiles(root: string, now: () => number, keepsDeletedIn?: string) {
  const folder = resolve(root)
  const unfinished = join(folder, 'unfinished')
  const ready = prepare(unfinished, now() - aDay)
  ready.catch(() => {}) // whoever writes first meets it again

  const pathOf = (key: string) => {
    const path = resolve(folder, key)
    if (!isKey(key) || !path.startsWith(folder + sep))
      throw new Error(`Not a storage key: ${JSON.stringify(key)}`)
    return path
  }

  async function viaTemporary<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    await ready
    const path = join(unfinished, randomUUID())
    try {
      return await work(path)
    } finally {
      // Also after a rename: between two links of one inode, rename does nothing and leaves both.
      await unlink(path).catch(() => {}) // swept a day later
    }
  }

  return {
    pathOf,

    head: (key: string): Promise<StoredObject | undefined> => withinReach(() => fileAt(pathOf(key), key)),

    read: (key: string, range?: ByteRange) =>
      withinReach(async () => {
        const { file } = await openWithin(pathOf(key), range)
        return file.createReadStream({ ...range, highWaterMark: chunkBytes })
      }),

    async *scan(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
      const { file, sizeBytes } = await withinReach(() => openWithin(pathOf(key), range))
      const chunk = spareChunks.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
      const end = Math.min(sizeBytes, range ? range.end + 1 : sizeBytes)
      try {
        for (let at = range?.start ?? 0; at < end; ) {
          const wanted = Math.min(chunkBytes, end - at)
          const { bytesRead } = await withinReach(() => file.read(chunk, 0, wanted, at))
          if (bytesRead === 0) break
          yield chunk.subarray(0, bytesRead)
          at += bytesRead
        }
        // Not when its reader left early: the last chunk may still be on its way out.
        if (spareChunks.length < mostSpareChunks) spareChunks.push(chunk)
      } finally {
        await file.close()
      }
    },

    put: (
      key: string,
      body: Uint8Array | AsyncIterable<Uint8Array>,
      options: { sizeBytes: number; ifAbsent?: boolean },
    ) =>
      withinReach(() =>
        viaTemporary(async (temporary) => {
          await write(temporary, exactly(options.sizeBytes, body))
          return place(temporary, pathOf(key), options.ifAbsent ? claim : replace)
        }),
      ),

    copy: (from: string, to: string) =>
      withinReach(async () => {
        if (!(await fileAt(pathOf(from), from))) throw objectMissing()
        if (await place(pathOf(from), pathOf(to), linkAnew)) return
        await viaTemporary(async (temporary) => {
          await sameInode(pathOf(from), temporary)
          await place(temporary, pathOf(to), replace)
        })
      }),

    join: (parts: string[], to: string) =>
      withinReach(() =>
        viaTemporary(async (temporary) => {
          await write(temporary, oneAfterAnother(parts.map(pathOf)))
          await place(temporary, pathOf(to), replace)
        }),
      ),

    delete: (keys: string[]) =>
      withinReach(async () => {
        for (const key of keys) {
          const path = pathOf(key)
          if (keepsDeletedIn && existsSync(keepsDeletedIn))
            await keep(path, join(keepsDeletedIn, flatName(key)))
          await unlink(path).catch(unlessAbsent)
          await prune(dirname(path), folder)
        }
      }),

    async *list(prefix: string): AsyncGenerator<StoredObject> {
      const start = join(folder, prefix.slice(0, prefix.lastIndexOf('/') + 1))
      for await (const path of filesBelow(start, prefix, folder)) {
        const key = keyOf(path, folder)
        const found = await withinReach(() => fileAt(path, key))
        if (found) yield found
      }
    },

    foldersIn: (prefix: string) =>
      withinReach(async () => {
        const found = await readdir(join(folder, prefix), { withFileTypes: true }).catch(unlessAbsent)
        return (found ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name)
      }),

    check: () => withinReach(() => viaTemporary((temporary) => write(temporary, [Buffer.from('1')]))),

    close: () => ready.catch(() => {}),
  }
}

const openObject = (path: string) =>
  open(path).catch((error) => {
    throw isAbsence(error) ? objectMissing(error) : error
  })

/** Open, and known to have something in the range. */
async function openWithin(path: string, range?: ByteRange) {
  const file = await openObject(path)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw objectMissing()
    if (range && range.start >= found.size) throw rangeNotSatisfiable()
    return { file, sizeBytes: found.size }
  } catch (error) {
    await file.close()
    throw error
  }
}

const rangeNotSatisfiable = () =>
  new Problem('range-not-satisfiable', 'The range starts behind the end of the file.')

/** The disk's own errors become `storageUnavailable`, with the cause kept. */
async function withinReach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isFull(error)) throw storageFull(error)
    throw isErrno(error) ? storageUnavailable(error) : error
  }
}

const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error
const hasCode = (error: unknown, ...codes: string[]) => isErrno(error) && codes.includes(error.code ?? '')
const isFull = (error: unknown) => hasCode(error, 'ENOSPC', 'EDQUOT')
const isAbsence = (error: unknown) => hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')

const unlessAbsent = (error: unknown) => {
  if (!isAbsence(error)) throw error
}

async function prepare(unfinished: string, tooOld: number): Promise<void> {
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await chmod(dirname(unfinished), 0o700)
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < tooOld) await rm(path, { force: true })
  }
}

async function fileAt(path: string, key: string): Promise<StoredObject | undefined> {
  const found = await stat(path).catch(unlessAbsent)
  if (!found?.isFile()) return undefined
  // ctime, because a link keeps the mtime of what it was copied from, and a sweep must not take a new copy for an old object.
  return { key, sizeBytes: found.size, lastModified: found.ctime }
}

async function write(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(chunks)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* oneAfterAnother(paths: string[]) {
  for (const path of paths) {
    const file = await openObject(path)
    yield* file.createReadStream({ highWaterMark: 1024 * 1024 })
  }
}

async function sameInode(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isAbsence(error)) throw objectMissing(error)
    // Some file systems know no links, others not across their borders, and all have a highest number.
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await sync(to)
  }
}

/** Without folders of its own: the folder may go any time, and must not come back. */
async function keep(path: string, at: string): Promise<void> {
  await link(path, at).catch(async (error) => {
    if (isAbsence(error) || hasCode(error, 'EEXIST')) return
    await copyFile(path, at, constants.COPYFILE_FICLONE)
  })
}

type Placing = (from: string, path: string) => Promise<boolean>

const replace: Placing = async (temporary, path) => {
  await rename(temporary, path)
  return true
}

/** The short way for a copy: works where links do and nothing stands there yet. */
const linkAnew: Placing = async (from, path) => {
  try {
    await link(from, path)
    return true
  } catch (error) {
    if (!isAbsence(error)) return false
    throw (await stat(from).catch(unlessAbsent)) ? error : objectMissing(error)
  }
}

const claim: Placing = async (temporary, path) => {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (isAbsence(error)) throw error
    // No links here. One process owns the folder, so nothing comes between two synchronous calls.
    if (existsSync(path)) return false
    renameSync(temporary, path)
    return true
  }
}

async function place(temporary: string, path: string, how: Placing): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const placed = await how(temporary, path)
      await syncFolders(dirname(path), made ? dirname(made) : dirname(path))
      return placed
    } catch (error) {
      // A delete beside us pruned the folder before the file was in it.
      if (!hasCode(error, 'ENOENT') || attempt === 20) throw error
    }
  }
}

/** A name survives a crash once its folder is synced, and a new folder once its own parent is. All at once: the disk then waits once. */
async function syncFolders(lowest: string, highest: string): Promise<void> {
  const folders = [lowest]
  for (let folder = lowest; folder.length > highest.length; ) {
    folder = dirname(folder)
    folders.push(folder)
  }
  await Promise.all(folders.map((folder) => sync(folder).catch(unlessAbsent)))
}

async function sync(path: string): Promise<void> {
  const opened = await open(path)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

async function prune(emptied: string, root: string): Promise<void> {
  for (let folder = emptied; folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (!isAbsence(error)) return
    }
  }
}

/** No key has a plus. */
const flatName = (key: string) => key.replaceAll('/', '+')
export const keyOfFlatName = (name: string) => name.replaceAll('+', '/')

const keyOf = (path: string, folder: string) => relative(folder, path).split(sep).join('/')

/** In the order of their keys: a folder sorts by its name with the slash, so `a-b` comes before `a/b`. */
async function* filesBelow(start: string, prefix: string, folder: string): AsyncGenerator<string> {
  const found = await withinReach(() => readdir(start, { withFileTypes: true }).catch(unlessAbsent))
  const entries = (found ?? []).map((entry) => ({
    name: entry.name + (entry.isDirectory() ? '/' : ''),
    entry,
  }))
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))

  for (const { entry } of entries) {
    const path = join(start, entry.name)
    const key = keyOf(path, folder)
    if (entry.isDirectory()) {
      if (`${key}/`.startsWith(prefix)) yield* filesBelow(path, prefix, folder)
    } else if (key.startsWith(prefix)) {
      yield path
    }
  }
}
