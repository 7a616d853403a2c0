import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openScratch, type Scratch } from './scratch.ts'

const MiB = 1024 ** 2
const folder = await mkdtemp(join(tmpdir(), 'scratch-'))
const opened: Scratch[] = []
afterAll(async () => {
  for (const scratch of opened) await scratch.close()
  await rm(folder, { recursive: true })
})

function scratchOf(maxBytes: number, options: { idleMs?: number; folder?: string } = {}) {
  const scratch = openScratch({ folder, maxBytes, ...options })
  opened.push(scratch)
  return scratch
}

/** A stored object that counts what is asked of it. */
function stored(sizeBytes = 3 * MiB + 7) {
  const bytes = randomBytes(sizeBytes)
  const asked = { bytes: 0, times: 0 }
  const ask = (some: Buffer) => {
    asked.bytes += some.length
    asked.times++
    return some
  }
  return {
    ...{ bytes, asked, sizeBytes },
    read: async (start: number, end: number) => ask(bytes.subarray(start, end)),
    async *scan() {
      for (let at = 0; at < sizeBytes; at += 65_536) yield ask(bytes.subarray(at, at + 65_536))
    },
  }
}

const all = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(chunks))

/** Said of millions of bytes in a moment. */
const same = (some: Uint8Array, others: Uint8Array) => expect(Buffer.compare(some, others)).toBe(0)

test('what was read from one end to the other is lent as a file, and not asked for again', async () => {
  const scratch = scratchOf(10 * MiB)
  const object = stored()
  const kept = scratch.kept('a', object)
  expect(kept.lend!()).toBeUndefined()
  same(await all(kept.scan()), object.bytes)
  same(await kept.read(MiB - 5, MiB + 5), object.bytes.subarray(MiB - 5, MiB + 5))
  same(await kept.read(object.sizeBytes - 3, object.sizeBytes + 9), object.bytes.subarray(-3))
  expect(await kept.read(5, 5)).toHaveLength(0)
  same(await all(scratch.kept('a', object).scan()), object.bytes)
  {
    using file = kept.lend!()
    same(await readFile(file!.path), object.bytes)
  }
  expect(object.asked.bytes).toBe(object.sizeBytes)
  expect(await readdir(folder)).toEqual([])
})

test('of what is read here and there, by many at once, no byte is asked for twice', async () => {
  const object = stored()
  const kept = scratchOf(10 * MiB).kept('a', object)
  const places = Array.from({ length: 200 }, (_, n) => (n * 7919 * 131) % (object.sizeBytes - 9000))
  for (const [n, bytes] of (await Promise.all(places.map((at) => kept.read(at, at + 9000)))).entries())
    same(bytes, object.bytes.subarray(places[n]!, places[n]! + 9000))
  const [once, again] = await Promise.all([all(kept.scan()), all(kept.scan())])
  same(once, object.bytes)
  same(again, object.bytes)
  expect(object.asked.bytes).toBe(object.sizeBytes)
})

test('two ways through it at once share one, and one that is given up leaves the other whole', async () => {
  const object = stored()
  const kept = scratchOf(10 * MiB).kept('a', object)
  const given = kept.scan()[Symbol.asyncIterator]()
  await given.next()
  const other = all(kept.scan())
  await given.return!()
  same(await other, object.bytes)
})

test('what finds no room is asked for each time; what nobody waits for makes room', async () => {
  const scratch = scratchOf(5 * MiB)
  const [first, second, third] = [stored(), stored(), stored()]
  const waited = scratch.kept('first', first)
  await all(waited.scan())
  const late = scratch.kept('second', second)
  for (const _ of [1, 2]) same(await all(late.scan()), second.bytes)
  same(await late.read(0, second.sizeBytes), second.bytes)
  expect(second.asked.bytes).toBe(3 * second.sizeBytes)
  same(await waited.read(0, 10), first.bytes.subarray(0, 10))
  expect(scratch.keptBytes()).toBe(first.sizeBytes)

  const lent = waited.lend!()!
  waited.release()
  same(await all(scratch.kept('third', third).scan()), third.bytes)
  same(await readFile(lent.path), first.bytes)
  expect(first.asked.bytes).toBe(first.sizeBytes)
  lent[Symbol.dispose]()
  await all(scratch.kept('third', third).scan())
  expect(waited.lend!()).toBeUndefined()
  expect(scratch.keptBytes()).toBe(third.sizeBytes)
})

test('a store that fails, or that has less than was said, is told as it is and leaves nothing', async () => {
  const scratch = scratchOf(10 * MiB)
  const object = stored()
  let isAway = true
  const kept = scratch.kept('a', {
    ...object,
    read: async (start, end) => {
      if (isAway) throw new Error('away')
      return object.read(start, end)
    },
    async *scan() {
      yield object.bytes.subarray(0, 1000)
      throw new Error('away')
    },
  })
  await expect(all(kept.scan())).rejects.toThrow('away')
  await expect(kept.read(0, 10)).rejects.toThrow('away')
  expect(scratch.keptBytes()).toBe(0)
  isAway = false
  same(await kept.read(0, object.sizeBytes), object.bytes)
  const short = scratch.kept('b', { ...object, sizeBytes: object.sizeBytes + 100 })
  same(await short.read(0, object.sizeBytes + 100), object.bytes)
  expect(short.lend!()).toBeUndefined()
})

test('a disk that cannot be written is no reason to refuse the file', async () => {
  const taken = join(folder, 'taken')
  await writeFile(taken, '')
  const object = stored()
  const kept = scratchOf(10 * MiB, { folder: taken }).kept('a', object)
  same(await all(kept.scan()), object.bytes)
  same(await kept.read(0, object.sizeBytes), object.bytes)
  expect(kept.lend!()).toBeUndefined()
  await rm(taken)
})

test('what nobody uses goes by itself', async () => {
  const scratch = scratchOf(10 * MiB, { idleMs: 20 })
  await all(scratch.kept('a', stored()).scan())
  await expect.poll(() => scratch.keptBytes()).toBe(0)
})
