import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../server/config.ts'
import { freePort, startPostgres } from '../setup/postgres.ts'
import { signIn } from '../world.ts'

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const [, ...start] = scripts.start.split(' ')

const login = { email: 'admin@example.com', password: 'correct-horse-battery' }

/** The server as `npm start` runs it: a process of its own, on a real PostgreSQL unless it is to be the embedded one. */
export async function startProcess(given: Environment = {}, { embedded = false, inspected = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'library-hard-'))
  const postgres = given.DATABASE_URL || embedded ? undefined : await startPostgres()
  await postgres?.admin('create database library')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment: Environment = {
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    ...(postgres && { DATABASE_URL: `${postgres.url}/library` }),
    LOG_LEVEL: 'fatal',
    DEMO: 'false',
    BOOTSTRAP_ADMIN_EMAIL: login.email,
    BOOTSTRAP_ADMIN_PASSWORD: login.password,
    // One person here asks more in a second than anybody at work.
    RATE_LIMIT_PRINCIPAL: '0',
    RATE_LIMIT_CLIENT: '0',
    RATE_LIMIT_ADDRESS: '0',
    ...given,
  }
  const flags = inspected ? ['--inspect=127.0.0.1:0'] : []
  const child = spawn(process.execPath, [...flags, ...start], {
    stdio: ['ignore', 'pipe', inspected ? 'pipe' : 'inherit'],
    env: { PATH: process.env.PATH, ...environment },
  })
  const inspector = inspected ? inspectorOf(child) : undefined
  await announced(child)
  return {
    url,
    environment,
    pid: child.pid!,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** What `ps` says of the process and of that of its embedded database, though they have Node's own program in common. */
    async memoryMb(): Promise<number> {
      const all = [child.pid!, ...(embedded ? await databaseProcesses(child.pid!) : [])]
      return (await Promise.all(all.map(residentMb))).reduce((sum, megabytes) => sum + megabytes)
    },
    /** What is in use once everything that is not has been collected; only where `inspected`. */
    liveMb: async () => (await inspector!).liveMb(),
    openFiles: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    cookie: await signIn(url, login.email, login.password),
    /** A figure that the server tells about itself. */
    async metric(name: string): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)![1])
    },
    async stop() {
      ;(await inspector)?.close()
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve))
      await postgres?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function residentMb(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

async function databaseProcesses(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const commands = await Promise.all(children.map((one) => readFile(`/proc/${one}/cmdline`, 'utf8')))
  return children.filter((_, place) => commands[place]!.includes('embedded-process'))
}

/** Node's own inspector: it can be told to collect garbage. */
async function inspectorOf(child: ChildProcess) {
  const address = await new Promise<string>((resolve) => {
    let said = ''
    child.stderr!.on('data', (chunk) => {
      said += chunk
      const found = /ws:\S+/.exec(said)
      if (found) resolve(found[0])
    })
  })
  const socket = new WebSocket(address)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let number = 0
  const ask = (method: string, params = {}) =>
    new Promise<{ result?: { value: number } }>((resolve) => {
      const id = ++number
      socket.addEventListener('message', function hear({ data }) {
        const answer = JSON.parse(data)
        if (answer.id !== id) return
        socket.removeEventListener('message', hear)
        resolve(answer.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
  return {
    // A process that is inspected waits for the inspector before it ends.
    close: () => socket.close(),
    async liveMb(): Promise<number> {
      await ask('HeapProfiler.collectGarbage')
      return (await ask('Runtime.evaluate', { expression })).result!.value / 1024 ** 2
    },
  }
}

/** Answers before it has its first admin; it says so when it has. */
async function announced(child: ChildProcess): Promise<void> {
  let said = ''
  child.stdout!.on('data', (chunk) => {
    said += chunk
  })
  while (!said.includes('Client Asset Library is at')) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.stdout!.removeAllListeners('data').resume()
}
