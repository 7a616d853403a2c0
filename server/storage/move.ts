import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Problem } from '../problems.ts'
import { hashing } from './hashing.ts'
import { sideBySide } from './side-by-side.ts'
import type { ObjectStore, Storage, StoredObject } from './storage.ts'

export interface Moved {
  /** Copied now, and read back. */
  objects: number
  bytes: number
  /** The new store had them already. */
  there: number
  /** What uploads begun before the move have put: read where it is until they are over. */
  uploads: number
  /** Keys under which the new store has something else. */
  differing: string[]
}

interface Move {
  from: ObjectStore
  to: ObjectStore
  /** A file that says how far it came. */
  bookmark: string
  /** Which two stores these are: the bookmark of another move says nothing. */
  name: string
  advance(objects: number): void
}

const atOnce = 8

/**
 * Copies what the new store lacks, and reads each object back to compare it. It asks no database, changes nothing in
 * the old store, and runs beside servers (moving.ts). Broken off, it goes on where it was; what it finds there already it
 * compares, unless a whole pass has done so before.
 */
export async function moveObjects({ from, to, bookmark, name, advance }: Move): Promise<Moved> {
  const moved: Moved = { objects: 0, bytes: 0, there: 0, uploads: 0, differing: [] }
  const mark = await readMark(bookmark, name)
  const start = mark?.behind ?? { clientId: '', key: '' }
  await writeMark(bookmark, { name, behind: start })

  for (const clientId of (await Array.fromAsync(from.clientIds())).sort()) {
    if (clientId < start.clientId) continue
    const behind = clientId === start.clientId ? start.key : ''
    const pair = { source: from.storageOf(clientId), target: to.storageOf(clientId) }
    for await (const batch of batches(pair, behind, moved)) {
      await Promise.all(
        batch.map(async ([object, found]) => {
          if (mark?.whole && found?.sizeBytes === object.sizeBytes) moved.there++
          else await moveOne(pair, object, moved)
        }),
      )
      await writeMark(bookmark, { name, behind: { clientId, key: batch.at(-1)![0].key } })
      advance(batch.length)
    }
  }
  await writeMark(bookmark, { name, whole: true })
  return moved
}

interface Pair {
  source: Storage
  target: Storage
}

/** The objects of a client behind a key, each with what the new store has there. */
async function* batches({ source, target }: Pair, behind: string, moved: Moved) {
  let batch: [object: StoredObject, found: StoredObject | undefined][] = []
  for await (const [object, found] of sideBySide(source.list(''), target.list(''))) {
    if (!object || object.key <= behind) continue
    if (object.key.startsWith('staging/')) {
      moved.uploads++
      continue
    }
    batch.push([object, found])
    if (batch.length < atOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function moveOne(pair: Pair, { key, sizeBytes }: StoredObject, moved: Moved): Promise<void> {
  const { source, target } = pair
  try {
    const hash = createHash('sha256')
    const body = await source.read(key)
    const isNew = await target
      .put(key, Readable.from(hashing(body, hash)), { sizeBytes, ifAbsent: true })
      .finally(() => body.destroy())
    const sum = isNew ? hash.digest('hex') : await sumOf(source, key)
    if (sum !== (await sumOf(target, key))) {
      moved.differing.push(key)
      if (isNew) await target.delete([key])
    } else if (isNew) {
      moved.objects++
      moved.bytes += sizeBytes
    } else moved.there++
  } catch (error) {
    // Somebody deleted it meanwhile.
    if (!(error instanceof Problem && error.code === 'object-missing')) throw error
  }
  // Servers delete in the old store first: what has gone there by now may have been put here after that.
  if (!(await source.head(key))) await target.delete([key])
}

async function sumOf(storage: Storage, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of storage.scan(key)) hash.update(chunk)
  return hash.digest('hex')
}

interface Mark {
  name: string
  /** All up to here has been moved and compared … */
  behind?: { clientId: string; key: string }
  /** … or all there was. */
  whole?: true
}

async function readMark(path: string, name: string): Promise<Mark | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  const mark = JSON.parse(text) as Mark
  return mark.name === name ? mark : undefined
}

async function writeMark(path: string, mark: Mark): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(mark), { mode: 0o600 })
  await rename(`${path}.new`, path)
}
