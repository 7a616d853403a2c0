import type { Loader } from './load.ts'

/** What every bench gets: our server and the floor, each a process of its own, on one PostgreSQL. */
export interface Ring {
  ours: { url: string; pid: number }
  floor: { url: string; pid: number }
  loader: Loader
  cookie: string
  databaseUrl: string
  folder: string
  objects: string
  /** How many of them, where somebody said so. */
  assets: number | undefined
  newClient(name: string): Promise<string>
  report(work: string, figures: string, ratio: number, wanted: string, met: boolean): void
}
