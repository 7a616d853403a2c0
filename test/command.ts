import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../server/config.ts'

const cli = fileURLToPath(new URL('../cli/asset-library.js', import.meta.url))

export interface Ended {
  code: number | null
  output: string
  errors: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the documentation promises
  json: any
}

/** What a process needs of the one that starts it, and time to end well on a machine that is busy. */
export function ofThisMachine(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE, STOP_SECONDS: '600' }
}

/** The command line as people use it: a process of its own, with nothing but these settings. */
export function command(
  environment: Environment,
  { input = '', cwd, nodeOptions = '' }: { input?: string; cwd?: string; nodeOptions?: string } = {},
) {
  const start = (...args: string[]): { child: ChildProcess; ended: Promise<Ended> } => {
    const env = { ...ofThisMachine(), NODE_OPTIONS: nodeOptions, ...environment }
    const child = spawn(process.execPath, [cli, ...args], { cwd, env })
    child.stdin.on('error', () => {}) // it may have ended before it read
    child.stdin.end(input)
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
      ([output, errors, [code]]) => ({ code: code as number | null, output, errors, json: parsed(output) }),
    )
    return { child, ended }
  }
  return { start, run: (...args: string[]) => start(...args).ended }
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}
