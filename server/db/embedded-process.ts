import fs, { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Extensions, PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { CannotStart } from '../config.ts'
import type { Asked, Told } from './embedded-line.ts'
import { everyMs, tidyOne } from './embedded-upkeep.ts'
import { holdFolder } from './hold-folder.ts'

// The embedded database in a process of its own: it answers what connections of the server say to it, in PostgreSQL's
// own protocol. Its work does not keep the server waiting, and its memory is gone with it.

const [folder, task, wanted] = process.argv.slice(2) as [string, 'make' | 'serve', 'vectors'?]

// Its files are nobody else's, whatever the server's umask is.
process.umask(0o077)
// PGlite sets the mode of each file it makes, whatever the umask.
const { chmodSync } = fs
fs.chmodSync = (path, mode) => chmodSync(path, Number(mode) & 0o700)
// The server decides when it ends: a signal to the whole group must not be faster than what is under way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

const tell = (told: Told) => new Promise((resolve) => process.send?.(told, resolve))
let said = ''

try {
  await (task === 'make' ? make() : serve())
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const isRefusal = error instanceof CannotStart
  await tell({ failed: { code, message: /(?:PANIC|FATAL): +(.*)/.exec(said)?.[1] ?? message, isRefusal } })
  process.exit(1)
}

/** With vectors where they are wanted, or are there: a table that has some cannot even be deleted from without. */
async function open(at: string): Promise<PGlite> {
  const lite = await create(at, { pg_trgm, btree_gin, ...(wanted && { vector }) })
  const { rows } = await lite.query(`select from pg_extension where extname = 'vector'`)
  if (wanted || rows.length === 0) return lite
  await lite.close()
  return create(at, { pg_trgm, btree_gin, vector })
}

function create(at: string, extensions: Extensions): Promise<PGlite> {
  return PGlite.create(at, {
    extensions,
    // As much again is in the system's own cache.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'],
    onStderr: (line) => {
      said = `${said}${line}\n`.slice(-10_000)
      return false
    },
  })
}

/** Aside, and whole or not at all. Three times the memory of its use is needed, so that this process ends with it. */
async function make(): Promise<void> {
  const hold = await holdFolder(folder)
  const aside = join(dirname(folder), 'database.new')
  await rm(aside, { recursive: true, force: true })
  if (!existsSync(`${folder}/PG_VERSION`)) {
    await (await open(aside)).close()
    await rename(aside, folder)
  }
  hold.release()
  await tell({ ready: true })
  process.exit()
}

async function serve(): Promise<void> {
  // The embedded database has no lock of its own, and two processes on one folder lose rows.
  const hold = await holdFolder(folder)
  const lite = await open(folder)

  const run = async (bytes: Uint8Array): Promise<Buffer> => {
    const chunks: Buffer[] = []
    await lite.execProtocolRawStream(bytes, { onRawData: (chunk) => chunks.push(Buffer.from(chunk)) })
    return Buffer.concat(chunks)
  }
  let current = 0
  let isBetween = true
  let last: Promise<unknown> = Promise.resolve()

  async function obey(asked: Asked): Promise<void> {
    if ('close' in asked) {
      await lite.close()
      hold.release()
      await tell({ closed: true })
      process.exit()
    }
    if ('copyTo' in asked) {
      await tell({ copied: asked.copyTo, error: copy(asked.copyTo) })
      return
    }
    if (asked.session < current) return // its connection is gone
    if (asked.session > current) {
      current = asked.session
      await run(query('rollback'))
      await run(query('discard all'))
    }
    const bytes = await run(asked.bytes)
    isBetween = endsIdle(bytes)
    await tell({ session: asked.session, bytes })
  }
  process.on('message', (asked: Asked) => {
    last = last.then(() => obey(asked))
  })
  setInterval(() => {
    // What fails, on a full disk for one, is due the next time as well.
    last = last.then(() => isBetween && tidyOne(lite).catch(() => {}))
  }, everyMs)
  await tell({ ready: true })
}

/** Whether an answer ends outside of any transaction, as PostgreSQL says with its last byte. */
const endsIdle = (bytes: Buffer) => bytes.subarray(-6, -4).equals(Buffer.from('Z\0')) && bytes.at(-1) === 73

/** Between two statements: what a kill at this moment would leave, and every start recovers from. */
function copy(to: string): string | undefined {
  try {
    fs.cpSync(folder, to, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
  } catch (error) {
    return (error as Error).message
  }
}

function query(text: string): Buffer {
  const message = Buffer.alloc(text.length + 6)
  message.write('Q')
  message.writeInt32BE(text.length + 5, 1)
  message.write(text, 5)
  return message
}
