import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
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
    : `${path}.in-use`
  if (!abstract && !(await answers(name))) await rm(name, { force: true })

  // One whose server was killed a moment ago may still be about to end.
  const deadline = Date.now() + 2000
  for (;;) {
    const server = await listening(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
    })
    if (server) return { release: () => server.close() }
    if (Date.now() > deadline)
      throw new CannotStart(
        `DATA_DIR ${folder} is in use by another running server. Stop that one or set DATA_DIR to another folder.`,
      )
    await pause(50)
  }
}

const listening = (name: string) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', reject).listen(name, () => resolve(server))
  })

const answers = (name: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(name)
    socket.once('connect', () => resolve(!!socket.destroy()))
    socket.once('error', () => resolve(false))
  })
