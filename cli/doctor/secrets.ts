import { readFile } from 'node:fs/promises'
import type { Config } from '../../server/config.ts'
import { openDatabase } from '../../server/db/database.ts'
import { keptSecretPath } from '../../server/parts.ts'
import { secretsByKey } from '../../server/reseal.ts'
import { sealer } from '../../server/secrets.ts'
import type { Finding } from './finding.ts'

const part = 'secrets'

/** Whether what connections and webhooks keep sealed can be opened. An embedded database belongs to its server. */
export async function secrets(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl) return []
  const database = await openDatabase(config).catch(() => undefined) // said of the database already
  if (!database) return []
  try {
    const { rows } = await database.pool.query<{ there: boolean }>(
      `select to_regclass('connections') is not null and to_regclass('webhooks') is not null as there`,
    )
    if (!rows[0]!.there) return []
    const key = config.secretKey ?? (await readFile(keptSecretPath(config.dataDir), 'utf8').catch(() => ''))
    const { previous, unreadable } = await secretsByKey(database.db, sealer(key, config.previousSecretKey))
    if (unreadable.length > 0)
      return [
        {
          part,
          ok: false,
          says: `${unreadable.length} cannot be opened: they were sealed with another SECRET_KEY. Set it as SECRET_KEY_PREVIOUS and restart, or enter the connections’ logins anew and make the webhooks anew.`,
        },
      ]
    return [
      {
        part,
        ok: true,
        says: previous.length
          ? `${previous.length} are sealed with SECRET_KEY_PREVIOUS: restart the server before it goes`
          : 'all can be opened with SECRET_KEY',
      },
    ]
  } catch (error) {
    return [{ part, ok: false, says: (error as Error).message }]
  } finally {
    await database.close()
  }
}
