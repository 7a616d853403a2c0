import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../contract/assets.ts'
import { orientationOf, ratioOf } from '../contract/ratios.ts'
import { newId } from '../server/ids.ts'
import { plainDetails } from './plain-details.ts'
import { refusal } from './refusal.ts'
import { statementsOf } from './statements.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
const { clientId, operator, portal, agent } = await w.newClient()
const summer = await operator.makesFolder('Summer')
const terrace = await operator.makesFolder('Terrace', summer.folderId)

const day = (date: string) => new Date(`${date}T12:00:00Z`)
await plant('Wide film', {
  mime_type: 'video/mp4',
  width: 1920,
  height: 1080,
  size_bytes: 40_000_000,
  created_at: day('2026-01-05'),
  created_by: operator.id,
  approval: 'approved',
})
await plant('Tall menu', {
  tags: ['Menu', 'Summer'],
  width: 1080,
  height: 1351,
  size_bytes: 900_000,
  created_at: day('2026-02-10'),
  created_by: portal.id,
  folder_id: summer.folderId,
})
await plant('Tall team', {
  tags: ['Team', 'summer'],
  width: 3000,
  height: 4000,
  size_bytes: 5_000_000,
  created_at: day('2026-02-11'),
  created_by: operator.id,
  alt_text: 'The team',
  folder_id: terrace.folderId,
  rights_expire_at: day('2026-03-01'),
})
await plant('Square logo', {
  width: 1000,
  height: 1009,
  size_bytes: 20_000,
  created_at: day('2026-03-12'),
  created_by: portal.id,
  allowed_surfaces: ['website'],
})
await plant('Nothing known', { width: null, height: null, created_at: day('2026-03-13') })

type Query = Record<string, string | number | boolean | string[]>
const asked = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  )
const titles = (assets: Asset[]) => assets.map(({ title }) => title).sort()

test('tags are offered by how they begin, with how many have them, and none that only others have or that lies in the trash', async () => {
  const { operator: mine, portal: client } = await w.newClient()
  const { operator: stranger } = await w.newClient()
  const tagged = (who: typeof mine, ...tags: string[]) => who.uploads(undefined, { words: { tags } })
  await tagged(mine, 'Terrace', 'summer')
  await tagged(mine, 'terrace', 'team 100%')
  const { assetId } = await tagged(mine, 'Tea')
  await tagged(stranger, 'Tenants only')
  const offered = async (who: typeof mine, query: Query) =>
    (await who.get(`${who.door.assets}/tags?${asked(query)}`)).body.tags
  const terraces = { tag: 'Terrace', assets: 2 }
  expect(await offered(client, { q: 'TE' })).toEqual([
    terraces,
    { tag: 'Tea', assets: 1 },
    { tag: 'team 100%', assets: 1 },
  ])
  expect(await offered(mine, { q: 't', limit: 1 })).toEqual([terraces])
  expect(await offered(mine, { q: 't%' })).toEqual([])
  expect(await offered(mine, {})).toHaveLength(4)
  await mine.trashes(assetId)
  expect(await offered(mine, { q: 'tea' })).toEqual([{ tag: 'team 100%', assets: 1 }])
  expect(await mine.get(`${mine.door.assets}/tags?limit=21`)).toEqual(refusal('invalid-request'))
})

describe('filters', () => {
  test.each<[Query, string[]]>([
    [{ mimeType: 'video/*' }, ['Wide film']],
    [{ tag: 'SUMMER' }, ['Tall menu', 'Tall team']],
    [{ tag: ['summer', 'menu'] }, ['Tall menu']],
    [{ tag: ['summer', 'winter'] }, []],
    [{ uploader: portal.id }, ['Square logo', 'Tall menu']],
    [{ from: '2026-02-11' }, ['Nothing known', 'Square logo', 'Tall team']],
    [{ from: '2026-02-10', to: '2026-02-11' }, ['Tall menu', 'Tall team']],
    [{ to: '2026-01-05' }, ['Wide film']],
    [{ orientation: 'portrait' }, ['Tall menu', 'Tall team']],
    [{ orientation: 'square' }, ['Square logo']],
    [{ orientation: 'landscape' }, ['Wide film']],
    [{ ratio: '4:5' }, ['Tall menu']],
    [{ ratio: '16:9', mimeType: 'image/*' }, []],
    [{ minBytes: 5_000_000 }, ['Tall team', 'Wide film']],
    [{ minBytes: 20_000, maxBytes: 900_000 }, ['Square logo', 'Tall menu']],
    [{ minWidth: 1920, minHeight: 1081 }, ['Tall team']],
    [{ approval: 'approved' }, ['Wide film']],
    [{ rights: 'ended', missingAltText: false }, ['Tall team']],
    [{ surface: 'gbp', orientation: 'square' }, []],
    [{ uploader: operator.id, from: '2026-02-01', tag: 'team', orientation: 'portrait' }, ['Tall team']],
    [{ orientation: 'portrait', q: 'tal', maxBytes: 1_000_000 }, ['Tall menu']],
    [
      { folderId: summer.folderId, everywhere: false, below: true, orientation: 'portrait' },
      ['Tall menu', 'Tall team'],
    ],
    [{ folderId: summer.folderId, everywhere: false, tag: 'summer' }, ['Tall menu']],
  ])('%j find the same at both doors, on all pages, and in positions and counts', async (query, found) => {
    for (const person of [operator, portal]) {
      const search = asked({ everywhere: true, ...query })
      const { status, body } = await person.get(`${person.door.assets}?${search}&count=true&limit=1`)
      expect(status).toBe(200)
      expect(body.total).toBe(found.length)
      const { body: some } = await person.get(`${person.door.assets}?${search}&countUpTo=2&limit=1`)
      expect(some.total).toBe(Math.min(found.length, 2))
      const { body: ids } = await person.get(`${person.door.assets}/ids?${search}`)
      const { body: cursors } = await person.get(`${person.door.assets}/cursors?${search}&limit=1`)
      expect(cursors.cursors).toHaveLength(Math.max(0, found.length - 1))
      const all: Asset[] = [...body.assets]
      for (let { nextCursor } = body; nextCursor; ) {
        const { body: page } = await person.get(
          `${person.door.assets}?${search}&limit=1&cursor=${nextCursor}`,
        )
        all.push(...page.assets)
        nextCursor = page.nextCursor
      }
      expect(titles(all)).toEqual(found)
      expect(ids.assetIds).toEqual(all.map(({ assetId }) => assetId))
    }
  })

  test.each<Query>([
    { orientation: 'round' },
    { ratio: '7:3' },
    { from: '2026-02-30' },
    { to: '0000-01-01' },
    { from: 'yesterday' },
    { minBytes: -1 },
    { minWidth: 0 },
    { maxBytes: '9007199254740993' },
    { tag: Array(11).fill('a') },
  ])('%j is refused', async (query) => {
    expect(await operator.get(`${operator.door.assets}?${asked(query)}`)).toEqual(refusal('invalid-request'))
  })

  test('mean the same shape in the database as in the page that shows what changes', async () => {
    const sides = [1, 99, 100, 101, 563, 564, 800, 1000, 1009, 1010, 1011, 1080, 1350, 1351, 1500, 1910, 1920]
    const sizes = sides.flatMap((width) => sides.map((height) => ({ width, height })))
    const { rows } = await sql<{ ratio: string | null; orientation: string }>`
      select ratio_of(width, height) as ratio, orientation_of(width, height) as orientation
      from unnest(${sizes.map(({ width }) => width)}::int[], ${sizes.map(({ height }) => height)}::int[])
        with ordinality as size (width, height, place) order by place`.execute(w.parts.db)
    expect(rows).toEqual(
      sizes.map((size) => ({ ratio: ratioOf(size) ?? null, orientation: orientationOf(size) })),
    )
  })
})

test('who uploaded something is listed once, to the people of the client only themselves', async () => {
  for (const person of [operator, portal]) {
    const { status, body } = await person.get(`${person.door.assets}/uploaders`)
    expect(status).toBe(200)
    const ids = body.uploaders.map(({ uploader }: { uploader: string }) => uploader)
    expect(ids.sort()).toEqual(person === portal ? [portal.id] : [operator.id, portal.id, 'tests'].sort())
  }
})

describe('words', () => {
  const found = async (q: string, more: Query = {}) =>
    (await portal.get(`${portal.door.assets}?${asked({ q, everywhere: true, ...more })}`)).body
  const inOrder = ({ assets }: { assets: Asset[] }) => assets.map(({ title }) => title)

  test('come ranked: titles before tags before the rest, whole words before parts', async () => {
    await plant('Lighthouses', { created_at: day('2026-05-01') })
    await plant('Lighthouse', { created_at: day('2020-05-01') })
    await plant('Harbour at night', { tags: ['lighthouse'], created_at: day('2026-05-02') })
    await plant('The coast', { description: 'Far away a lighthouse', created_at: day('2026-05-03') })
    const ranked = ['Lighthouse', 'Lighthouses', 'Harbour at night', 'The coast']
    expect(inOrder(await found('lighthouse'))).toEqual(ranked)
    expect(inOrder(await found('lighthouse', { sort: 'newest' }))).toEqual([
      'The coast',
      'Harbour at night',
      'Lighthouses',
      'Lighthouse',
    ])
    for (const quoted of ['"harbour at night"', '„Harbour“ night'])
      expect(inOrder(await found(quoted))).toEqual(['Harbour at night'])
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await found('lighthouse', { limit: 1, ...(cursor && { cursor }) })
      pages.push(...inOrder(page))
      cursor = page.nextCursor
    }
    expect(pages).toEqual(ranked)
    const { body } = await portal.get(
      `${portal.door.assets}/cursors?${asked({ q: 'lighthouse', everywhere: true, limit: 2 })}`,
    )
    expect(inOrder(await found('lighthouse', { cursor: body.cursors[0] }))).toEqual(ranked.slice(2))
  })

  test('that are the name of a file bring that file first', async () => {
    await plant('Pier', { original_filename: 'pier.png', created_at: day('2020-05-01') })
    await plant('Old pier', { original_filename: 'old-pier.png', created_at: day('2026-05-01') })
    expect(inOrder(await found('Pier.png'))).toEqual(['Pier', 'Old pier'])
  })

  test('are whole between underscores and hyphens, and numbers with zeros before them', async () => {
    for (const [at, title] of ['Parka_Men-1', 'Parka_Women-1', 'IMG_0007', 'IMG_0117', 'IMG_70'].entries())
      await plant(title, { created_at: day(`2021-05-0${at + 1}`) })
    expect(inOrder(await found('men parka'))).toEqual(['Parka_Men-1', 'Parka_Women-1'])
    expect(inOrder(await found('parka_men'))).toEqual(['Parka_Men-1'])
    expect(inOrder(await found('img 7'))).toEqual(['IMG_0007', 'IMG_70', 'IMG_0117'])
  })

  test('in quotation marks stand just so, and with a minus before them are not there', async () => {
    for (const title of ['Anorak red', 'Red anorak', 'Anorak red draft'])
      await plant(title, { tags: ['coat'] })
    const those = async (q: string) => inOrder(await found(q)).sort()
    expect(await those('"anorak red"')).toEqual(['Anorak red', 'Anorak red draft'])
    expect(await those('„anorak  Red“ -draft')).toEqual(['Anorak red'])
    expect(await those('coat -draft -"anorak red"')).toEqual(['Red anorak'])
    expect(await those('anorka -draft')).toEqual(['Anorak red', 'Red anorak'])
    expect(await those('"anorak re')).toEqual(['Anorak red', 'Anorak red draft'])
    expect(await those('"anorka"')).toEqual([])
    expect(await those('"anorka" red')).toEqual([])
    expect(await found('"anorak red" daft')).toMatchObject({ meant: '"anorak red" draft' })
    for (const title of ['Kaftan -red', 'Kaftan 7', 'Kaftan 8.gif'])
      await plant(title, { original_filename: 'kaftan.png' })
    expect(await those('kaftan "-red"')).toEqual(['Kaftan -red'])
    expect(await those('kaftan -7 -"re"')).toEqual(['Kaftan 8.gif'])
    expect(await those('kaftan -.gif')).toEqual(['Kaftan -red', 'Kaftan 7'])
    expect(await those('kafatn "-red"')).toEqual(['Kaftan -red'])
    expect(await those('kaftan - -')).toEqual(['Kaftan -red', 'Kaftan 7', 'Kaftan 8.gif'])
    expect(await those('kaftan "-"')).toEqual(['Kaftan -red'])
    const { body } = await portal.lists({ q: '-coat', everywhere: true, limit: 200 })
    expect(body.assets.some(({ tags }: Asset) => tags.includes('coat'))).toBe(false)
    expect(body.assets.length).toBeGreaterThan(10)
  })

  test('all count, however many there are and however often one is said', async () => {
    const ten = 'one two three four five six seven eight nine ten'
    for (const last of ['eleven', 'twelve']) await plant(`${ten} ${last}`, {})
    const many = `${ten} ${ten} eleven`
    expect(inOrder(await found(many))).toEqual([`${ten} eleven`])
    const batch = await portal.post(`${portal.door.assets}/batches`, {
      search: { q: many, everywhere: true },
      action: 'tag',
      tags: ['counted'],
    })
    expect(batch.body).toMatchObject({ total: 1 })
  })

  test('are looked for once, however many they are, before what has them is ranked', async () => {
    for (const title of ['Quay ropes at dawn', 'Dawn at a quay of ropes']) await plant(title, {})
    const statements = statementsOf(w)
    expect(inOrder(await found('quay ropes at dawn'))).toEqual([
      'Quay ropes at dawn',
      'Dawn at a quay of ropes',
    ])
    expect(statements.filter((text) => text.includes('word_list(search_text)'))).toEqual([])
  })

  test('of which very many are found come the newest first, page by page', async () => {
    const many = Array.from({ length: 510 }, (_, at) =>
      plantRow({ title: `Crowd ${at}`, created_at: new Date(1_600_000_000_000 + at) }),
    )
    await w.parts.db
      .insertInto('assets')
      .values(many as never)
      .execute()
    const first = await found('crowd', { limit: 200 })
    const second = await found('crowd', { limit: 200, cursor: first.nextCursor })
    expect([...inOrder(first), ...inOrder(second)]).toEqual(
      Array.from({ length: 400 }, (_, at) => `Crowd ${509 - at}`),
    )
  })

  test('that few have among very many come ranked, and what none has is not found', async () => {
    await plant('Lantern', { created_at: day('2019-05-01') })
    await plant('Lanterns', { created_at: day('2019-05-02') })
    expect(inOrder(await found('lantern'))).toEqual(['Lantern', 'Lanterns'])
    expect(inOrder(await found('lantern crowd'))).toEqual([])
    expect(inOrder(await found('crowd 509'))).toEqual(['Crowd 509'])
  })

  test('end where they are told to', async () => {
    const { nextCursor } = await found('lantern', { limit: 1 })
    expect(inOrder(await found('lantern', { until: nextCursor }))).toEqual(['Lantern'])
    expect((await portal.lists({ q: 'lantern', everywhere: true, until: 'nowhere' })).status).toBe(400)
  })

  test('are read on from whatever number somebody makes up', async () => {
    for (const relevance of [2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER]) {
      const cursor = Buffer.from(JSON.stringify(['relevance', relevance, newId('asset')])).toString(
        'base64url',
      )
      for (const list of ['', '/ids', '/cursors'])
        expect(
          (
            await portal.get(
              `${portal.door.assets}${list}?${asked({ q: 'lantern', everywhere: true, cursor })}`,
            )
          ).status,
        ).toBe(200)
    }
  })

  test.each([
    ['lighthuose', 'lighthouse'],
    ['lihgthouse', 'lighthouse'],
    ['harbur', 'harbour'],
    ['ligthouse cost', 'lighthouse coast'],
  ])('“%s” find what is spelt nearly so', async (q, meant) => {
    const corrected = await found(q)
    expect(corrected.meant).toBe(meant)
    expect(inOrder(corrected)).toEqual(inOrder(await found(meant)))
    expect(corrected.assets.length).toBeGreaterThan(0)
    const ids = await portal.get(`${portal.door.assets}/ids?${asked({ q, everywhere: true })}`)
    expect(ids.body.assetIds).toHaveLength(corrected.assets.length)
    const words = await portal.get(`${portal.door.assets}/words?${asked({ q, everywhere: true })}`)
    expect(words.body.rows).toHaveLength(corrected.assets.length)
    // What is done to all of them is done to what has the words as they are.
    const tagAll = (words: string) =>
      portal.post(`${portal.door.assets}/batches`, {
        search: { q: words, everywhere: true },
        action: 'tag',
        tags: ['seen'],
      })
    expect((await tagAll(q)).body).toMatchObject({ code: 'invalid-request', q: meant })
    expect((await tagAll(meant)).body).toMatchObject({ total: corrected.assets.length })
  })

  test('find nothing of what only another client has, and nothing that is spelt otherwise', async () => {
    const other = await w.newClient()
    await other.operator.uploads(undefined, { words: { title: 'Kaleidoscope' } })
    expect(await found('kaleidoscpoe')).toMatchObject({ assets: [] })
    expect((await found('zzzzzz')).meant).toBe(undefined)
    expect(await found('lighthuose lantern'), 'nor does anything have both').toMatchObject({ assets: [] })
    expect((await found('lighthuose lantern')).meant).toBe(undefined)
    expect((await found('lighthuose harbur coaast lantrn')).meant, 'rather other words').toBe(undefined)
    expect(inOrder(await found('lighthouse', { tag: 'nowhere' }))).toEqual([])
  })

  test('are what an agent searches by, best first', async () => {
    const { body } = await agent.get(
      `${agent.door.assets}?${asked({ q: 'lighthuose', everywhere: true, limit: 1 })}`,
    )
    expect(inOrder(body)).toEqual(['Lighthouse'])
  })
})

describe('words that are written otherwise', async () => {
  const { clientId, operator, portal } = await w.newClient()
  const there = [
    ...['Jackets', 'Summer hat', 'Schuhe', 'Square', 'White', 'With', 'Bags'],
    ...['München Rathaus', 'Köln', 'Zürich', 'Die Tür', 'Turbo', 'Herr Mueller', 'Ærø', 'Århus', 'Muenchen'],
    ...['ΣΊΣΥΦΟΣ', 'Hero-Banner', 'Black Friday', 'Schöne Friseure', 'New York', 'IMG_0007', 'Blue tshirt'],
    ...['Office', 'Of ice', 'An e-bike', 'Motorbike', 'An old xray'],
    'Rock’n’roll boots',
  ]
  await w.parts.db
    .insertInto('assets')
    .values(there.map((title) => plantRow({ client_id: clientId, title })) as never)
    .execute()
  await operator.makesFolder('Logo 2024')

  test.each([
    ['jakcet', 'jacket', 'Jackets'],
    ['jcaket', 'jacket', 'Jackets'],
    ['usmmer hat', 'summer hat', 'Summer hat'],
    ['sumemr', 'summer', 'Summer hat'],
    ['sumer', 'summer', 'Summer hat'],
    ['shcuhe', 'schuhe', 'Schuhe'],
    ['sqaure', 'square', 'Square'],
    ['wihte', 'white', 'White'],
    ['withe', 'white', 'White'],
    ['bgas', 'bags', 'Bags'],
    ['muenchen rathaus', 'münchen rathaus', 'München Rathaus'],
    ['KOELN', 'köln', 'Köln'],
    ['zuerich', 'zürich', 'Zürich'],
    ['tuer die', 'tür die', 'Die Tür'],
    ['Müller', 'mueller', 'Herr Mueller'],
    ['müller hrer', 'mueller herr', 'Herr Mueller'],
    ['aeroe', 'ærø', 'Ærø'],
    ['rathuas', 'rathaus', 'München Rathaus'],
    ['scohne', 'schöne', 'Schöne Friseure'],
    ['aarhus', 'århus', 'Århus'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ', 'ΣΊΣΥΦΟΣ'],
    ['herobanner', 'hero banner', 'Hero-Banner'],
    ['hero_banner', 'hero banner', 'Hero-Banner'],
    ['BlackFriday', 'black friday', 'Black Friday'],
    ['newyork', 'new york', 'New York'],
    ['img0007', 'img 0007', 'IMG_0007'],
    ['blue t-shirt', 'blue tshirt', 'Blue tshirt'],
    ['x-ray', 'xray', 'An old xray'],
    ['ebike', 'e-bike', 'An e-bike'],
    ['ofice', 'office', 'Office'],
    ["rock'n'roll botos", 'rock roll boots', 'Rock’n’roll boots'],
  ])('“%s” find what has “%s”, whatever is asked of it', async (q, meant, title) => {
    const search = asked({ q, everywhere: true, count: true })
    const { body } = await portal.get(`${portal.door.assets}?${search}`)
    expect([body.meant, titles(body.assets), body.total]).toEqual([meant, [title], 1])
    search.delete('count')
    const ids = await portal.get(`${portal.door.assets}/ids?${search}`)
    expect(ids.body.assetIds).toEqual([body.assets[0].assetId])
    const told = { search: { q: meant, everywhere: true } }
    expect((await portal.post(`${portal.door.assets}/summary`, told)).body.assets).toBe(1)
  })

  test('are looked up once each, and tried in few ways', async () => {
    const { clientId, portal } = await w.newClient()
    const there = ['Terrasse', 'Terasse', 'Plakate', 'Plakete', 'Brosche', 'Broschi', 'Sommer', 'Abend']
    await w.parts.db
      .insertInto('assets')
      .values(there.map((title) => plantRow({ client_id: clientId, title })) as never)
      .execute()
    const statements = statementsOf(w)
    const q = 'terasse plakate brosche terrasse plakete somemr abned terassee abend sommer'
    const { body } = await portal.get(`${portal.door.assets}?${asked({ q, everywhere: true })}`)
    expect(body).toMatchObject({ assets: [], folders: [] })
    const having = (text: string) => statements.filter((statement) => statement.includes(text)).length
    expect(having('"isOne"'), 'each word once, and what it is taken for').toBeLessThanOrEqual(14)
    expect(having('<% word'), 'all that are misspelt, and all that may be').toBe(2)
    expect(having("e'\\x1e' order by id)"), 'names of folders').toBe(1)
  })

  test('“lgoo” finds the folder', async () => {
    const { body } = await portal.get(`${portal.door.assets}?${asked({ q: 'lgoo', everywhere: true })}`)
    expect(body).toMatchObject({ meant: 'logo', assets: [], folders: [{ name: 'Logo 2024' }] })
  })

  test('are guessed at for nobody who has gone', async () => {
    const { operator, portal } = await w.newClient()
    const search = (nth: number) => asked({ q: `unhrad wodr${nth}`, everywhere: true })
    const statements = statementsOf(w)
    const guesses = () => statements.filter((text) => text.includes('as beginning cross join lateral')).length
    const gone = new AbortController()
    const { signal } = gone
    const many = Array.from({ length: 100 }, (_, nth) =>
      operator.fetch(`${operator.door.assets}?${search(nth)}`, { signal }),
    )
    await expect.poll(guesses, { interval: 1 }).toBeGreaterThan(0)
    gone.abort()
    await Promise.allSettled(many)
    const last = Array.from({ length: 10 }, (_, nth) =>
      portal.get(`${portal.door.assets}?${search(nth + 100)}`),
    )
    expect((await Promise.all(last)).map(({ status }) => status)).toEqual(last.map(() => 200))
    expect(guesses()).toBeLessThan(40)
  })

  test('are held against folders as these are called by now', async () => {
    const { clientId, operator, portal } = await w.newClient()
    const folder = await operator.makesFolder('Herbst')
    await w.parts.db
      .insertInto('assets')
      .values(plantRow({ client_id: clientId, title: 'Blatt', folder_id: folder.folderId }) as never)
      .execute()
    const found = async (q: string) => {
      const { body } = await portal.get(`${portal.door.assets}?${asked({ q, everywhere: true })}`)
      return [body.meant ?? null, titles(body.assets)]
    }
    expect(await found('hebrst blatt')).toEqual(['herbst blatt', ['Blatt']])
    await operator.patch(`${operator.door.assets}/folders`, { folderId: folder.folderId, name: 'Winter' })
    expect(await found('wniter blatt')).toEqual(['winter blatt', ['Blatt']])
    expect(await found('hebrst blatt')).toEqual([null, []])
  })
})

function plantRow(row: object) {
  const file = { original_filename: 'planted.png', mime_type: 'image/png', size_bytes: 1 }
  return {
    client_id: clientId,
    id: newId('asset'),
    ...file,
    details: plainDetails,
    created_by: 'tests',
    ...row,
  }
}

async function plant(title: string, row: object): Promise<void> {
  await w.parts.db
    .insertInto('assets')
    .values(plantRow({ title, ...row }) as never)
    .execute()
}
