import type { Activity } from '../../contract/activity.ts'

/** What was told, and the place in the trail that it begins at. */
export interface Told {
  activity: Activity
  cursor(): string
}

/** A page of the trail, from a cursor on. */
export type ReadTold = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ told: Told[]; nextCursor: string | null }>

/** Longer than a batch takes from one asset to the next. */
const longestPause = 60_000
const atOnce = 250
/** A page looks at no more: what was done to more than these in a row goes on behind it. */
const mostLooked = 2000
const mostNames = 3

/** A page of lines, each for what the same person did in a row, as one batch does. */
export async function readTogether(
  read: ReadTold,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<{ activity: Activity[]; nextCursor: string | null }> {
  const runs: Run[] = []
  const lines = () => runs.map(asLine)
  let from = cursor
  for (let looked = 0; looked < mostLooked; looked += atOnce) {
    const { told, nextCursor } = await read(from, atOnce)
    for (const one of told) {
      const last = runs.at(-1)
      if (last && goesOn(last, one)) addTo(last, one)
      else if (runs.length === limit) return { activity: lines(), nextCursor: one.cursor() }
      else {
        const { into } = one.activity
        runs.push({ first: one, last: one, count: 1, names: namesOf(one), into, isCut: false })
      }
    }
    if (nextCursor === null) return { activity: lines(), nextCursor }
    from = nextCursor
  }
  const [next] = (await read(from, 1)).told
  const last = runs.at(-1)
  if (last && next) last.isCut = goesOn(last, next)
  return { activity: lines(), nextCursor: next?.cursor() ?? null }
}

interface Run {
  first: Told
  last: Told
  count: number
  names: string[]
  /** What all of them were merged into, if it is the same. */
  into: Activity['into'] | undefined
  isCut: boolean
}

function addTo(run: Run, one: Told): void {
  run.last = one
  run.count++
  if (run.into?.thing !== one.activity.into?.thing) run.into = undefined
  if (run.names.length < mostNames) run.names = [...new Set([...run.names, ...namesOf(one)])]
}

const goesOn = ({ last: { activity: later } }: Run, { activity: one }: Told) =>
  sameOf(later) === sameOf(one) && Date.parse(later.at) - Date.parse(one.at) <= longestPause

const sameOf = ({ by, action, changed }: Activity) => JSON.stringify([by.kind, by.id, action, changed])

const namesOf = ({ activity: { name } }: Told) => (name === null ? [] : [name])

function asLine({ first: { activity, cursor }, count, names, into, isCut }: Run): Activity {
  if (count === 1 && !isCut) return activity
  const { into: _, ...rest } = activity
  return { ...rest, ...(into && { into }), together: { count, names, more: isCut, cursor: cursor() } }
}
