import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { person } from '../person.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

const sockets = Number(process.env.SLOW_SOCKETS ?? 8000)

test(`${sockets} connections that say their headers or bodies ever so slowly: others notice nothing, and all are closed`, {
  timeout: 300_000,
}, async () => {
  const server = await startProcess()
  onTestFinished(server.stop)
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Slow' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
  const { assetId } = await operator.uploads()
  const control = await bareServer()
  onTestFinished(control.stop)
  const filesBefore = await server.openFiles()

  const { port } = new URL(server.url)
  const args = [
    'test/hard/slow-sockets.ts',
    port,
    String(sockets),
    server.cookie,
    `${operator.door.assets}/folders`,
  ]
  const slow = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let most = 0
  let told: { open: number; longest?: number; longestOf?: number[]; lives?: number } = { open: 0 }
  createInterface(slow.stdout).on('line', (line) => {
    told = JSON.parse(line)
    most = Math.max(most, told.open)
  })

  const ours: number[] = []
  const theirs: number[] = []
  const wrong: unknown[] = []
  while (told.longest === undefined && slow.exitCode === null) {
    const answer = await timed(() => operator.lists(), ours)
    if (answer.body.assets?.[0]?.assetId !== assetId) wrong.push(answer)
    await timed(() => person(control.url, {}).get('/'), theirs)
    await pause(10)
  }
  await pause(1000)
  // Lines that the pool keeps to the database.
  const filesLeaked = Math.max(0, (await server.openFiles()) - filesBefore - 10)
  const [p99, controlP99] = [percentile(ours, 99), percentile(theirs, 99)]
  console.log(
    `listing: p99 ${p99.toFixed(0)} ms of ${ours.length} (bare server beside it: ${controlP99.toFixed(0)} ms); ${most} slow connections at once, the longest of each kind lived ${told.longestOf?.map((life) => life.toFixed(0)).join(', ')} s`,
  )
  experiment({
    experiment: 'slow connections',
    load: `${ours.length} listings, p99 ${p99.toFixed(0)} ms (control ${controlP99.toFixed(0)} ms)`,
    faults: `${sockets} slow connections, ${most} at once`,
    lost: wrong.length,
    leaked: told.open + filesLeaked,
    recoveredInSeconds: told.longest ?? Number.POSITIVE_INFINITY,
  })
  expect(wrong).toEqual([])
  expect(told).toMatchObject({ lives: sockets, open: 0 })
  expect(most).toBeGreaterThan(sockets / 2)
  expect(told.longest).toBeLessThan(20)
  expect(p99 - controlP99).toBeLessThan(150)
  expect(filesLeaked).toBe(0)
})

async function timed<T>(work: () => Promise<T>, into: number[]): Promise<T> {
  const from = performance.now()
  const result = await work()
  into.push(performance.now() - from)
  return result
}

const percentile = (values: number[], percent: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))]!

/** A server that does nothing and is left in peace: as slow as the machine. */
async function bareServer() {
  const script = `require('http').createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', function () {
    console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() }
}
