import pino from 'pino'
import { refuseOutdated } from '../server/db/migrate.ts'
import type { Parts } from '../server/library.ts'
import { openParts } from '../server/parts.ts'
import { config, unlessInUse } from './open.ts'

/** For commands that need all the server stands on. */
export async function withParts<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const log = pino({ level: 'warn' }, pino.destination(2))
  const parts = await unlessInUse(() => openParts(config(), log, { prepare: refuseOutdated }))
  try {
    return await work(parts)
  } finally {
    await parts.close()
  }
}
