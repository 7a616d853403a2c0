import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { clamd } from '../server/malware/clamd.ts'
import { freePort } from './setup/postgres.ts'

/** What the scanners of the tests find: harmless, and in no database but ours. */
export const badText = 'this text is the malware of our tests'
export const streamBytes = 1024 ** 2

export interface TestScanner {
  address: string
  stop(): Promise<void>
}

const program = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  .map((folder) => join(folder, 'clamd'))
  .find((path) => existsSync(path))

export const hasClamd = program !== undefined

/** A real clamd with one signature of our own. Nothing is fetched for it: nothing leaves the machine. */
export async function startClamd(port: number): Promise<TestScanner> {
  const folder = await mkdtemp(join(tmpdir(), 'library-clamd-'))
  const settings = [
    `DatabaseDirectory ${folder}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    'Foreground yes',
    'StreamMaxLength 1M',
    'MaxThreads 2',
    'ConcurrentDatabaseReload no',
    'SelfCheck 0',
  ]
  await writeFile(join(folder, 'test.ndb'), `Test.Text:0:*:${Buffer.from(badText).toString('hex')}\n`)
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const daemon = spawn(program!, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const ended = once(daemon, 'exit')
  const address = `127.0.0.1:${port}`
  await vi.waitFor(() => clamd({ address, streamBytes }).check(), { timeout: 60_000, interval: 100 })
  return {
    address,
    async stop() {
      daemon.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Speaks as much of clamd's protocol as we do, and finds the same text: for machines without one. */
export async function startPeer(port: number): Promise<TestScanner> {
  const lines = new Set<Socket>()
  const server = createServer((socket) => {
    lines.add(socket.on('error', () => {}).on('close', () => lines.delete(socket)))
    let seen = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk])
      const answer = answerTo(seen)
      if (answer) socket.end(`${answer}\0`)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      for (const line of lines) line.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Undefined while more is to come. */
function answerTo(seen: Buffer): string | undefined {
  if (seen.includes('zVERSION\0')) return 'ClamAV 1.4.6'
  const chunks: Buffer[] = []
  let bytes = 0
  for (let at = 'zINSTREAM\0'.length; at + 4 <= seen.length; ) {
    const length = seen.readUInt32BE(at)
    if (length === 0)
      return Buffer.concat(chunks).includes(badText) ? 'stream: Test.Text.UNOFFICIAL FOUND' : 'stream: OK'
    bytes += length
    if (bytes > streamBytes) return 'INSTREAM size limit exceeded. ERROR'
    if (at + 4 + length > seen.length) return undefined
    chunks.push(seen.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

/** The real one where there is one. It can go away, and come back where it was. */
export async function testScanner() {
  const port = await freePort()
  const start = hasClamd ? startClamd : startPeer
  let running: TestScanner | undefined = await start(port)
  const goes = async () => {
    await running?.stop()
    running = undefined
  }
  return {
    address: running.address,
    goes,
    async comesBack() {
      running = await start(port)
    },
  }
}
