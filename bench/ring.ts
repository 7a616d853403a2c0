import type { Loader } from './load.ts'

/** A server, its process, and a login to it. */
export interface BenchNode {
  url: string
  pid: number
  cookie: string
  databaseUrl: string
}

/** What every bench gets: our server and the floor, each a process of its own, on one PostgreSQL. */
export interface Ring {
  ours: BenchNode
  floor: { url: string; pid: number }
  loader: Loader
  cookie: string
  databaseUrl: string
  folder: string
  objects: string
  /** How many of them, where somebody said so. */
  assets: number | undefined
  /** Where something is thrown together. */
  seed: number | undefined
  /** Which rows, of a bench that has very many. */
  only: RegExp
  /** Another server, on this database or on one of its own that has this name. */
  startNode(database?: string): Promise<BenchNode>
  newClient(name: string, node?: BenchNode): Promise<string>
  report(work: string, figures: string, ratio: number, wanted: string, met: boolean): void
}
