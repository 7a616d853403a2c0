import type { FileHandle } from 'node:fs/promises'
import { once } from '../media/once.ts'
import type { LentFile, Source } from '../media/pictures/source.ts'
import { scratchFile } from '../media/process/scratch.ts'

/** A stored object: decoders look at it here and there, checksums go through it from one end to the other. */
export interface StoredSource extends Source {
  scan(): AsyncIterable<Uint8Array>
  /** Nobody waits for it any more. */
  release(): void
}

/** Copies of what lies in a store that is far away, on this machine for as long as it is looked at. */
export interface Scratch {
  /** The same object; while it is kept, no byte of it is asked of the store twice. */
  kept(id: string, stored: Omit<StoredSource, 'release'>): StoredSource
  keptBytes(): number
  close(): Promise<void>
}

export interface ScratchOptions {
  folder: string
  /** All copies together. What finds no room is asked of the store each time. */
  maxBytes: number
  /** Whether jobs run in this process: what was read for its checksums is kept for them before all else. */
  hasJobs?: boolean
  idleMs?: number
}

const mostFiles = 500

export function openScratch({ folder, maxBytes, hasJobs = true, idleMs = 600_000 }: ScratchOptions): Scratch {
  /** The one that was not used for the longest time comes first. */
  const copies = new Map<string, Copy>()
  let keptBytes = 0
  const timer = setInterval(dropIdle, Math.min(60_000, idleMs)).unref()

  function use(id: string, stored: Omit<StoredSource, 'release'>): Copy {
    const copy =
      copies.get(id) ??
      new Copy(
        stored,
        { take, giveBack },
        once(() => scratchFile(folder)),
      )
    copies.delete(id)
    copies.set(id, copy)
    copy.usedAt = performance.now()
    return copy
  }

  function take(bytes: number): boolean {
    for (const [id, copy] of copies) {
      if (keptBytes + bytes <= maxBytes && copies.size <= mostFiles) break
      if (copy.uses === 0 && !(copy.isAwaited && hasJobs)) drop(id, copy)
    }
    if (keptBytes + bytes > maxBytes || copies.size > mostFiles) return false
    keptBytes += bytes
    return true
  }

  function giveBack(bytes: number) {
    keptBytes -= bytes
  }

  function drop(id: string, copy: Copy): Promise<void> {
    copies.delete(id)
    return copy.close()
  }

  function dropIdle() {
    const now = performance.now()
    for (const [id, copy] of copies) if (copy.uses === 0 && now - copy.usedAt > idleMs) void drop(id, copy)
  }

  return {
    kept: (id, stored) => ({
      sizeBytes: stored.sizeBytes,
      read: (start, end) => use(id, stored).read(start, end),
      scan: () => use(id, stored).scan(),
      lend: () => copies.get(id)?.lend(),
      release() {
        const copy = copies.get(id)
        if (copy) copy.isAwaited = false
      },
    }),
    keptBytes: () => keptBytes,
    async close() {
      clearInterval(timer)
      await Promise.all([...copies].map(([id, copy]) => drop(id, copy)))
    },
  }
}

interface Room {
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** Where a file without a name can be opened by another process. */
const hasProc = process.platform === 'linux'

const blockBytes = 256 * 1024
const mostAtOnce = 8 * 1024 ** 2

/** What has been read of one object, in a file without a name: it is gone with this process, however that ends. */
class Copy {
  uses = 0
  usedAt = 0
  /** Read from one end to the other for its checksums: what is made of it comes next. */
  isAwaited = false
  readonly #stored: Omit<StoredSource, 'release'>
  readonly #room: Room
  readonly #open: () => Promise<FileHandle>
  #file: FileHandle | undefined
  readonly #here: Uint8Array
  #hereBytes = 0
  /** Blocks that are being read from the store, and the end of that. */
  readonly #coming = new Map<number, Promise<unknown>>()

  constructor(stored: Omit<StoredSource, 'release'>, room: Room, open: () => Promise<FileHandle>) {
    this.#stored = stored
    this.#room = room
    this.#open = open
    this.#here = new Uint8Array(Math.ceil(stored.sizeBytes / blockBytes))
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    using _ = this.#inUse()
    if (end <= start) return new Uint8Array()
    for (;;) {
      const block = this.#firstAbsent(start, end)
      if (block === undefined) return this.#fromFile(start, end)
      const coming = this.#coming.get(block)
      if (coming) await coming
      else if (!(await this.#bring(block, end))) return this.#stored.read(start, end)
    }
  }

  async *scan(): AsyncGenerator<Uint8Array> {
    using _ = this.#inUse()
    const { sizeBytes } = this.#stored
    if (this.#hereBytes > 0 || this.#coming.size > 0)
      for (let at = 0; at < sizeBytes; at += mostAtOnce)
        yield await this.read(at, Math.min(sizeBytes, at + mostAtOnce))
    else if (this.#room.take(sizeBytes)) yield* this.#keeping()
    else yield* this.#stored.scan()
  }

  lend(): LentFile | undefined {
    if (!hasProc || !this.#file || this.#hereBytes < this.#stored.sizeBytes) return undefined
    const path = `/proc/${process.pid}/fd/${this.#file.fd}`
    return { path, [Symbol.dispose]: this.#inUse()[Symbol.dispose] }
  }

  async close(): Promise<void> {
    this.#room.giveBack(this.#hereBytes)
    await this.#file?.close().catch(() => {}) // it is gone either way
  }

  #inUse(): Disposable {
    this.uses++
    return { [Symbol.dispose]: () => this.uses-- }
  }

  #firstAbsent(start: number, end: number): number | undefined {
    for (let block = Math.floor(start / blockBytes); block * blockBytes < end; block++)
      if (this.#here[block] === 0) return block
  }

  /** In one request as many as are wanted and not there. False where they cannot be kept. */
  async #bring(first: number, end: number): Promise<boolean> {
    let last = first + 1
    const most = Math.min(first + mostAtOnce / blockBytes, Math.ceil(end / blockBytes))
    while (last < most && this.#here[last] === 0 && !this.#coming.has(last)) last++
    const bringing = this.#fetch(first * blockBytes, Math.min(this.#stored.sizeBytes, last * blockBytes))
    const over = bringing.catch(() => {})
    for (let block = first; block < last; block++) this.#coming.set(block, over)
    try {
      return await bringing
    } finally {
      for (let block = first; block < last; block++) this.#coming.delete(block)
    }
  }

  async #fetch(start: number, end: number): Promise<boolean> {
    if (!this.#room.take(end - start)) return false
    let kept = false
    try {
      const bytes = await this.#stored.read(start, end)
      kept = bytes.length === end - start && (await this.#write(bytes, start))
    } finally {
      if (kept) this.#nowHere(start, end)
      else this.#room.giveBack(end - start)
    }
    return kept
  }

  async *#keeping(): AsyncGenerator<Uint8Array> {
    const { sizeBytes } = this.#stored
    const { promise: over, resolve } = Promise.withResolvers<void>()
    for (let block = 0; block < this.#here.length; block++) this.#coming.set(block, over)
    let at = 0
    let kept = true
    try {
      for await (const chunk of this.#stored.scan()) {
        kept &&= await this.#write(chunk, at)
        at += chunk.length
        yield chunk
      }
    } finally {
      this.#coming.clear()
      this.isAwaited = kept && at === sizeBytes
      if (this.isAwaited) this.#nowHere(0, sizeBytes)
      else this.#room.giveBack(sizeBytes)
      resolve()
    }
  }

  /** A disk that is full, or that fails, is no reason to refuse the file. */
  async #write(bytes: Uint8Array, at: number): Promise<boolean> {
    try {
      this.#file ??= await this.#open()
      const { bytesWritten } = await this.#file.write(bytes, 0, bytes.length, at)
      return bytesWritten === bytes.length
    } catch {
      return false
    }
  }

  #nowHere(start: number, end: number) {
    this.#here.fill(1, start / blockBytes, Math.ceil(end / blockBytes))
    this.#hereBytes += end - start
  }

  async #fromFile(start: number, end: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#file!.read(Buffer.alloc(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
}
