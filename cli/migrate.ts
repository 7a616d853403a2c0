import { openDatabase } from '../server/db/database.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Command } from './command.ts'
import { config, unlessInUse } from './open.ts'

export const command: Command = {
  summary: 'Bring the database up to date.',
  explain:
    'The server does the same at its start. Whoever migrates holds a lock, so several at once wait for each other.',
  async run() {
    const { pool, close } = await unlessInUse(() => openDatabase(config()))
    try {
      const applied = await migrate(pool)
      return {
        lines:
          applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`),
        json: { applied },
      }
    } finally {
      await close()
    }
  },
}
