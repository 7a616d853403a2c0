import { readdirSync } from 'node:fs'
import { toldUnder } from './kernel-files.ts'

/** How long a process has stood in line for a processor, in milliseconds; none where the system does not say. */
export function waitedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return Math.max(...threads.map((thread) => waitedNs(`/proc/${pid}/task/${thread}/schedstat`))) / 1e6
  } catch {
    return 0
  }
}

const waitedNs = (path: string) => Number(toldUnder(path).split(' ')[1])
