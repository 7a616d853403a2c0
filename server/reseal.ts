import type { Parts } from './library.ts'

/** Seals with the key of today what was sealed with the one before. What neither opens is counted and left as it is. */
export async function reseal({ db, sealer }: Pick<Parts, 'db' | 'sealer'>) {
  const done = { resealed: 0, unreadable: 0 }
  const again = (sealed: string): string | undefined => {
    if (sealer.isCurrent(sealed)) return undefined
    try {
      const anew = sealer.seal(sealer.open(sealed))
      done.resealed++
      return anew
    } catch {
      done.unreadable++
      return undefined
    }
  }
  for (const { id, client_id, sealed_secrets } of await db
    .selectFrom('connections')
    .select(['id', 'client_id', 'sealed_secrets'])
    .where('sealed_secrets', 'is not', null)
    .execute()) {
    const anew = again(sealed_secrets!)
    if (anew)
      await db
        .updateTable('connections')
        .set({ sealed_secrets: anew })
        .where('client_id', '=', client_id)
        .where('id', '=', id)
        .where('sealed_secrets', '=', sealed_secrets)
        .execute()
  }
  for (const { id, sealed_secret } of await db
    .selectFrom('webhooks')
    .select(['id', 'sealed_secret'])
    .execute()) {
    const anew = again(sealed_secret)
    if (anew)
      await db
        .updateTable('webhooks')
        .set({ sealed_secret: anew })
        .where('id', '=', id)
        .where('sealed_secret', '=', sealed_secret)
        .execute()
  }
  return done
}
