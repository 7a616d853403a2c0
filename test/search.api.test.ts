import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { folded } from '../contract/folding.ts'
import { newId } from '../server/ids.ts'
import { plainDetails } from './plain-details.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { operator, portal } = await w.newClient()
const titled = (title: string, by = operator) => by.uploads(undefined, { words: { title } })
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

  test.each([
    ["O'Brien", ['Mrs O’Brien', "O'Brien & Sons"]],
    ['O’Brien’s', ['Mrs O’Brien', "O'Brien & Sons"]],
    ['O‘BRIEN', ['Mrs O’Brien', "O'Brien & Sons"]],
    ['oʼbrien sons', ["O'Brien & Sons"]],
    ['l’hotel', ["L'hôtel du lac"]],
    ["-l'hotel lac", []],
    ["lac -d'hiver", ["L'hôtel du lac"]],
    ["rock 'n' roll", ['Rock ’n’ roll']],
    ['\u202blac\u202c', ["L'hôtel du lac"]],
    ["'", ["L'hôtel du lac", 'Mrs O’Brien', "O'Brien & Sons", 'Rock ’n’ roll']],
    ['"o’brien"', ['Mrs O’Brien', "O'Brien & Sons"]],
    ['"mrs o\'brien"', ['Mrs O’Brien']],
    ['"mrs obrien"', []],
  ])('for “%s” takes one apostrophe for another', async (q, titles) => {
    for (const title of ['Mrs O’Brien', "O'Brien & Sons", "L'hôtel du lac", 'Rock ’n’ roll'])
      if ((await finds(`"${title}"`)).length === 0) await titled(title)
    expect(await finds(q)).toEqual(titles)
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
      await titles('"it\'s"'),
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

describe('words of folders', async () => {
  const { operator, portal, agent } = await w.newClient()
  const other = await w.newClient()
  const wedding = await operator.makesFolder('Hochzeit 2024')
  const party = await operator.makesFolder('Feier', wedding.folderId)
  const flowers = await operator.makesFolder('Blumen')
  const within = ({ folderId }: { folderId: string }, title: string, tags: string[] = []) =>
    operator.uploads(undefined, { session: { folderId }, words: { title, tags } })
  await within(wedding, 'Blumen')
  await within(party, 'Blumenstrauß', ['rot'])
  await within(party, 'Torte')
  await within(flowers, 'Rosen')
  await titled('Blumen', operator)
  await titled('Terrasse Abend', operator)
  await titled('Terasse', operator)
  await other.operator.makesFolder('Sternwarte')
  await other.operator.uploads(undefined, {
    session: { folderId: (await other.operator.makesFolder('Torte Nacht')).folderId },
  })

  const found = async (q: string, more: object = {}, who = portal) =>
    (await who.lists({ q, everywhere: true, ...more })).body
  const shown = async (q: string, more: object = {}) => titlesOf((await found(q, more)).assets)
  const both = ['Blumen', 'Blumenstrauß']

  test('count with those of what is in them, or below, under all filters', async () => {
    const { assets, folders, meant, byFolder } = await found('hochzeit blumen')
    expect([titlesOf(assets), folders, meant, byFolder]).toEqual([both, [], undefined, true])
    expect(await shown('BLUMEN höchzeit feier')).toEqual(['Blumenstrauß'])
    expect(await shown('hochzeit blumen', { tag: 'rot' })).toEqual(['Blumenstrauß'])
    expect(await shown('hochzeit blumen', { sort: 'title-desc' })).toEqual(both)
    expect(await shown('hochzeit rosen')).toEqual([])
    expect(await shown('hochzeit blumen', { trashed: true })).toEqual([])
    const below = (folderId: string) => shown('hochzeit blumen', { everywhere: false, below: true, folderId })
    expect(await below(wedding.folderId)).toEqual(both)
    expect(await below(party.folderId)).toEqual(['Blumenstrauß'])
    expect(await below(flowers.folderId)).toEqual([])
    expect(titlesOf((await found('hochzeit torte', {}, agent)).assets)).toEqual(['Torte'])
  })

  test('that are all of a folder show it with all that is in it, and one alone just the folder', async () => {
    const { assets, folders } = await found('hochzeit 2024')
    expect([titlesOf(assets), folders]).toMatchObject([[...both, 'Torte'], [{ name: 'Hochzeit 2024' }]])
    expect(await found('hochzeit')).toMatchObject({ assets: [], folders: [{ name: 'Hochzeit 2024' }] })
    expect(await found('hochzeit')).not.toHaveProperty('byFolder')
    const inside = { everywhere: false, below: true, folderId: wedding.folderId }
    expect(await shown('hochzeit', inside), 'of which it is no part itself').toEqual([...both, 'Torte'])
  })

  test('are mended as those of assets are', async () => {
    expect(await found('hochziet')).toMatchObject({ meant: 'hochzeit', folders: [{ name: 'Hochzeit 2024' }] })
    const { assets, meant, byFolder } = await found('hochziet blumne')
    expect([titlesOf(assets), meant, byFolder]).toEqual([both, 'hochzeit blumen', true])
  })

  test('mean the same on every page, to the count, and whatever is done to all of them', async () => {
    await operator.makesFolder('Hochzeit 2024 Presse') // a page of folders comes first
    for (const [q, length] of [
      ['hochzeit blumen', 2],
      ['hochziet 2024', 3],
      ['terasse abend', 1],
    ] as const) {
      const { assets, meant, byFolder } = await found(q)
      const ids = assets.map(({ assetId }: Asset) => assetId)
      expect(ids).toHaveLength(length)
      const paged: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await portal.lists({
          q,
          everywhere: true,
          limit: 1,
          count: true,
          ...(cursor && { cursor }),
        })
        expect(body.total).toBe(length)
        paged.push(...body.assets.map(({ assetId }: Asset) => assetId))
        cursor = body.nextCursor
      }
      expect(paged).toEqual(ids)
      const asked = `everywhere=true&q=${encodeURIComponent(q)}`
      expect((await portal.get(`${portal.door.assets}/ids?${asked}`)).body.assetIds).toEqual(ids)
      expect((await portal.get(`${portal.door.assets}/words?${asked}`)).body.rows).toHaveLength(length)
      const { body } = await portal.get(
        `${portal.door.assets}/cursors?${asked}&limit=1&assetId=${ids.at(-1)}`,
      )
      expect([body.cursors.length, body.position]).toEqual([length - 1, length - 1])
      const { body: problem } = await portal.post(`${portal.door.assets}/batches`, {
        search: { q, everywhere: true },
        action: 'trash',
      })
      expect(problem, 'nothing is done to what is only guessed').toMatchObject({ code: 'invalid-request' })
      const search = { q: meant ?? q, everywhere: true, ...(byFolder && { byFolder }) }
      expect(problem.q).toBe(search.q)
      expect(problem.byFolder).toBe(byFolder)
      const summary = await portal.post(`${portal.door.assets}/summary`, { search })
      expect(summary.body.assets).toBe(length)
      const batch = await portal.post(`${portal.door.assets}/batches`, { search, action: 'tag', tags: ['x'] })
      expect(batch.body.total).toBe(length)
      const zip = await portal.post(`${portal.door.assets}/download`, { search })
      expect(zip.body.files).toBe(length)
    }
  })

  test('count beside its own where that is asked for, of one folder or of all there are', async () => {
    const strauss = { byFolder: true, sort: 'title' }
    expect(await shown('blumen')).toEqual(['Blumen', 'Blumen', 'Blumenstrauß'])
    expect(await shown('blumen', strauss)).toEqual(['Blumen', 'Blumen', 'Blumenstrauß', 'Rosen'])
    expect(await shown('hochzeit', strauss)).toEqual([...both, 'Torte'])
    expect(await shown('hochzeit', { ...strauss, tag: 'rot' })).toEqual(['Blumenstrauß'])
    expect(await shown('hochzeit', { tag: 'rot' }), 'no folder is shown with it').toEqual(['Blumenstrauß'])
    expect(await shown('terrasse', strauss)).toEqual(['Terrasse Abend'])
    // Of one sign no index knows.
    expect(await shown('4', strauss)).toEqual([...both, 'Torte'])
    expect(await shown('n', { ...strauss, tag: 'rot' })).toEqual(['Blumenstrauß'])
    const mended = await found('hochziet', strauss)
    expect([titlesOf(mended.assets), mended.meant, mended.byFolder]).toEqual([
      [...both, 'Torte'],
      'hochzeit',
      true,
    ])
    const inOne = { ...strauss, everywhere: false, folderId: party.folderId }
    expect(await shown('hochzeit', inOne), 'of those above it').toEqual(['Blumenstrauß', 'Torte'])
    expect(await shown('rosen', inOne)).toEqual([])
    const { assets } = await found('blumen', { byFolder: true })
    expect(assets.at(-1), 'behind what has the word itself').toMatchObject({ title: 'Rosen' })
  })

  test('are not asked for behind the last page of what has all the words itself', async () => {
    const itself = await titled('Sommer Fest', operator)
    await within(await operator.makesFolder('Sommer'), 'Fest')
    const oldest = { everywhere: true, sort: 'oldest', limit: 200 }
    const { body: all } = await portal.lists(oldest)
    const limit = all.assets.findIndex(({ assetId }: Asset) => assetId === itself.assetId) + 1
    const { nextCursor: cursor } = (await portal.lists({ ...oldest, limit })).body
    expect(await shown('sommer fest', { ...oldest, cursor })).toEqual([])
    expect(await shown('sommer fest', oldest)).toEqual(['Sommer Fest'])
  })

  test('of the trash and of other clients count for nothing', async () => {
    expect(await shown('torte nacht')).toEqual([])
    expect(await found('sternwatre')).toMatchObject({ assets: [], folders: [] })
    expect(await found('sternwatre')).not.toHaveProperty('meant')
    await operator.makesFolder('Archiv Torte')
    const gone = await operator.makesFolder('Kutsche')
    await operator.deletesFolder(gone.folderId)
    expect(await shown('kutsche torte')).toEqual([])
    expect(await found('kutshce')).not.toHaveProperty('meant')
  })

  test('a word that is misspelt elsewhere, too, is mended where nothing has all of them', async () => {
    expect(await found('terasse')).not.toHaveProperty('meant')
    const { assets, meant } = await found('terasse abend')
    expect([titlesOf(assets), meant]).toEqual([['Terrasse Abend'], 'terrasse abend'])
  })
})
