import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { CannotStart } from '../config.ts'

/**
 * Keeps a folder to one process. The hold is a listening socket, so the system lets go of it when the process
 * ends, however it ends; on Linux it has no file at all (a name in the abstract namespace).
 */
export async function holdFolder(folder: string): Promise<{ release(): void }> {
  const path = await realpath(folder)
  const abstract = process.platform === 'linux'
  const name = abstract
    ? `\0client-asset-library-${createHash('sha256').update(path).digest('hex')}`
    : join(path, 'in-use.sock')
  if (!abstract && !(await answers(name))) await rm(name, { force: true })

  const server = createServer((socket) => socket.destroy())
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new CannotStart(
              `DATA_DIR ${folder} is in use by another running server. Stop that one or set DATA_DIR to another folder.`,
            )
          : error,
      ),
    )
    server.listen(name, resolve)
  })
  return { release: () => server.close() }
}

const answers = (name: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(name)
    socket.once('connect', () => resolve(!!socket.destroy()))
    socket.once('error', () => resolve(false))
  })
