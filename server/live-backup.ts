import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Parts } from './library.ts'

/** Where a running server is asked for a moment to back up. */
export const backupSocket = (dataDir: string) => join(dataDir, 'backup.sock')

/** What is kept for a backup while it is written: a copy of the database, and objects deleted since. */
export function keptForBackup(dataDir: string) {
  const folder = join(dataDir, '.backing-up')
  return { folder, database: join(folder, 'database'), deleted: join(folder, 'deleted') }
}

export const momentIsKept = 'kept\n'

/**
 * Keeps one moment of the embedded database for whoever connects, as long as they stay connected. Rows name objects
 * that are there, so those that are deleted meanwhile are kept, too; those that come are nobody's yet.
 */
export async function answerBackups(
  { config: { dataDir }, database }: Pick<Parts, 'config' | 'database'>,
  log: FastifyBaseLogger,
): Promise<{ close(): void } | undefined> {
  const { copyTo } = database
  if (!copyTo) return undefined
  const { folder, database: copy, deleted } = keptForBackup(dataDir)
  let last: Promise<unknown> = Promise.resolve()

  async function keepMoment(socket: Socket): Promise<void> {
    if (socket.destroyed) return
    const left = new Promise((resolve) => socket.once('close', resolve))
    try {
      await forget(folder)
      await mkdir(deleted, { recursive: true, mode: 0o700 })
      await copyTo!(copy)
      socket.write(momentIsKept)
      await left
    } catch (error) {
      log.error({ err: error }, 'no moment could be kept for a backup')
      socket.destroy()
    }
    await forget(folder).catch((error) =>
      log.error({ err: error }, 'what was kept for a backup is left over'),
    )
  }

  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
    last = last.then(() => keepMoment(socket))
  })
  const path = backupSocket(dataDir)
  await forget(folder)
  await rm(path, { force: true })
  try {
    await listening(server, path)
    await chmod(path, 0o600) // whoever may read the folder's files may have them, and nobody else
  } catch (error) {
    log.warn({ err: error }, 'backup needs the server stopped: it cannot be asked')
    return undefined
  }
  server.unref()
  return { close: () => server.close() }
}

/** Out of the way first: what is deleted meanwhile would come into it while it is emptied. */
async function forget(folder: string): Promise<void> {
  const aside = `${folder}-no-more`
  await rm(aside, { recursive: true, force: true })
  if (existsSync(folder)) await rename(folder, aside)
  await rm(aside, { recursive: true, force: true })
}

const listening = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
