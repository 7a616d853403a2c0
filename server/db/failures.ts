import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { Problem } from '../problems.ts'

/** Says of each failure, where it arises, whether the database is away. Whatever else it refuses is our own fault. */
export class BlamingDialect extends PostgresDialect {
  override createDriver() {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const seen = new WeakSet<object>()
    driver.acquireConnection = async (...how) => {
      const connection = await acquire(...how).catch(refuseAway)
      if (seen.has(connection)) return connection
      seen.add(connection)
      const ask = connection.executeQuery.bind(connection)
      connection.executeQuery = (...query) => ask(...query).catch(blame) as never
      return connection
    }
    return driver
  }
}

/** Of one to which there is no connection. */
export function refuseAway(error: unknown): never {
  throw databaseIsAway(error)
}

/** For queries without Kysely. */
export function blame(error: unknown): never {
  throw isAway(error) ? databaseIsAway(error) : error
}

// Serialization, deadlock, too many connections, cancelled; with a class of two: connection, resources, operator.
const passing = ['40001', '40P01', '57014']
const passingClasses = ['08', '53', '57']

/** An answer with a code comes from a database that is there; any other failure of a query is one of the line. */
function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError)
    return passing.includes(error.code ?? '') || passingClasses.includes(error.code?.slice(0, 2) ?? '')
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof Problem)
}

const databaseIsAway = (cause: unknown) =>
  new Problem('database-unavailable', 'The database does not answer. Try again in a few seconds.', {
    headers: { 'retry-after': '2' },
    cause,
  })
