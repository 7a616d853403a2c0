import type { Static, TSchema } from 'typebox'
import type { IdKind } from '../contract/words.ts'
import type { Library } from './library.ts'

/**
 * What one room has to say of a library that moves to another server. Each room writes its own section of an export
 * and takes it in again; `portable/sections.ts` names all of them in their order.
 */
export interface Section<Line extends TSchema = TSchema> {
  /** Each of its lines in the manifest stands under this name. */
  name: string
  line: Line
  /** In an order that does not change while the library does not. */
  write(library: Library): Promise<Static<Line>[]>
  /** May be asked again with the same lines: what is there already stays as it is. */
  read(library: Library, lines: Static<Line>[], ids: MovedIds): Promise<TakenIn>
  /** What it cannot take along, and what to do about it. */
  leavesOut?(library: Library): Promise<Refused[]>
}

export const section = <Line extends TSchema>(its: Section<Line>) => its as unknown as Section

export interface Refused {
  file: string
  code: string
  detail: string
}

export interface TakenIn {
  /** Now, and by an earlier run. */
  made: number
  there: number
  refused: Refused[]
}

/** What the things of a library are called here. */
export interface MovedIds {
  /**
   * Each keeps its id where that is free on this server or is its own already; any other gets a new one. `holders` says
   * which of some ids are in use, and by which client.
   */
  settle(
    kind: IdKind,
    ids: string[],
    holders: (ids: string[]) => Promise<{ id: string; client_id: string }[]>,
  ): Promise<void>
  /** It is taken for another thing that is here. */
  call(id: string, here: string): void
  /** Whether it is one of those that move. */
  came(id: string): boolean
  /** As it was, if nothing was settled about it. */
  of(id: string): string
  /** The same for `asset_…@3`. */
  refOf(assetRef: string): string
}

const atOnce = 500

/** A section in pieces that each fit into one change. */
export async function inChunks<Line>(
  lines: Line[],
  takeIn: (some: Line[]) => Promise<TakenIn>,
): Promise<TakenIn> {
  const all: TakenIn = { made: 0, there: 0, refused: [] }
  for (let from = 0; from < lines.length; from += atOnce) {
    const { made, there, refused } = await takeIn(lines.slice(from, from + atOnce))
    all.made += made
    all.there += there
    all.refused.push(...refused)
  }
  return all
}
