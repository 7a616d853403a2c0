import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { folded } from '../contract/folding.ts'
import { newId } from '../server/ids.ts'
import { plainDetails } from './plain-details.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { operator, portal } = await w.newClient()
const titled = (title: string) => operator.uploads(undefined, { words: { title } })
const titlesOf = (assets: Asset[]) => assets.map(({ title }) => title).sort()
const finds = async (q: string) => titlesOf((await portal.lists({ q, everywhere: true })).body.assets)

describe('a search', async () => {
  for (const title of ['Café am See', 'cafe corner', 'Überblick', 'Smørrebrød', 'Straße 7', 'ΑΘΗΝΑ'])
    await titled(title)
  await operator.makesFolder('Übergänge')

  test.each([
    ['cafe', ['Café am See', 'cafe corner']],
    ['CAFÉ', ['Café am See', 'cafe corner']],
    ['Cafe\u0301', ['Café am See', 'cafe corner']], // as macOS writes it
    ['uberblick', ['Überblick']],
    ['ÜBERBLICK', ['Überblick']],
    ['smorrebrod', ['Smørrebrød']],
    ['strasse', ['Straße 7']],
    ['straße', ['Straße 7']],
    ['αθηνα', ['ΑΘΗΝΑ']],
    ['cafe see', ['Café am See']],
    ['caf_', []],
    ['caf%r', []],
  ])('for “%s” looks neither at case nor at accents', async (q, titles) => {
    expect(await finds(q)).toEqual(titles)
  })

  test('has one rule in the database and in the page that shows what changes', async () => {
    const latinGreekAndCyrillic = [
      [0x20, 0x250],
      [0x370, 0x530],
      [0x1e00, 0x2000],
    ] as const
    const words = latinGreekAndCyrillic.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, at) => `a${String.fromCodePoint(from + at)}b`),
    )
    const { rows } = await sql<{ word: string; folded: string }>`
      select word, folded(word) from unnest(${words}::text[]) as word`.execute(w.parts.db)
    expect(rows.filter(({ word, folded: there }) => there !== folded(word))).toEqual([])
  })

  test('finds folders the same way', async () => {
    const { folders } = (await portal.lists({ q: 'ubergange', everywhere: true })).body
    expect(folders).toMatchObject([{ name: 'Übergänge' }])
  })

  test('finds what was changed later, too', async () => {
    const { assetId } = await titled('Later')
    await operator.edits(assetId, { tags: ['Jubiläum'], altText: 'Crème brûlée' })
    expect(await finds('jubilaum creme')).toEqual(['Later'])
  })

  test('finds letters and signs that the index knows nothing of, however many words there are', async () => {
    const { clientId, operator, portal } = await w.newClient()
    for (const title of ["It's summer", 'Its summer', 'AC/DC', 'Q3'])
      await operator.uploads(undefined, { words: { title } })
    const titles = async (q: string) => titlesOf((await portal.lists({ q, everywhere: true })).body.assets)
    const found = async () => [
      await titles("it's"),
      await titles('c/d'),
      await titles('q'),
      await titles('xy'),
    ]
    const expected = [["It's summer"], ['AC/DC'], ['Q3'], []]
    expect(await found()).toEqual(expected)
    await sql`insert into asset_words select ${clientId}, 'zz' || n from generate_series(1, 20001) as n`.execute(
      w.parts.db,
    )
    expect(await found()).toEqual(expected)
  })

  test('finds the asset of a pasted assetRef, pinned or not, in any case', async () => {
    const { assetRef, assetId } = await titled('By its ref')
    for (const q of [assetRef, `${assetRef}@1`, ` ${assetId.toUpperCase()} `])
      expect(await finds(q)).toEqual(['By its ref'])
    expect(await finds(`${assetRef} other`)).toEqual([])
    const { assetRef: another } = await titled('By another')
    expect(await finds(`${assetRef}\n${another}`)).toEqual(['By another', 'By its ref'])
  })

  test('for a ref of another client finds nothing', async () => {
    const { assetRef } = await (await w.newClient()).operator.uploads()
    expect(await finds(assetRef)).toEqual([])
  })

  test.each([
    ['of the newest, too', 2],
    ['of hardly one of the newest', 600],
  ])('for a word that more have than can be ranked has the newest first: %s', async (_, every) => {
    const { clientId, operator: other } = await w.newClient()
    // The oldest answer the word best.
    const rows = Array.from({ length: 900 }, (_, n) => ({
      client_id: clientId,
      id: newId('asset'),
      title: n < 550 ? 'Common' : `${n % every === 0 ? 'Uncommon' : 'Else'} ${n}`,
      original_filename: 'a.png',
      mime_type: 'image/png',
      size_bytes: 1,
      details: plainDetails,
      created_by: 'tests',
      created_at: new Date(1_700_000_000_000 + n),
    }))
    await w.parts.db
      .insertInto('assets')
      .values(rows as never)
      .execute()
    const found: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await other.lists({
        q: 'common',
        everywhere: true,
        limit: 200,
        ...(cursor && { cursor }),
      })
      expect(body.unranked).toBe(true)
      found.push(...body.assets.map(({ assetId }: Asset) => assetId))
      cursor = body.nextCursor ?? undefined
    }
    const few = await other.lists({ q: 'common 600', everywhere: true })
    expect(few.body).not.toHaveProperty('unranked')
    const having = rows.filter(({ title }) => /common/i.test(title)).reverse()
    expect(found).toEqual(having.map(({ id }) => id))
  })
})
