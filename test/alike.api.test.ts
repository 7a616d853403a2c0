import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dice } from './dice.ts'
import { hashOf, looking } from './looking.ts'
import { world } from './world.ts'

const w = await world()
const { db } = w.parts

/** Which assets are listed wrongly, or not at all. */
async function amiss(clientId: string): Promise<unknown[]> {
  const its = sql`assets where client_id = ${clientId} and trashed_at is null and perceptual_hash is not null`
  const { rows } = await sql`
    with alike as (
      select a.id from (select * from ${its}) as a where exists (select from (select * from ${its}) as b
        where b.id <> a.id and bit_count(b.perceptual_hash # a.perceptual_hash) <= 3)
    ), listed as (select asset_id from alike_assets where client_id = ${clientId})
    (select 'lacks', * from (table alike except table listed) as lacking)
    union all (select 'has', * from (table listed except table alike) as needless)`.execute(db)
  return rows
}

const listed = async (clientId: string) =>
  (await sql`select from alike_assets where client_id = ${clientId}`.execute(db)).rows.length

test('what looks like another is listed as it comes, changes and goes', async () => {
  const [{ clientId }, other] = [await w.newClient(), await w.newClient()]
  const chance = dice(7)
  const drawn = () => BigInt(Math.floor(chance.roll() * 2 ** 52)) << 11n
  const some = Array.from({ length: 8 }, drawn)
  /** Of few shapes, a few bits off. */
  const look = () => {
    let hash = chance.of(some)
    for (let bits = chance.below(4); bits > 0; bits--) hash ^= 1n << BigInt(chance.below(64))
    return hash
  }
  const looks = (count: number) => Array.from({ length: count }, () => ({ sha256: 'any', hash: look() }))
  const ids = await looking(db, clientId, looks(20))
  await looking(db, other.clientId, looks(5))
  let most = 0
  for (let turn = 0; turn < 60; turn++) {
    // Several at once, as a batch does it.
    await db.transaction().execute(async (trx) => {
      for (let change = chance.below(4); change >= 0; change--) {
        const at = sql`client_id = ${clientId} and id = ${chance.of(ids)}`
        await chance
          .of([
            sql`update assets set perceptual_hash = ${hashOf(look())} where ${at}`,
            sql`update assets set perceptual_hash = null where ${at}`,
            sql`update assets set trashed_at = now() where ${at}`,
            sql`update assets set trashed_at = null where ${at}`,
            sql`delete from assets where ${at}`,
          ])
          .execute(trx)
      }
    })
    if (turn % 3 === 0) ids.push(...(await looking(db, clientId, looks(2))))
    expect(await amiss(clientId), `turn ${turn}`).toEqual([])
    most = Math.max(most, await listed(clientId))
  }
  expect(most).toBeGreaterThan(5)

  await sql`delete from alike_assets where client_id = ${clientId}`.execute(db)
  expect(await amiss(clientId)).not.toEqual([])
  const migration = new URL('../server/db/migrations/0156-alike-assets.concurrently.sql', import.meta.url)
  const [block] = /^do \$\$.*^end \$\$;/ms.exec(await readFile(migration, 'utf8'))!
  await sql.raw(block).execute(db)
  expect(await amiss(clientId)).toEqual([])
  expect(await amiss(other.clientId)).toEqual([])
})

test('pictures that are all the same come, and go again, and a page is about what is left', async () => {
  const { clientId, operator } = await w.newClient()
  const same = Array.from({ length: 300 }, (_, at) => ({ sha256: `${at}`, hash: 77n << 30n }))
  const ids = await looking(db, clientId, same)
  expect(await listed(clientId)).toBe(300)
  const all = sql`client_id = ${clientId} and id <> ${ids[150]!}`
  await sql`update assets set trashed_at = now() where ${all}`.execute(db)
  const near = `${operator.door.assets.replace(/assets$/, 'duplicates')}?kind=near`
  expect((await operator.get(near)).body).toEqual({ groups: [], nextCursor: null })
  await sql`update assets set trashed_at = null where ${all}`.execute(db)
  expect((await operator.get(near)).body.groups).toMatchObject([{ more: true }])
})
