import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Order, Outcome } from './loader.ts'

export interface Hit {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface Figures {
  perSecond: number
  /** Of the server with all processes it starts, per request. */
  cpuMs: number
  /** Of the processes of the database, per request. */
  databaseMs?: number
  megabytesPerSecond: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export function hit({
  url,
  method = 'GET',
  headers = {},
  body,
}: Hit): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, { agent, method, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk)).once('error', reject)
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode!, headers: incoming.headers, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** Reads and throws away: for files too large to keep. */
export function drain({ url, headers = {} }: Hit): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (incoming) => {
      let bytes = 0
      incoming.on('data', (chunk) => {
        bytes += chunk.length
      })
      incoming.once('end', () =>
        incoming.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${incoming.statusCode} from ${url}`)),
      )
    })
      .once('error', reject)
      .end()
  })
}

/**
 * Asks as fast as answers come, from a few callers at once, for so long or until there is nothing more to ask.
 * Any answer but a good one stops the bench.
 */
export async function load(
  pid: number,
  seconds: number,
  callers: number,
  next: (n: number) => Promise<{ status: number; bytes?: number } | undefined>,
): Promise<Figures> {
  for (let n = 0; n < callers; n++) await next(-1 - n)
  const cpuBefore = await familyCpu(pid)
  const start = performance.now()
  let count = 0
  let bytes = 0
  const caller = async () => {
    while (performance.now() - start < seconds * 1000) {
      const answer = await next(count)
      if (!answer) return
      if (answer.status >= 400) throw new Error(`An answer of ${answer.status} under load`)
      count++
      bytes += answer.bytes ?? 0
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const took = (performance.now() - start) / 1000
  return {
    perSecond: count / took,
    cpuMs: ((await familyCpu(pid)) - cpuBefore) / count,
    megabytesPerSecond: bytes / took / 1e6,
  }
}

/** Who asks, in a process of its own, and the database whose work it counts. */
export interface Loader {
  ask(pid: number, hits: Hit[], how: Asking): Promise<Figures & { bodies: string[] }>
  stop(): void
}

export interface Asking {
  seconds: number
  callers: number
  /** How often; as often as it can in the time, if nothing is said. */
  most?: number
  keepBodies?: boolean
}

export function startLoader(databasePid: number): Loader {
  const child = fork(new URL('loader.ts', import.meta.url), { serialization: 'advanced' })
  return {
    async ask(pid, hits, { seconds, callers, most = Infinity, keepBodies = false }) {
      const order: Order = {
        port: Number(new URL(hits[0]!.url).port),
        requests: hits.map(onTheLine),
        most,
        callers,
        milliseconds: seconds * 1000,
        keepBodies,
      }
      const [cpu, database] = [await familyCpu(pid), await familyCpu(databasePid)]
      const { answers, bytes, milliseconds, bodies } = await carriedOut(child, order)
      return {
        perSecond: answers / (milliseconds / 1000),
        cpuMs: ((await familyCpu(pid)) - cpu) / answers,
        databaseMs: ((await familyCpu(databasePid)) - database) / answers,
        megabytesPerSecond: bytes / 1000 / milliseconds,
        bodies,
      }
    },
    stop: () => child.disconnect(),
  }
}

function carriedOut(child: ChildProcess, order: Order): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    child.once('message', (said: Outcome | { failed: string }) =>
      'failed' in said ? reject(new Error(said.failed)) : resolve(said),
    )
    child.send(order)
  })
}

function onTheLine({ url, method = 'GET', headers = {}, body = '' }: Hit): Buffer {
  const { host, pathname, search } = new URL(url)
  const bytes = Buffer.from(body as string)
  const all = { host, ...headers, ...(bytes.length > 0 && { 'content-length': String(bytes.length) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`),
    bytes,
  ])
}

/** Two contestants in turns, so that what else the machine does hits both alike. */
export async function inTurns<T extends string>(
  rounds: number,
  contestants: Record<T, () => Promise<Figures>>,
): Promise<Record<T, Figures>> {
  const all = Object.fromEntries(Object.keys(contestants).map((name) => [name, []])) as unknown as Record<
    T,
    Figures[]
  >
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(contestants) as T[]) all[name].push(await contestants[name]())
  return Object.fromEntries(
    Object.entries(all).map(([name, figures]) => [name, best(figures as Figures[])]),
  ) as Record<T, Figures>
}

// Disturbances only ever slow a run down, so the best of several is the truest.
const best = (figures: Figures[]): Figures => ({
  perSecond: Math.max(...figures.map((f) => f.perSecond)),
  cpuMs: Math.min(...figures.map((f) => f.cpuMs)),
  ...(figures.every((f) => f.databaseMs !== undefined) && {
    databaseMs: Math.min(...figures.map((f) => f.databaseMs!)),
  }),
  megabytesPerSecond: Math.max(...figures.map((f) => f.megabytesPerSecond)),
})

export async function cpuMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** With all processes that it started, also those that have ended. */
export async function familyCpu(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  const ended = (Number(fields[13]) + Number(fields[14])) * 10
  const all = await Promise.all(children.map((child) => familyCpu(Number(child)).catch(() => 0)))
  return all.reduce((sum, each) => sum + each, (await cpuMs(pid)) + ended)
}

export async function memoryMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
