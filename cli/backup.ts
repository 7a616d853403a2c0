import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { CannotStart, type Config } from '../server/config.ts'
import { holdFolder } from '../server/db/hold-folder.ts'
import { backupSocket, momentIsKept } from '../server/live-backup.ts'
import { hashing } from '../server/storage/hashing.ts'
import { contentsOf, sumsName } from './backup/contents.ts'
import { type TarEntry, tarOf } from './backup/tar.ts'
import { type Command, Failed, Misuse, readableBytes } from './command.ts'
import { config, unlessInUse } from './open.ts'

export const command: Command = {
  summary: 'Write the embedded database, the files on the disk and the secret key into one file.',
  takes: ['FILE'],
  explain:
    'A tar, compressed when FILE ends in .gz. A running server keeps one moment for it and goes on. On PostgreSQL use pg_dump, and the\nmeans of your object store for the bucket.',
  options: { force: { explain: 'Replace FILE if it is there.' } },
  async run(given) {
    const settings = config()
    const file = resolve(given.args[0]!)
    refuse(settings, file, given.flag('force'))
    const moment = (await momentOfServer(settings.dataDir)) ?? (await holdAll(settings.dataDir))
    try {
      const counted = await writeBackup(settings.dataDir, file, moment)
      const { size } = await stat(file)
      const elsewhere = notInside(settings)
      return {
        lines: [`${counted.files} files, ${readableBytes(counted.bytes)}, written to ${file}`, ...elsewhere],
        json: { file, sizeBytes: size, ...counted, notInside: elsewhere },
      }
    } finally {
      moment.release()
    }
  },
}

interface Moment {
  live: boolean
  release(): void
}

/** What a running server keeps for us until we let go; undefined if none can be asked. */
async function momentOfServer(dataDir: string): Promise<Moment | undefined> {
  const socket = connect(backupSocket(dataDir))
  try {
    await once(socket, 'connect')
  } catch {
    return undefined
  }
  const [said] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
  if (String(said) !== momentIsKept)
    throw new Failed('The running server could not keep a moment for the backup. Its log says why.')
  return { live: true, release: () => socket.destroy() }
}

const holdAll = async (dataDir: string): Promise<Moment> => ({
  live: false,
  ...(await unlessInUse(() => holdFolder(join(dataDir, 'database')))),
})

function refuse({ databaseUrl, dataDir }: Config, file: string, force: boolean): void {
  if (databaseUrl)
    throw new CannotStart(
      'backup is for the embedded database, and DATABASE_URL is set. Use pg_dump, and the means of your object store for the bucket.',
    )
  if (!existsSync(join(dataDir, 'database', 'PG_VERSION')))
    throw new CannotStart(`There is no library in DATA_DIR ${dataDir}.`)
  if (file.startsWith(dataDir + sep))
    throw new Misuse(`${file} lies in DATA_DIR itself. Name a place outside.`)
  if (existsSync(file) && !force) throw new Misuse(`${file} is there already. Name another, or add --force.`)
}

/** What a person has to keep beside the file. */
const notInside = ({ storage, secretKey }: Config): string[] => [
  ...(storage.kind === 'disk' ? [] : ['The files are in the bucket, and not in this one.']),
  ...(secretKey ? ['SECRET_KEY comes from your settings: keep it, too.'] : []),
]

/** Under its name only when all of it is there. */
async function writeBackup(
  dataDir: string,
  file: string,
  moment: Moment,
): Promise<{ files: number; bytes: number }> {
  const counted = { files: 0, bytes: 0 }
  const part = `${file}.part`
  try {
    const tar = Readable.from(tarOf(withSums(contentsOf(dataDir, moment), counted)), { objectMode: false })
    const target = createWriteStream(part, { flush: true, mode: 0o600 })
    if (/\.t?gz$/.test(file)) await pipeline(tar, createGzip({ level: 1 }), target)
    else await pipeline(tar, target)
    await rename(part, file)
    return counted
  } finally {
    await rm(part, { force: true })
  }
}

async function* withSums(
  entries: AsyncIterable<TarEntry>,
  counted: { files: number; bytes: number },
): AsyncGenerator<TarEntry> {
  const sums: string[] = []
  for await (const entry of entries) {
    if (entry.directory) {
      yield entry
      continue
    }
    const hash = createHash('sha256')
    yield { ...entry, body: hashing(entry.body, hash) }
    sums.push(`${hash.digest('hex')}  ${entry.name}\n`)
    counted.files++
    counted.bytes += entry.sizeBytes
  }
  const text = Buffer.from(sums.join(''))
  yield {
    name: sumsName,
    directory: false,
    sizeBytes: text.length,
    modifiedAt: new Date(),
    body: Readable.from([text]),
  }
}
