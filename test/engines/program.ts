import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until nobody holds its input any more: `end` lets go of it, and so does the death of this process, of whatever
 * kind. Then all that the program started goes, and its home.
 */
const keeper = `
  setsid "$@" </dev/null &
  read -r end
  exec >/dev/null 2>&1
  kill -s TERM -- -$!
  for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
  do kill -s 0 -- -$! && sleep 0.1
  done
  kill -s KILL -- -$!
  rm -rf "$HOME"`

export interface Program {
  /** All that it has said so far. */
  said(): string
  /** Waits until it says so. */
  says(words: RegExp): Promise<RegExpExecArray>
  end(): Promise<void>
}

const patience = 60_000

/** A program with a home of its own and nothing of this process's surroundings; files are put there before. */
export async function startProgram(
  command: (home: string) => string[],
  { env = {}, files = {} }: { env?: Record<string, string>; files?: Record<string, string> } = {},
): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'library-engine-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', ...command(home)], {
    detached: true,
    // Times are said in UTC, so that a day ends at the same moment everywhere.
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, TZ: 'UTC', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })

  return {
    said: () => said,
    async says(words) {
      for (const until = Date.now() + patience; Date.now() < until; await pause(50)) {
        const found = words.exec(said)
        if (found) return found
      }
      throw new Error(`${command(home)[0]} never said ${words}, but: ${said}`)
    },
    async end() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
