import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CannotStart } from '../server/config.ts'
import { openDatabase } from '../server/db/database.ts'
import { holdFolder } from '../server/db/hold-folder.ts'
import { migrationsApart } from '../server/db/migrate.ts'
import { hashing } from '../server/storage/hashing.ts'
import { kept, sumsName } from './backup/contents.ts'
import { entriesOf, type TarEntry } from './backup/tar.ts'
import { type Command, Failed, Misuse } from './command.ts'
import { config, unlessInUse } from './open.ts'

export const command: Command = {
  summary: 'Put back what backup wrote, into DATA_DIR.',
  takes: ['FILE'],
  explain:
    'Every file is compared with its checksum and the database is opened before anything is replaced: from a damaged\nbackup nothing is taken.',
  options: { force: { explain: 'Replace the library that is in DATA_DIR.' } },
  async run(given) {
    const { databaseUrl, dataDir } = config()
    if (databaseUrl)
      throw new CannotStart('restore is for the embedded database, and DATABASE_URL is set. Use pg_restore.')
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const there = (await readdir(dataDir)).filter((name) => (kept as readonly string[]).includes(name))
    if (there.length > 0 && !given.flag('force'))
      throw new Misuse(
        `There is a library in DATA_DIR ${dataDir}. Name another DATA_DIR, or add --force to replace it.`,
      )

    await mkdir(join(dataDir, 'database'), { recursive: true, mode: 0o700 })
    const hold = await unlessInUse(() => holdFolder(join(dataDir, 'database')))
    const fresh = join(dataDir, '.restoring')
    try {
      const files = await unpack(resolve(given.args[0]!), fresh)
      const holds = await contentsOfDatabase(fresh)
      await swap(fresh, dataDir)
      return {
        lines: [`${files} files put into ${dataDir}: ${holds.clients} clients, ${holds.assets} assets`],
        json: { dataDir, files, ...holds },
      }
    } finally {
      await rm(fresh, { recursive: true, force: true })
      await rmIfEmpty(join(dataDir, 'database'))
      hold.release()
    }
  },
}

async function unpack(file: string, folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  try {
    return await unpackAll(await opened(file), folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failed(
      code === 'ENOENT'
        ? `There is no file ${file}.`
        : `The backup ${file} cannot be used: ${message} Nothing was changed.`,
    )
  }
}

async function opened(file: string): Promise<AsyncIterable<Buffer>> {
  const [start] = await Array.fromAsync(createReadStream(file, { end: 1 }))
  const whole = createReadStream(file, { highWaterMark: 1024 ** 2 })
  if (start?.equals(Buffer.of(0x1f, 0x8b)) !== true) return whole
  const unzipped = createGunzip()
  pipeline(whole, unzipped).catch(() => {}) // whoever reads it is told
  return unzipped
}

async function unpackAll(chunks: AsyncIterable<Buffer>, folder: string): Promise<number> {
  const found = new Map<string, string>()
  for await (const entry of entriesOf(chunks)) {
    if (entry.name === sumsName) {
      compare(found, await text(entry.body))
      return found.size
    }
    refuseStrange(entry)
    const path = join(folder, entry.name)
    if (entry.directory) {
      await mkdir(path, { recursive: true, mode: 0o700 })
      continue
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const hash = createHash('sha256')
    await pipeline(
      Readable.from(hashing(entry.body, hash)),
      createWriteStream(path, { flush: true, mode: 0o600 }),
    )
    found.set(entry.name, hash.digest('hex'))
  }
  throw new Error('It ends too early.')
}

function compare(found: Map<string, string>, sums: string): void {
  const lines = sums.trimEnd().split('\n')
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ')
    if (found.get(name) !== sum) throw new Error(`${name} is damaged or missing.`)
  }
  if (lines.length !== found.size) throw new Error('It holds files without a checksum.')
}

/** An archive may come from anywhere: it fills the places that are kept, and no others. */
function refuseStrange({ name }: TarEntry): void {
  const [top, ...below] = name.split('/')
  const known = (kept as readonly string[]).includes(top!)
  if (!known || below.some((part) => part === '' || part === '.' || part === '..') || /[\\\0]/.test(name))
    throw new Error(`${name} does not belong into a backup.`)
}

/** Opened where it lies now, so that one that does not open never takes the place of one that does. */
async function contentsOfDatabase(dataDir: string): Promise<{ clients: number; assets: number }> {
  const { pool, close } = await openDatabase({ databaseUrl: undefined, dataDir })
  try {
    const { unknown } = await migrationsApart(pool)
    if (unknown.length > 0)
      throw new Failed(`The backup is of a newer program (${unknown.join(', ')}). Update this one first.`)
    const { rows } = await pool.query<{ clients: number; assets: number }>(
      'select (select count(*) from clients) as clients, (select count(*) from assets) as assets',
    )
    return rows[0]!
  } finally {
    await close()
  }
}

async function swap(fresh: string, dataDir: string): Promise<void> {
  const old = join(dataDir, '.replaced')
  await rm(old, { recursive: true, force: true })
  await mkdir(old, { mode: 0o700 })
  for (const name of kept) {
    await rename(join(dataDir, name), join(old, name)).catch(unlessAbsent)
    await rename(join(fresh, name), join(dataDir, name)).catch(unlessAbsent)
  }
  await rm(old, { recursive: true, force: true })
}

const unlessAbsent = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

async function rmIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder).catch(() => ['gone'])).length === 0) await rm(folder, { recursive: true })
}
