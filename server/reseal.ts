import type { FastifyBaseLogger } from 'fastify'
import type { Db } from './db/database.ts'
import type { Parts } from './library.ts'
import type { Sealer } from './secrets.ts'

interface SealedSecret {
  sealed: string
  /** Unless somebody else was first. */
  replace(anew: string): Promise<unknown>
}

/** Seals with the key of today what was sealed with the one before. What neither opens is left as it is, and told. */
export async function reseal({ db, sealer }: Pick<Parts, 'db' | 'sealer'>, log: FastifyBaseLogger) {
  const { previous, unreadable } = await secretsByKey(db, sealer)
  for (const { sealed, replace } of previous) await replace(sealer.seal(sealer.open(sealed)))
  if (previous.length > 0) log.info(`${secretsWere(previous.length)} sealed anew with SECRET_KEY`)
  if (unreadable.length > 0)
    log.warn(
      `${secretsWere(unreadable.length)} sealed with another SECRET_KEY: set it as SECRET_KEY_PREVIOUS, or enter them anew`,
    )
}

const secretsWere = (count: number) => (count === 1 ? '1 secret was' : `${count} secrets were`)

/** All that is kept sealed, by the key that opens it. */
export async function secretsByKey(db: Db, sealer: Sealer) {
  const { current, previous, unreadable } = Object.groupBy(await secrets(db), ({ sealed }) =>
    sealer.keyOf(sealed),
  )
  return { current: current ?? [], previous: previous ?? [], unreadable: unreadable ?? [] }
}

// Answers kept for an Idempotency-Key are sealed, too. They go within a day, and there may be millions.
async function secrets(db: Db): Promise<SealedSecret[]> {
  const connections = await db
    .selectFrom('connections')
    .select(['client_id', 'id', 'sealed_secrets'])
    .where('sealed_secrets', 'is not', null)
    .execute()
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'sealed_secret', 'previous_sealed_secret'])
    .execute()
  const apps = await db
    .selectFrom('users')
    .select(['id', 'totp_sealed'])
    .where('totp_sealed', 'is not', null)
    .execute()
  return [
    ...apps.map(({ id, totp_sealed }) => ({
      sealed: totp_sealed!,
      replace: (anew: string) =>
        db
          .updateTable('users')
          .set({ totp_sealed: anew })
          .where('id', '=', id)
          .where('totp_sealed', '=', totp_sealed)
          .execute(),
    })),
    ...connections.map(({ client_id, id, sealed_secrets }) => ({
      sealed: sealed_secrets!,
      replace: (anew: string) =>
        db
          .updateTable('connections')
          .set({ sealed_secrets: anew })
          .where('client_id', '=', client_id)
          .where('id', '=', id)
          .where('sealed_secrets', '=', sealed_secrets)
          .execute(),
    })),
    ...webhooks.flatMap(({ id, ...sealed }) =>
      (['sealed_secret', 'previous_sealed_secret'] as const).flatMap((column) => {
        const one = sealed[column]
        if (one === null) return []
        const replace = (anew: string) =>
          db.updateTable('webhooks').set(column, anew).where('id', '=', id).where(column, '=', one).execute()
        return [{ sealed: one, replace }]
      }),
    ),
  ]
}
