import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endless, fixture, fixturePath } from '../fixtures/fixture.ts'
import { type MediaOptions, openMedia } from '../media.ts'
import { defaultLimits } from '../pictures/inspection.ts'
import { findConfinement } from './confinement.ts'
import { openPool } from './pool.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function media(options: Partial<MediaOptions> = {}) {
  const opened = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off', ...options })
  closing.push(opened.close)
  return opened
}

const thumb = [{ size: 'thumb', format: 'webp' } as const]

/** Interlaced: it has to be held whole to be shown. */
const large = async (side: number) => {
  const bytes = await sharp({ create: { width: side, height: side, channels: 3, background: '#357' } })
    .png({ progressive: true })
    .toBuffer()
  return { sizeBytes: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
}

test('a video that is never read to its end costs its own task only', async () => {
  const pool = media({ timeouts: { inspect: 2000 } })
  const stuck = pool.inspect(endless(), 'video/mp4')
  const others = Array.from({ length: 20 }, () => pool.inspect(fixture('plain.jpg'), 'image/jpeg'))
  await expect(stuck).rejects.toMatchObject({
    code: 'unreadable-media',
    message: expect.stringContaining('too long'),
  })
  expect(await Promise.all(others)).toHaveLength(20)
})

test('a picture that needs too much memory costs its own task only', async () => {
  const pool = media({ memoryCapMb: 220 })
  await expect(pool.previews(await large(9000), 'image/png', thumb)).rejects.toMatchObject({
    code: 'unreadable-media',
  })
  expect((await pool.previews(fixture('plain.jpg'), 'image/jpeg', thumb)).pictures).toHaveLength(1)
})

test('finalizing does not wait for slow previews', async () => {
  const pool = media({ processes: 1 })
  const order: string[] = []
  const source = await large(9000)
  const slow = Promise.all([1, 2].map(() => pool.previews(source, 'image/png', thumb))).then(() =>
    order.push('previews'),
  )
  await pool.inspect(fixture('plain.jpg'), 'image/jpeg').then(() => order.push('inspect'))
  await slow
  expect(order).toEqual(['inspect', 'previews'])
})

test('a process killed from outside is replaced, and its task is done all the same', async () => {
  const pool = openPool({
    processes: 1,
    memoryCapMb: 900,
    queueLength: 10,
    walls: () => findConfinement(1400),
  })
  closing.push(pool.close)
  const task = {
    kind: 'previews' as const,
    input: { mimeType: 'image/png', wanted: thumb, engines: [] },
    source: await large(6000),
    limits: defaultLimits,
    timeoutMs: 30_000,
  }
  const done = pool.run(task, 'slow')
  while (pool.pids().length === 0) await pause(5)
  await pause(250)
  for (const pid of pool.pids()) process.kill(pid, 'SIGKILL')
  expect(await done).toMatchObject({ pictures: [{ width: 320 }] })
})

test('files of one client that are never read to their end hold up nobody else', {
  tags: 'drill',
}, async () => {
  const pool = media({ processes: 1, timeouts: { inspect: 4000 } })
  const order: string[] = []
  const inspects = (client: string, ...[source, type]: Parameters<typeof pool.inspect>) =>
    pool
      .of(client)
      .inspect(source, type)
      .then(
        () => order.push(`${client}: read`),
        () => order.push(`${client}: refused`),
      )
  const evil = Array.from({ length: 4 }, () => inspects('evil', endless(), 'video/mp4'))
  await pause(500)
  await Promise.all([1, 2, 3].map(() => inspects('other', fixture('plain.jpg'), 'image/jpeg')))
  expect(order).toEqual(Array(3).fill('other: read'))
  await Promise.all(evil)
})

test('previews do not wait for the files of another client that take long to be looked at', async () => {
  const pool = media({ processes: 1, timeouts: { inspect: 3000 } })
  const done: string[] = []
  const evil = Array.from({ length: 6 }, () =>
    pool
      .of('evil')
      .inspect(endless(), 'video/mp4')
      .catch(() => done.push('evil')),
  )
  await pause(300)
  const preview = (client: string) =>
    pool
      .of(client)
      .previews(fixture('plain.jpg'), 'image/jpeg', thumb)
      .then(() => done.push(client))
  await Promise.all(['one', 'one', 'two'].map(preview))
  expect(done.toSorted()).toEqual(['one', 'one', 'two'])
  // Not even those of the same client wait for all of them.
  await preview('evil')
  expect(done.filter((each) => each === 'evil').length).toBeLessThan(6)
  await Promise.all(evil)
})

test('a queue that is full says so, with a time to come again', async () => {
  const pool = media({ processes: 1, queueLength: 2 })
  const source = await large(4000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => pool.previews(source, 'image/png', thumb)),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason)
  expect(refused.length).toBeGreaterThan(0)
  for (const reason of refused)
    expect(reason).toMatchObject({ code: 'media-busy', status: 503, headers: { 'retry-after': '5' } })
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBeGreaterThan(1)
})

test('the one file of a client goes before the many of another', async () => {
  const pool = media({ processes: 1 })
  const order: string[] = []
  const preview = (client: string) =>
    pool
      .of(client)
      .previews(fixture('plain.jpg'), 'image/jpeg', thumb)
      .then(() => order.push(client))
  const noisy = Array.from({ length: 15 }, () => preview('noisy'))
  await Promise.all([...noisy, preview('quiet')])
  expect(order).toHaveLength(16)
  expect(order.indexOf('quiet')).toBeLessThan(3)
})

test('a client that has filled its queue leaves room for another', async () => {
  const pool = media({ processes: 1, queueLength: 3 })
  const preview = (client: string) =>
    pool
      .of(client)
      .previews(fixture('plain.jpg'), 'image/jpeg', thumb)
      .then(
        () => 'made',
        (error) => error.code,
      )
  const noisy = Array.from({ length: 10 }, () => preview('noisy'))
  const quiet = preview('quiet')
  expect(await Promise.all(noisy)).toContain('media-busy')
  expect(await quiet).toBe('made')
})

test('closing ends what runs and what waits', async () => {
  const pool = openMedia({ scratchFolder: tmpdir(), ffmpeg: 'off' })
  const outcomes = Array.from({ length: 5 }, () =>
    pool.inspect(endless(), 'video/mp4').catch((error) => error.code),
  )
  await pause(300)
  await pool.close()
  for (const code of await Promise.all(outcomes)) expect(code).toBe('media-busy')
})

describe('walls', () => {
  beforeEach(({ skip }) => skip(!existsSync('/proc/self/environ'), 'this system has no /proc'))

  async function confined() {
    const walls = await findConfinement(1400)
    const pool = openPool({ processes: 1, memoryCapMb: 900, queueLength: 10, walls: async () => walls })
    closing.push(pool.close)
    await pool.run(
      {
        kind: 'inspect',
        input: { declaredType: 'image/jpeg' },
        source: fixture('plain.jpg'),
        limits: defaultLimits,
        timeoutMs: 8000,
      },
      'quick',
    )
    const told = (file: string) => readFileSync(`/proc/${pool.pids()[0]}/${file}`, 'latin1')
    return { found: walls.found, told }
  }

  test('a decoding process sees no secret', async () => {
    process.env.CANARY_SECRET = 'tweet'
    const { told } = await confined()
    expect(told('environ')).not.toContain('CANARY')
  })

  test('a decoding process has no network', async ({ skip }) => {
    const { found, told } = await confined()
    skip(!found.network, 'this machine keeps no process from the network')
    const interfaces = told('net/dev').match(/^\s*\w+:/gm)!
    expect(interfaces.map((name) => name.trim())).toEqual(['lo:'])
  })

  test('a decoding process has a limit to its memory', async ({ skip }) => {
    const { found, told } = await confined()
    skip(!found.memory, 'this machine limits the memory of no process')
    expect(told('limits')).toMatch(new RegExp(`Max data size\\s+${1400 * 1024 ** 2}\\s`))
  })

  test('no decoding process outlives its parent, even one caught in a loop', async () => {
    const script = `
      import { openMedia } from ${JSON.stringify(new URL('../media.ts', import.meta.url).href)}
      const media = openMedia({ scratchFolder: '/tmp', ffmpeg: 'off' })
      const { endless } = await import(${JSON.stringify(new URL('../fixtures/fixture.ts', import.meta.url).href)})
      void media.inspect(endless(), 'video/mp4')
      setTimeout(() => process.stdout.write('looping'), 1500)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => parent.stdout.once('data', resolve))
    await expect.poll(() => childrenOf(parent.pid!).length).toBeGreaterThan(0)
    const children = childrenOf(parent.pid!)
    parent.kill('SIGKILL')
    await expect.poll(() => children.filter((pid) => isAlive(pid)), { timeout: 5000 }).toEqual([])
  })
})

test('nothing here keeps a program from ending', async () => {
  const script = `
    import { openMedia } from ${JSON.stringify(new URL('../media.ts', import.meta.url).href)}
    const media = openMedia({ scratchFolder: '/tmp', ffmpeg: 'off' })
    const path = ${JSON.stringify(fixturePath('plain.jpg'))}
    console.log((await media.inspect({ sizeBytes: 81511, path }, 'image/jpeg')).width)`
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 45_000,
  })
  let printed = ''
  program.stdout.on('data', (text) => {
    printed += text
  })
  expect(await new Promise((resolve) => program.on('exit', resolve))).toBe(0)
  expect(printed.trim()).toBe('800')
})

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}
