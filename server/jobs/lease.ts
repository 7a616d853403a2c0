import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * Makes one worker the owner of a row for a while. It is renewed while its owner lives and runs out soon after that
 * one dies; then the next takes it. An owner asks for `isHeldBy` whenever it writes to its row: one that was only slow
 * and has lost it meanwhile can neither change nor delete what is somebody else's by now.
 */
export function leaseOn<
  Table extends keyof Schema & string,
  Owner extends keyof Schema[Table] & string,
  Until extends keyof Schema[Table] & string,
>(table: Table, columns: { owner: Owner; until: Until; seconds: number }) {
  const owner = sql.ref(`${table}.${columns.owner}`)
  const until = sql.ref(`${table}.${columns.until}`)
  const set = <By, At>(by: By, at: At) =>
    ({ [columns.owner]: by, [columns.until]: at }) as Record<Owner, By> & Record<Until, At>
  const expiry: RawBuilder<Date> = sql`now() + make_interval(secs => ${columns.seconds})`

  return {
    /** To set where it `isFree`; and again, to renew it, where it `isHeldBy` the same owner. */
    takenBy: (by: string) => set(by, expiry),
    givenBack: set(null, null),
    isFree: sql<boolean>`(${until} is null or ${until} < now())`,
    isHeldBy: (by: string) => sql<boolean>`${owner} = ${by}`,
    /** Renews it until disposed of. One that cannot be renewed runs out, and the owner's next write notices. */
    keepRenewed(renew: () => Promise<unknown>, every = columns.seconds / 3): Disposable {
      const timer = setInterval(() => void renew().catch(() => {}), every * 1000)
      return { [Symbol.dispose]: () => clearInterval(timer) }
    },
  }
}

/** Each taking has an owner of its own. Fit to be part of an object's key. */
export const newOwner = () => randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')
