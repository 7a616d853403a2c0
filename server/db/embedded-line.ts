import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** What the server says to the process of the embedded database … */
export type Asked = { session: number; bytes: Uint8Array } | { copyTo: string } | { close: true }
/** … and what it hears. */
export type Told =
  | { ready: true }
  | { failed: { code?: string; message: string; isRefusal: boolean } }
  | { session: number; bytes: Uint8Array }
  | { copied: string; error?: string }
  | { closed: true }

const program = fileURLToPath(new URL('embedded-process.ts', import.meta.url))

// PostgreSQL's largest functions take V8's optimizing compiler hundreds of megabytes and seconds of a core each.
const flags = ['--liftoff-only', '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning']

export class FailedToStart extends Error {
  /** Not its fault: somebody else holds the folder. */
  isRefusal = false
}

/** Starts the process and waits until it has done what it is for (`make`) or answers (`serve`). */
export async function startEmbedded(
  folder: string,
  task: 'make' | 'serve',
  { vectors = false } = {},
): Promise<ChildProcess> {
  const child = fork(program, [folder, task, ...(vectors ? ['vectors'] : [])], {
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [told] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code, signal]) => [
      { failed: { message: `its process ended with ${signal ?? code}`, isRefusal: false } },
    ]),
  ])) as [Told]
  if ('failed' in told) throw Object.assign(new FailedToStart(told.failed.message), told.failed)
  return child
}

let sessions = 0

/** A connection to that process, as far as `pg` asks anything of a socket. */
export class EmbeddedLine extends Duplex {
  readonly #session = ++sessions
  readonly #process: () => Promise<ChildProcess>
  #child: ChildProcess | undefined

  constructor(process: () => Promise<ChildProcess>) {
    super()
    this.#process = process
  }

  connect(): this {
    this.#process().then(
      (child) => {
        this.#child = child
        child.on('message', this.#hear)
        child.once('exit', this.#hang)
        this.emit('connect')
      },
      (error) => this.destroy(error),
    )
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  #hear = (told: Told) => {
    if ('session' in told && told.session === this.#session) this.push(told.bytes)
  }
  #hang = () => this.destroy(gone())

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#child!.send({ session: this.#session, bytes } satisfies Asked, (error) => done(error && gone()))
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done)
  }

  override _final(done: () => void): void {
    this.#child?.off('message', this.#hear)
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child?.off('message', this.#hear).off('exit', this.#hang)
    done(error)
  }
}

const gone = () =>
  Object.assign(new Error('The process of the embedded database has ended.'), { code: 'ECONNRESET' })
