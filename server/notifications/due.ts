import { sql } from 'kysely'
import { rightsEndingDays } from '../../contract/search.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Trx } from '../db/database.ts'
import { type Parts, system } from '../library.ts'
import { notify } from './notify.ts'

const fullPercent = 80

/** Once a month for each size that a quota has. */
export async function noticeQuota(parts: Parts, trx: Trx, clientId: string): Promise<void> {
  const { rows } = await sql<{ quota: number; percent: number; month: string }>`
    select quota_bytes as quota, floor(100.0 * stored_bytes / quota_bytes)::integer as percent,
      to_char(now() at time zone 'UTC', 'YYYY-MM') as month
    from client_counters join clients on clients.id = client_id
    where client_id = ${clientId} and quota_bytes > 0
      and 100.0 * stored_bytes >= quota_bytes * ${fullPercent}::numeric`.execute(trx)
  const [full] = rows
  if (!full) return
  await notify(parts, trx, {
    clientId,
    kind: 'quota-nearly-full',
    cause: `${full.quota} ${full.month}`,
    subject: clientId,
    name: null,
    count: full.percent,
    eventId: 0,
  })
}

interface Ending {
  client_id: string
  /** The last day on which they may be used. */
  day: string
  assets: number
  title: string
}

/** Each client's people are told of a day once, however many assets end with it. */
export async function noticeRightsEnding(parts: Parts): Promise<void> {
  const { rows } = await sql<Ending>`
    select client_id, to_char((rights_expire_at - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*)::integer as assets, min(title) as title
    from assets
    where trashed_at is null and rights_expire_at > now()
      and rights_expire_at <= now() + make_interval(days => ${rightsEndingDays})
    group by 1, 2 order by 2, 1`.execute(parts.db)
  for (const { client_id, day, assets, title } of rows)
    await changePlatform(parts.db, system, ({ trx }) =>
      notify(parts, trx, {
        clientId: client_id,
        kind: 'rights-ending',
        cause: day,
        subject: client_id,
        name: assets === 1 ? title : null,
        count: assets,
        eventId: 0,
      }),
    )
}
