import { askDirectly } from '../server/db/prepared.ts'
import type { Server } from './world.ts'

type Line = { query: (...asked: unknown[]) => unknown }

/** Every statement that this server asks its database from now on. */
export function statementsOf({ parts }: Pick<Server, 'parts'>): string[] {
  // All of them by the pool, where they are heard.
  askDirectly(parts.db, parts.database.pool)
  const statements: string[] = []
  const listened = new WeakSet<Line>()
  parts.database.pool.on('acquire', (acquired) => {
    const line = acquired as unknown as Line
    if (listened.has(line)) return
    listened.add(line)
    const { query } = line
    line.query = (...asked) => {
      const [what] = asked as [string | { text: string }]
      statements.push(typeof what === 'string' ? what : what.text)
      return query.apply(line, asked)
    }
  })
  return statements
}
