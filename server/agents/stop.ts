import { forgetAnswersTo } from '../changes/idempotency.ts'
import { rightsChanged } from '../changes/new-events.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Trx } from '../db/database.ts'
import { knownId } from '../ids.ts'
import type { Library } from '../library.ts'
import { notFound } from '../problems.ts'

/** For this client, from the next request on and on streams that are open. What it does for others is not this client's to end. */
export const stopAgent = ({ db, clientId, caller }: Library, keyId: string): Promise<void> =>
  changePlatform(db, caller, async ({ trx, note }) => {
    const agent = await trx
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('id', '=', knownId('key', keyId))
      .forUpdate()
      .executeTakeFirst()
    const stopped = agent && (await takeFrom(trx, agent.id, clientId))
    if (!stopped) throw notFound('No key')
    await forgetIdle(trx, agent.id)
    note({ action: 'agent.stopped', thing: agent.id, clientId, name: agent.name })
    await rightsChanged(trx)
  })

const takeFrom = (trx: Trx, keyId: string, clientId: string) =>
  trx
    .deleteFrom('api_key_clients')
    .where('key_id', '=', keyId)
    .where('client_id', '=', clientId)
    .returning('key_id')
    .executeTakeFirst()

/** One that is for no client any more is good for nothing. */
async function forgetIdle(trx: Trx, keyId: string): Promise<void> {
  const gone = await trx
    .deleteFrom('api_keys')
    .where('id', '=', keyId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('api_key_clients').select('client_id').where('key_id', '=', keyId))),
    )
    .returning('id')
    .executeTakeFirst()
  if (gone) await forgetAnswersTo(trx, [gone.id])
}
