import type { Figures } from './load.ts'
import type { Ring } from './ring.ts'

/** How much of the floor's rate is reached, and with how much of its CPU, measured in the same run. */
export function share(ring: Ring, work: string, mine: Figures, base: Figures, wanted = 0.6): void {
  const ratio = mine.perSecond / base.perSecond
  ring.report(
    work,
    `${show(mine)} vs floor ${show(base)}; by CPU ${(base.cpuMs / mine.cpuMs).toFixed(2)}${withDatabase(mine, base)}`,
    ratio,
    `≥ ${wanted} of the floor`,
    ratio >= wanted,
  )
}

export const show = ({ perSecond, cpuMs, databaseMs }: Figures) =>
  `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s (${cpuMs.toFixed(2)}${databaseMs === undefined ? '' : ` + ${databaseMs.toFixed(2)}`} ms CPU)`

const withDatabase = (mine: Figures, base: Figures) =>
  mine.databaseMs === undefined || base.databaseMs === undefined
    ? ''
    : `, with the database ${((base.cpuMs + base.databaseMs) / (mine.cpuMs + mine.databaseMs)).toFixed(2)}`
