import { type ExecFileOptionsWithStringEncoding, execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open as openFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planZip, type ScanEntry, type ZipEntry } from './zip.ts'
import { localLength } from './zip-format.ts'
import { safeEntryNames } from './zip-names.ts'

// unzip writes names as they are only where letters beyond ASCII are usual.
const env = { ...process.env, LC_ALL: 'C.UTF-8' }
const run = (command: string, args: string[], options: Partial<ExecFileOptionsWithStringEncoding> = {}) =>
  promisify(execFile)(command, args, { env, encoding: 'utf8', ...options })
const isHere = (command: string, flag: string) =>
  run(command, [flag]).then(
    () => true,
    () => false,
  )
const [hasPython, hasUnzip, hasBsdtar, has7z] = await Promise.all([
  isHere('python3', '--version'),
  isHere('unzip', '-v'),
  isHere('bsdtar', '--version'),
  isHere('7z', 'i'),
])

const noon = new Date('2026-02-03T12:34:56Z')
const GiB = 1024 ** 3

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('an archive', () => {
  const contents = {
    'a.txt': Buffer.from('hello'),
    'Fotos/Überblick – 東京.jpg': randomBytes(100_000),
    'Fotos/leer.txt': Buffer.alloc(0),
    'Fotos/später.bin': randomBytes(70_001),
  }

  test('opens in Python, name by name and byte by byte', async ({ skip }) => {
    skip(!hasPython, 'python3 is not installed')
    const path = await written(treeOf(contents, (name) => !name.includes('später')))
    expect(await python(list, path)).toEqual({
      bad: null,
      entries: [
        ...Object.entries(contents).map(([name, bytes]) => [
          name,
          bytes.length,
          crc32(bytes),
          [2026, 2, 3, 12, 34, 56],
        ]),
        ['Leerer Ordner/', 0, 0, [2026, 2, 3, 12, 34, 56]],
      ],
    })
  })

  for (const [command, isHere, flag] of [
    ['unzip', hasUnzip, '-t'],
    ['7z', has7z, 't'],
    ['bsdtar', hasBsdtar, '-tf'],
  ] as const) {
    test(`passes the test of ${command}`, async ({ skip }) => {
      skip(!isHere, `${command} is not installed`)
      for (const hashed of [() => true, () => false, (name: string) => name.endsWith('.txt')]) {
        await run(command, [flag, await written(treeOf(contents, hashed))])
      }
    })
  }

  test('unpacks to the same files, times and folders', async ({ skip }) => {
    skip(!hasUnzip, 'unzip is not installed')
    const target = join(folder, 'unpacked')
    await run('unzip', ['-q', await written(treeOf(contents)), '-d', target], {
      env: { ...env, TZ: 'Asia/Tokyo' },
    })
    for (const [name, bytes] of Object.entries(contents)) {
      expect((await readFile(join(target, name))).equals(bytes)).toBe(true)
      expect((await stat(join(target, name))).mtime).toEqual(noon)
    }
    expect((await stat(join(target, 'Leerer Ordner'))).isDirectory()).toBe(true)
  })

  test('with nothing in it is one, too', async ({ skip }) => {
    skip(!hasPython, 'python3 is not installed')
    expect(await python(list, await written(archiveOf([])))).toEqual({ bad: null, entries: [] })
  })

  test('takes a checksum as a database may give it, also below zero', async () => {
    const { entries, scan } = archiveOf([{ bytes: Buffer.from('hello!'), hashed: true }])
    const signed = entries.map((entry) => ({ ...entry, crc32: entry.crc32! | 0 }))
    expect(signed[0]!.crc32).toBeLessThan(0)
    const whole = await all(planZip(entries).bytes(scan))
    expect((await all(planZip(signed).bytes(scan))).equals(whole)).toBe(true)
  })
})

describe('a range', () => {
  const bodies = fc.array(fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), hashed: fc.boolean() }), {
    maxLength: 4,
  })

  test('is the same bytes as in the whole, wherever it begins and ends', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), fc.nat(), async (given, one, other) => {
        const { entries, scan } = archiveOf(given)
        const whole = await all(planZip(entries).bytes(scan))
        expect(whole).toHaveLength(planZip(entries).length)

        const [start, end] = [one % whole.length, other % whole.length].sort((a, b) => a - b) as [
          number,
          number,
        ]
        const part = await all(planZip(entries).bytes(scan, { start, end }))
        expect(part.equals(whole.subarray(start, end + 1))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('of every start and end of one archive gives the same bytes', async () => {
    const { entries, scan } = archiveOf([
      { bytes: Buffer.from('abc'), hashed: false },
      { bytes: Buffer.from('de'), hashed: true },
    ])
    const whole = await all(planZip(entries).bytes(scan))
    for (let start = 0; start < whole.length; start += 3) {
      for (let end = start; end < whole.length; end += 7) {
        const part = await all(planZip(entries).bytes(scan, { start, end }))
        expect(part.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
      }
    }
  })

  test('opens only the entries it touches, one at a time, and from where it needs them', async () => {
    const bodies = Array.from({ length: 5 }, () => ({ bytes: Buffer.alloc(1000), hashed: true }))
    const { entries, scan, opened } = archiveOf(bodies)
    const start = 2 * (localLength(entries[0]!) + 1000) + localLength(entries[2]!) + 500
    await all(planZip(entries).bytes(scan, { start, end: start + 99 }))
    expect(opened).toMatchObject([{ index: 2, range: { start: 500, end: 599 } }])

    opened.length = 0
    await all(planZip(entries).bytes(scan))
    expect(opened.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
    expect(opened.every(({ othersOpen }) => othersOpen === 0)).toBe(true)
  })
})

describe('an entry that is not as planned', () => {
  const planned = (sizeBytes: number, hashed = true): ZipEntry[] => [
    { name: 'a', sizeBytes: 3, crc32: crc32('abc'), modifiedAt: noon },
    { name: 'b', sizeBytes, crc32: hashed ? 0 : null, modifiedAt: noon },
  ]
  const sources = [Buffer.from('abc'), Buffer.from('hello')]

  test.each([
    ['shorter', 6, true],
    ['longer', 4, true],
    ['shorter, and without a checksum', 6, false],
    ['longer, and without a checksum', 4, false],
  ])('because it is %s breaks the archive off', async (_name, sizeBytes, hashed) => {
    // A source that minds no range, as one that has changed would.
    const careless: ScanEntry = (index) => Readable.from([sources[index]!])
    await expect(all(planZip(planned(sizeBytes, hashed)).bytes(careless))).rejects.toThrow(/early|more bytes/)
  })

  test('because it is missing or breaks off breaks the archive off', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it could
    const missing: ScanEntry = async function* () {
      throw new Error('the object is missing')
    }
    await expect(all(planZip(planned(5)).bytes(missing))).rejects.toThrow('the object is missing')

    const breaking: ScanEntry = async function* () {
      yield Buffer.from('a')
      throw new Error('the line is dead')
    }
    await expect(all(planZip(planned(5)).bytes(breaking))).rejects.toThrow('the line is dead')
  })
})

describe('a reader that goes away', () => {
  test('closes the entry it was reading', async () => {
    const { entries, scan, opened } = archiveOf([{ bytes: Buffer.alloc(10_000_000), hashed: true }])
    for await (const _ of planZip(entries).bytes(scan)) if (opened.length === 1) break
    expect(opened[0]?.closed).toBe(true)
  })
})

describe('what the first zip could not hold', () => {
  test('more than 65,535 entries', async ({ skip }) => {
    skip(!hasPython || !hasUnzip, 'python3 or unzip is not installed')
    const entries = Array.from({ length: 66_000 }, (_, number) => ({
      name: `f/${number}.txt`,
      sizeBytes: 1,
      crc32: crc32('x'),
      modifiedAt: noon,
    }))
    const path = await written({ entries, scan: () => Readable.from([Buffer.from('x')]) })
    expect((await stat(path)).size).toBe(planZip(entries).length)
    expect(await python(ends, path)).toEqual({
      count: 66_000,
      first: 'f/0.txt',
      last: 'f/65999.txt',
      bytes: 'x',
    })
    await run('unzip', ['-tqq', path])
  })

  test.for(['with', 'without'])('an entry of more than 4 GiB, %s its checksum', async (how, { skip }) => {
    skip(!hasPython || !hasUnzip, 'python3 or unzip is not installed')
    const filmBytes = 5 * GiB
    const zerosCrc = crcOfZeros(filmBytes)
    const entries: ZipEntry[] = [
      { name: 'before', sizeBytes: 3, crc32: crc32('abc'), modifiedAt: noon },
      { name: 'film.mp4', sizeBytes: filmBytes, crc32: how === 'with' ? zerosCrc : null, modifiedAt: noon },
      { name: 'after', sizeBytes: 3, crc32: crc32('xyz'), modifiedAt: noon },
    ]
    const scan: ScanEntry = (index) =>
      index === 1
        ? Readable.from(zeros(filmBytes))
        : Readable.from([Buffer.from(index === 0 ? 'abc' : 'xyz')])
    const plan = planZip(entries)
    const filmStart = localLength(entries[0]!) + 3 + localLength(entries[1]!)

    // The film is all zeros and so is a hole in a file: everything around it is an archive of 4 GiB.
    const path = join(folder, `sparse-${how}.zip`)
    await fillIn(path, plan.bytes(scan, { start: 0, end: filmStart - 1 }), 0)
    await fillIn(
      path,
      plan.bytes(scan, { start: filmStart + filmBytes, end: plan.length - 1 }),
      filmStart + filmBytes,
    )

    expect((await stat(path)).size).toBe(plan.length)
    expect(await python(large, path)).toEqual({
      names: ['before', 'film.mp4', 'after'],
      size: filmBytes,
      crc: zerosCrc,
      begins: '00000000',
      after: 'xyz',
    })
    expect((await run('unzip', ['-p', path, 'after'])).stdout).toBe('xyz')
  })

  test('is planned for 100,000 entries without a thought of their bytes', () => {
    const entries = Array.from({ length: 100_000 }, (_, number) => ({
      name: `folder/picture ${number}.jpg`,
      sizeBytes: 50_000_000,
      crc32: null,
      modifiedAt: noon,
    }))
    expect(planZip(entries).length).toBeGreaterThan(5e12)
  })
})

describe('two hundred hostile titles', () => {
  const hostile = Array.from({ length: 200 }, (_, number) => {
    const tricks = [
      `${'../'.repeat(number % 9)}etc/passwd`,
      `/tmp/absolute-${number}`,
      `C:\\Windows\\${number}.dll`,
      '..\\..\\boot.ini',
      `nul\0byte${number}.jpg`,
      `line\r\nbreak${number}`,
      `photo\u202egpj.${number}`,
      `COM${number % 10}.txt`,
      `${'very long '.repeat(60)}${number}.jpeg`,
      `trailing dots ${number} . . .`,
      'Same.jpg',
      'same.JPG',
      '..',
      `%2e%2e%2f${number}`,
      `~root/.ssh/authorized_keys`,
      `$(touch owned)${number};\`reboot\``,
      `-rf ${number}`,
      `file:///etc/${number}`,
      `\ud800${number}`,
      `${'\u0301'.repeat(500)}${number}`,
    ]
    return tricks[number % tricks.length]!
  })
  const names = safeEntryNames(hostile.map((title) => ({ path: [title, title] })))
  const archive = () => written(treeOf(Object.fromEntries(names.map((name) => [name, Buffer.from(name)]))))

  for (const [command, isHere, args] of [
    ['unzip', hasUnzip, (path: string, target: string) => ['-q', path, '-d', target]],
    ['python3', hasPython, (path: string, target: string) => ['-m', 'zipfile', '-e', path, target]],
    ['bsdtar', hasBsdtar, (path: string, target: string) => ['-xf', path, '-C', target]],
  ] as const) {
    test(`stay inside the target under ${command}`, async ({ skip }) => {
      skip(!isHere, `${command} is not installed`)
      const outside = await mkdtemp(join(folder, 'outside-'))
      const target = join(outside, 'target')
      await mkdir(target)
      await run(command, args(await archive(), target))

      expect(await readdir(outside)).toEqual(['target'])
      const found = await readdir(target, { recursive: true, withFileTypes: true })
      const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      expect(files.map((path) => relative(target, path)).sort()).toEqual([...names].sort())
    })
  }
})

interface Archive {
  entries: ZipEntry[]
  scan: ScanEntry
}

/** Entries that remember how they were opened. */
function archiveOf(bodies: { bytes: Uint8Array; hashed: boolean }[]) {
  const opened: {
    index: number
    range: { start: number; end: number }
    closed: boolean
    othersOpen: number
  }[] = []
  const entries = bodies.map(({ bytes, hashed }, index) => ({
    name: `entry ${index}`,
    sizeBytes: bytes.length,
    crc32: hashed ? crc32(bytes) : null,
    modifiedAt: noon,
  }))
  const scan: ScanEntry = async function* (index, range) {
    const othersOpen = opened.filter(({ closed }) => !closed).length
    const entry = { index, range, closed: false, othersOpen }
    opened.push(entry)
    try {
      yield* inSmallChunks(bodies[index]!.bytes.subarray(range.start, range.end + 1))
    } finally {
      entry.closed = true
    }
  }
  return { entries, scan, opened }
}

function treeOf(contents: Record<string, Buffer>, hashed: (name: string) => boolean = () => true): Archive {
  const files = Object.entries(contents)
  const entries: ZipEntry[] = files.map(([name, bytes]) => ({
    name,
    sizeBytes: bytes.length,
    crc32: hashed(name) ? crc32(bytes) : null,
    modifiedAt: noon,
  }))
  entries.push({ name: 'Leerer Ordner', sizeBytes: 0, crc32: null, modifiedAt: noon, directory: true })
  return { entries, scan: (index) => Readable.from([files[index]![1]]) }
}

/** All in one piece of memory, as the disk store gives them. */
function* inSmallChunks(bytes: Uint8Array) {
  const chunk = new Uint8Array(12)
  for (let start = 0; start < bytes.length; start += 7 + (start % 5)) {
    const some = bytes.subarray(start, start + 7 + (start % 5))
    chunk.set(some)
    yield chunk.subarray(0, some.length)
    chunk.fill(0)
  }
}

const all = async (chunks: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(chunks, (chunk) => Buffer.from(chunk)))

const aMebibyteOfZeros = Buffer.alloc(1024 * 1024)

function* zeros(sizeBytes: number) {
  for (let at = 0; at < sizeBytes; at += aMebibyteOfZeros.length) yield aMebibyteOfZeros
}

function crcOfZeros(sizeBytes: number): number {
  let crc = 0
  for (const chunk of zeros(sizeBytes)) crc = crc32(chunk, crc)
  return crc
}

async function written({ entries, scan }: Archive): Promise<string> {
  const path = join(folder, `${randomBytes(8).toString('hex')}.zip`)
  await fillIn(path, planZip(entries).bytes(scan), 0)
  return path
}

async function fillIn(path: string, chunks: AsyncIterable<Uint8Array>, at: number) {
  const file = await openFile(path, at === 0 ? 'w' : 'r+')
  let position = at
  for await (const chunk of chunks)
    position += (await file.write(chunk, 0, chunk.length, position)).bytesWritten
  await file.close()
}

/** What Python's own reader makes of an archive. */
async function python(script: string, path: string): Promise<unknown> {
  const opening = 'import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n'
  const { stdout } = await run('python3', ['-c', opening + script, path], { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout)
}

const list = `
print(json.dumps({'bad': z.testzip(),
  'entries': [[i.filename, i.file_size, i.CRC, list(i.date_time)] for i in z.infolist()]}))`

const ends = `
names = z.namelist()
print(json.dumps({'count': len(names), 'first': names[0], 'last': names[-1], 'bytes': z.read(names[-1]).decode()}))`

const large = `
film = z.getinfo('film.mp4')
print(json.dumps({'names': z.namelist(), 'size': film.file_size, 'crc': film.CRC,
  'begins': z.open(film).read(4).hex(), 'after': z.read('after').decode()}))`
