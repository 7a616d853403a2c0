import { closeSync, openSync, readSync } from 'node:fs'

const room = Buffer.allocUnsafe(256)

/**
 * What the kernel tells under such a path, in a few words. Its files say that they are empty: for each, `readFileSync` sets 64 kB
 * aside, which for the threads of two processes is more than a preview otherwise takes of this one.
 */
export function toldUnder(path: string): string {
  const file = openSync(path, 'r')
  try {
    return room.toString('latin1', 0, readSync(file, room))
  } finally {
    closeSync(file)
  }
}
