import type { Selectable } from 'kysely'
import type { DisabledCode } from '../../contract/outbound-reasons.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import type { WebhooksTable } from '../db/schema.ts'
import { system } from '../library.ts'

/** Nothing more is sent until an administrator switches it on again; the reason is for all to see. */
export const switchOff = (
  db: Db,
  { id, url }: Selectable<WebhooksTable>,
  code: DisabledCode,
  reason: string,
): Promise<void> =>
  changePlatform(db, system, async ({ trx, note }) => {
    const switchedOff = await trx
      .updateTable('webhooks')
      .set({ is_enabled: false, disabled_code: code, disabled_reason: reason, updated_at: new Date() })
      .where('id', '=', id)
      .where('is_enabled', '=', true)
      .returning('id')
      .executeTakeFirst()
    const details = { isEnabled: false, reason: code }
    if (switchedOff) note({ action: 'webhook.updated', thing: id, name: new URL(url).host, details })
  })
