import { describe, expect, test } from 'vitest'
import { deepestFolder, type Folder, longestFolderName } from '../contract/folders.ts'
import { newId } from '../server/ids.ts'
import { type Person, puts } from './person.ts'
import { pixel } from './pictures.ts'
import { refusal } from './refusal.ts'
import { ownWorld } from './world.ts'

const mostFolders = 40
const w = await ownWorld({ ROLE: 'api', MAX_FOLDERS: String(mostFolders) })

describe('a folder', () => {
  test('is made at the top level or in another, at both doors', async () => {
    const { operator, portal, clientId } = await w.newClient()
    const made = await operator.post(`${operator.door.assets}/folders`, { name: '  Menus ' })
    expect(made.status).toBe(201)
    expect(made.headers.get('etag')).toMatch(/^"/)
    expect(made.body).toEqual({
      folderId: expect.stringMatching(/^folder_/),
      clientId,
      name: 'Menus',
      protected: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      trashedAt: null,
    })
    const inside = await portal.makesFolder('Summer', made.body.folderId)
    expect(inside.parentId).toBe(made.body.folderId)

    const { body: top } = await operator.lists()
    expect(namesOf(top.folders)).toEqual(['Menus'])
    const { body: page } = await portal.lists({ folderId: inside.folderId })
    expect(page.folder).toMatchObject({ folderId: inside.folderId, name: 'Summer' })
    expect(page.path).toEqual([
      { folderId: made.body.folderId, name: 'Menus' },
      { folderId: inside.folderId, name: 'Summer' },
    ])
    const { body: tree } = await operator.get(`${operator.door.assets}/folders`)
    expect(namesOf(tree.folders).sort()).toEqual(['Menus', 'Summer'])
  })

  test('comes in pages: in the tree, in a listing before its assets, in a search and in the trash', async () => {
    const { operator } = await w.newClient()
    const { folderId: top } = await operator.makesFolder('Shelf')
    const wanted = Array.from({ length: 7 }, (_, number) => `Box ${number}`)
    for (const name of wanted) await operator.makesFolder(name, top)
    const assetIds: string[] = []
    for (let i = 0; i < 4; i++)
      assetIds.push((await operator.uploads(undefined, { session: { folderId: top } })).assetId)

    const pages = async (path: string) => {
      const all = []
      let cursor = ''
      do {
        const { status, body } = await operator.get(`${path}&limit=3${cursor && `&cursor=${cursor}`}`)
        expect(status).toBe(200)
        all.push({ folders: namesOf(body.folders), assets: (body.assets ?? []).length })
        cursor = body.nextCursor
      } while (cursor)
      return all
    }
    const { assets } = operator.door
    expect(await pages(`${assets}/folders?`)).toEqual([
      { folders: wanted.slice(0, 3), assets: 0 },
      { folders: wanted.slice(3, 6), assets: 0 },
      { folders: [wanted[6], 'Shelf'], assets: 0 },
    ])
    expect(await pages(`${assets}?folderId=${top}`)).toEqual([
      { folders: wanted.slice(0, 3), assets: 0 },
      { folders: wanted.slice(3, 6), assets: 0 },
      { folders: wanted.slice(6), assets: 3 },
      { folders: [], assets: 1 },
    ])
    const found = await pages(`${assets}?everywhere=true&q=box`)
    expect(found.map(({ folders }) => folders.length)).toEqual([3, 3, 1])
    for (const { folderId } of (await operator.lists({ folderId: top })).body.folders)
      await operator.deletesFolder(folderId)
    const trashed = await pages(`${assets}?trashed=true`)
    expect(trashed.map(({ folders }) => folders.length)).toEqual([3, 3, 1])
  })

  test('stands in the order people count in, on every page of every list', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Shoots')
    for (const name of ['🍎', 'Shoot 10', 'ｚ', 'shoot 2', 'Álbum', 'Shoot 1', 'Shoot 2b 12', 'Shoot 2b 3'])
      await operator.makesFolder(name, folderId)
    const inOrder = ['Shoot 1', 'shoot 2', 'Shoot 2b 3', 'Shoot 2b 12', 'Shoot 10', 'Álbum', 'ｚ', '🍎']
    const names: string[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const { body } = await operator.lists({ folderId, limit: 2, ...(cursor && { cursor }) })
      names.push(...body.folders.map(({ name }: Folder) => name))
      cursor = body.nextCursor
      more = !!cursor
    }
    expect(names).toEqual(inOrder)
    const { body } = await operator.get(`${operator.door.assets}/folders`)
    expect(body.folders.map(({ name }: Folder) => name)).toEqual([
      ...inOrder.slice(0, 5),
      'Shoots',
      ...inOrder.slice(5),
    ])
  })

  test('is refused where there are as many as a client may have', async () => {
    const { operator, clientId } = await w.newClient()
    const first = await operator.makesFolder('First')
    await w.parts.db
      .insertInto('folders')
      .values(
        Array.from({ length: mostFolders - 1 }, (_, i) => ({
          client_id: clientId,
          id: newId('folder'),
          parent_id: first.folderId,
          name: `Folder ${i}`,
          name_key: `folder ${i}`,
        })),
      )
      .execute()
    const refused = await operator.post(`${operator.door.assets}/folders`, { name: 'One more' })
    expect(refused).toEqual(refusal('too-many-folders'))
    expect(refused.body.params).toEqual({ most: expect.any(Number) })
    // Nor by way of the trash.
    await operator.deletesFolder(first.folderId)
    expect((await operator.post(`${operator.door.assets}/folders`, { name: 'One more' })).status).toBe(409)
  })

  test('is renamed, moved, and both at once', async () => {
    const { operator } = await w.newClient()
    const [menus, old] = [await operator.makesFolder('Menus'), await operator.makesFolder('Old')]
    const { body: cards } = await operator.changesFolder(menus.folderId, { name: 'Cards' })
    expect(cards).toMatchObject({ name: 'Cards' })
    expect(cards).not.toHaveProperty('parentId')
    expect((await operator.changesFolder(menus.folderId, { parentId: old.folderId })).body).toMatchObject({
      name: 'Cards',
      parentId: old.folderId,
    })
    const both = await operator.changesFolder(menus.folderId, { name: 'Menus', parentId: null })
    expect(both).toMatchObject({ status: 200, body: { name: 'Menus' } })
    expect(both.body).not.toHaveProperty('parentId')
  })

  test('changed into what it is stays as it is', async () => {
    const { operator, clientId } = await w.newClient()
    const made = await operator.post(`${operator.door.assets}/folders`, { name: 'Menus' })
    const same = await operator.changesFolder(made.body.folderId, { name: 'Menus', parentId: null })
    expect(same.body).toEqual(made.body)
    expect(same.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(await eventsOf(clientId)).toEqual(['folder.created'])
  })

  test('can have its letters changed from small to capital', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('menus')
    expect((await operator.changesFolder(folderId, { name: 'MENUS' })).body.name).toBe('MENUS')
  })

  test('made twice under one Idempotency-Key is one folder', async () => {
    const { operator } = await w.newClient()
    const makes = (name: string) =>
      operator.post(`${operator.door.assets}/folders`, { name }, { 'idempotency-key': 'menus-1' })
    const [first, second] = await Promise.all([makes('Menus'), makes('Menus')])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await makes('Other')).toEqual(refusal('idempotency-key-reused'))
    expect((await operator.lists()).body.folders).toHaveLength(1)
  })

  test('is not changed on the strength of an old ETag', async () => {
    const { operator, portal } = await w.newClient()
    const made = await operator.post(`${operator.door.assets}/folders`, { name: 'Menus' })
    const { folderId } = made.body
    const old = { 'if-match': made.headers.get('etag')! }
    const renamed = await portal.changesFolder(folderId, { name: 'Cards' }, old)
    expect(renamed.status).toBe(200)
    expect(await operator.changesFolder(folderId, { name: 'Plates' }, old)).toEqual(
      refusal('changed-meanwhile'),
    )
    expect(await operator.delete(`${operator.door.assets}/folders`, { folderId }, old)).toEqual(
      refusal('changed-meanwhile'),
    )
    const still = { name: 'Menus', parentId: null }
    expect(await operator.changesFolder(folderId, { name: 'Plates', still })).toEqual(
      refusal('changed-meanwhile'),
    )
    const again = await operator.changesFolder(folderId, {
      name: 'Cards',
      still: { ...still, name: 'Cards' },
    })
    expect(again.status).toBe(200)
    const now = { 'if-match': renamed.headers.get('etag')! }
    expect((await operator.delete(`${operator.door.assets}/folders`, { folderId }, now)).status).toBe(200)
  })
})

describe('the name of a folder', () => {
  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['a dot', '.'],
    ['two dots', ' .. '],
    ['a slash in it', 'a/b'],
    ['a line break in it', 'a\nb'],
    ['an escape in it', 'a\u001b[31m'],
    ['a character too much', 'x'.repeat(longestFolderName + 1)],
    ['4 kB', 'x'.repeat(4096)],
    ['a turn of direction in it', 'menu\u202Efdp'],
    ['an isolate in it', '\u2067menu'],
    ['NUL in it', 'a\0b'],
  ])('is refused when it is or has %s', async (_, name) => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    expect(await operator.post(`${operator.door.assets}/folders`, { name })).toEqual(
      refusal('invalid-request'),
    )
    expect(await operator.changesFolder(folderId, { name })).toEqual(refusal('invalid-request'))
    expect(namesOf((await operator.lists()).body.folders)).toEqual(['Menus'])
  })

  test.each([
    ['emoji', '🦩'.repeat(longestFolderName)],
    ['right-to-left marks', 'תפריט\u200f 2'],
    ['an escape for a slash', 'a%2Fb'],
    ['what the database could misread', "'; drop table folders; --"],
    ['another script', '夏のメニュー'],
  ])('may hold %s', async (_, name) => {
    const { portal } = await w.newClient()
    const { folderId } = await portal.makesFolder(name)
    expect((await portal.lists({ folderId })).body.folder.name).toBe(name)
  })

  test('is taken among siblings, whatever its letters and however they are composed', async () => {
    const { operator } = await w.newClient()
    const cafe = await operator.makesFolder('Café')
    const other = await operator.makesFolder('Other')
    for (const name of ['Café', 'CAFÉ', 'Cafe\u0301', ' café ']) {
      expect(await operator.post(`${operator.door.assets}/folders`, { name })).toEqual(
        refusal('folder-name-taken'),
      )
      expect(await operator.changesFolder(other.folderId, { name })).toEqual(refusal('folder-name-taken'))
    }
    const inside = await operator.makesFolder('café', other.folderId)
    expect(await operator.changesFolder(inside.folderId, { parentId: null })).toEqual(
      refusal('folder-name-taken'),
    )
    await operator.deletesFolder(cafe.folderId)
    expect((await operator.changesFolder(inside.folderId, { parentId: null })).status).toBe(200)
  })
})

describe('the tree', () => {
  test('has no ring', async () => {
    const { operator } = await w.newClient()
    const [a, b, c] = await makesChain(operator, 3)
    for (const parentId of [a!, b!, c!])
      expect(await operator.changesFolder(a!, { parentId })).toEqual(refusal('folder-cycle'))
    expect((await operator.lists({ folderId: c! })).body.path).toHaveLength(3)
  })

  test(`is ${deepestFolder} folders deep at most`, async () => {
    const { operator } = await w.newClient()
    const chain = await makesChain(operator, deepestFolder)
    const tooDeep = await operator.post(`${operator.door.assets}/folders`, {
      name: 'Deeper',
      parentId: chain.at(-1),
    })
    expect(tooDeep).toEqual(refusal('folder-too-deep'))

    const two = await operator.makesFolder('Two')
    await operator.makesFolder('levels', two.folderId)
    expect(await operator.changesFolder(two.folderId, { parentId: chain.at(-2)! })).toEqual(
      refusal('folder-too-deep'),
    )
    expect((await operator.changesFolder(two.folderId, { parentId: chain.at(-3)! })).status).toBe(200)
  })

  test('lets one of two moves win that together would make a ring', async () => {
    const { operator } = await w.newClient()
    for (let round = 0; round < 10; round++) {
      const a = await operator.makesFolder(`A${round}`)
      const b = await operator.makesFolder(`B${round}`)
      const answers = await Promise.all([
        operator.changesFolder(a.folderId, { parentId: b.folderId }),
        operator.changesFolder(b.folderId, { parentId: a.folderId }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)).toEqual(refusal('folder-cycle'))
    }
  })

  test('lets one of 20 folders of one name win', async () => {
    const { operator } = await w.newClient()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        operator.post(`${operator.door.assets}/folders`, { name: i % 2 ? 'Menus' : 'MENUS' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toEqual(refusal('folder-name-taken'))
  })
})

describe('Social and Social/Posted', () => {
  test('is mistaken for no other, whatever its name is written in', async () => {
    const { operator, portal } = await w.newClient()
    const social = await operator.makesFolder('Social')
    const other = await operator.makesFolder('Other')
    const lookAlikes = [
      'So\u200bcial',
      '\u2060Social',
      'Ｓｏｃｉａｌ',
      'Ѕосіаӏ',
      'Sосial',
      'SociaI',
      'Soc\u00adial',
      '𝐒𝐨𝐜𝐢𝐚𝐥',
      'Social\u200d',
      'S0cial',
      'Socíal',
      'Şocial',
      'Socıał',
      'Social.',
      ' .Social. . ',
      'So\u2009cial',
      'Social\u2800',
      'Social\u3164',
      '\u13daocial',
      '\u13d5ocial',
      '\u054focial',
      'So\u03f2ial',
      'Soc\ua647al',
      'Socia\u05df',
      '\ua4e2\ua4f3\ua4da\ua4f2\ua4ee\ua4e1',
      'Social\u2215Posted',
      'Social\u2044Posted.',
    ]
    for (const name of lookAlikes)
      for (const person of [operator, portal]) {
        const made = await person.post(`${person.door.assets}/folders`, { name })
        expect(made, JSON.stringify(name)).toEqual(refusal('folder-protected'))
        const renamed = await person.changesFolder(other.folderId, { name })
        expect(renamed, JSON.stringify(name)).toEqual(refusal('folder-protected'))
      }
    const posted = { name: 'Роѕted', parentId: social.folderId }
    expect(await operator.post(`${operator.door.assets}/folders`, posted)).toEqual(
      refusal('folder-protected'),
    )
    // Read from right to left, that would be Social.
    expect(await operator.post(`${operator.door.assets}/folders`, { name: '\u202elaicoS' })).toEqual(
      refusal('invalid-request'),
    )
    const ordinary = [
      ...['Société', 'Социал', 'Sociable', '👩‍👧 Social', 'Socials', 'Sociology', 'Soziales'],
      ...['Social 2', 'Social Media', 'Spécial', 'חברתי', 'Կոտայք', 'Vol. 1', '5 % off', 'a∕b'],
    ]
    for (const name of ordinary)
      expect((await operator.post(`${operator.door.assets}/folders`, { name })).status, name).toBe(201)
  })

  test('takes in no folder at any depth but from the Social agent', async () => {
    const { operator, portal, social } = await w.newClient()
    const top = await operator.makesFolder('Social')
    const child = await operator.makesFolder('Drafts', top.folderId)
    const deep = await operator.makesFolder('Spring', child.folderId)
    const other = await operator.makesFolder('Other')
    for (const { folderId: parentId } of [top, child, deep])
      for (const person of [operator, portal])
        expect(await person.changesFolder(other.folderId, { parentId })).toEqual(refusal('folder-protected'))
    expect((await social.changesFolder(other.folderId, { parentId: deep.folderId })).status).toBe(200)
    expect((await operator.changesFolder(other.folderId, { parentId: null })).status).toBe(200)
  })

  test.each(['operator', 'portal'] as const)('keep their structure from the %s', async (who) => {
    const world = await w.newClient()
    const { [who]: person, social } = world
    const top = await social.makesFolder('Social')
    const posted = await social.makesFolder('Posted', top.folderId)
    const draft = await person.makesFolder('Drafts', top.folderId)
    const other = await person.makesFolder('Other')
    expect([top.protected, posted.protected, draft.protected]).toEqual([true, true, false])

    for (const folderId of [top.folderId, posted.folderId]) {
      expect(await person.changesFolder(folderId, { name: 'Mine' })).toEqual(refusal('folder-protected'))
      expect(await person.changesFolder(folderId, { name: 'SOCIAL' })).toEqual(refusal('folder-protected'))
      expect(await person.changesFolder(folderId, { parentId: other.folderId })).toEqual(
        refusal('folder-protected'),
      )
      expect(await person.deletesFolder(folderId)).toEqual(refusal('folder-protected'))
      // Even when nothing would be different.
      const { name, parentId = null } = folderId === top.folderId ? top : posted
      for (const same of [{ name }, { parentId }, { name, parentId }])
        expect(await person.changesFolder(folderId, same)).toEqual(refusal('folder-protected'))
      expect(await person.changesFolder(other.folderId, { parentId: folderId })).toEqual(
        refusal('folder-protected'),
      )
    }
    expect(await person.changesFolder(posted.folderId, { parentId: null })).toEqual(
      refusal('folder-protected'),
    )
    // What is inside them is free, and so is putting assets there.
    expect((await person.changesFolder(draft.folderId, { name: 'Ideas' })).status).toBe(200)
    expect((await person.changesFolder(draft.folderId, { parentId: null })).status).toBe(200)
    expect((await person.uploads(pixel, { session: { folderId: posted.folderId } })).folderId).toBe(
      posted.folderId,
    )
  })

  test.each(['operator', 'portal'] as const)('are not made by the %s out of other folders', async (who) => {
    const { [who]: person } = await w.newClient()
    const a = await person.makesFolder('A')
    const inside = await person.makesFolder('social', a.folderId)
    expect(inside.protected).toBe(false)
    expect(await person.changesFolder(a.folderId, { name: 'Social' })).toEqual(refusal('folder-protected'))
    expect(await person.changesFolder(inside.folderId, { parentId: null })).toEqual(
      refusal('folder-protected'),
    )
    const social = await person.makesFolder('Social')
    const posted = await person.makesFolder('Later', social.folderId)
    expect(await person.changesFolder(posted.folderId, { name: 'posted' })).toEqual(
      refusal('folder-protected'),
    )
    // Restored to the top because its place is gone, it does not become one of them either.
    const { folderId } = await person.makesFolder('Social', a.folderId).catch(() => inside)
    await person.deletesFolder(folderId)
    await person.deletesFolder(a.folderId)
    const restored = await person.post(`${person.door.assets}/folders/restore`, { folderId })
    expect(restored.body).toMatchObject({ protected: false })
    expect(restored.body).not.toHaveProperty('parentId')
  })

  test('do not come back out of the trash under their names without the Social agent', async () => {
    const { operator, social } = await w.newClient()
    const a = await operator.makesFolder('A')
    const inside = await operator.makesFolder('Social', a.folderId)
    await operator.deletesFolder(inside.folderId)
    await operator.deletesFolder(a.folderId)
    expect(
      await operator.post(`${operator.door.assets}/folders/restore`, { folderId: inside.folderId }),
    ).toEqual(refusal('folder-protected'))

    const own = await social.makesFolder('Social')
    await social.deletesFolder(own.folderId)
    expect(
      (await social.post(`${social.door.assets}/folders/restore`, { folderId: own.folderId })).body,
    ).toMatchObject({ name: 'Social', protected: true })
  })

  test('are the Social agent’s to shape', async () => {
    const { social } = await w.newClient()
    const other = await social.makesFolder('Other')
    const top = await social.makesFolder('Social')
    const posted = await social.makesFolder('Posted', top.folderId)
    expect((await social.changesFolder(other.folderId, { parentId: posted.folderId })).status).toBe(200)
    expect((await social.changesFolder(posted.folderId, { name: 'Archive' })).status).toBe(200)
    expect((await social.changesFolder(top.folderId, { name: 'Network' })).status).toBe(200)
    expect((await social.deletesFolder(top.folderId)).body.deleted).toEqual({ folders: 3, assets: 0 })
  })
})

describe('deleting a folder', () => {
  test('trashes all below it in one step, and restoring brings all of that back', async () => {
    const { operator } = await w.newClient()
    const menus = await operator.makesFolder('Menus')
    const summer = await operator.makesFolder('Summer', menus.folderId)
    const early = await operator.makesFolder('Trashed before', menus.folderId)
    await operator.deletesFolder(early.folderId)
    const [inMenus, inSummer, alone] = await Promise.all(
      [menus.folderId, summer.folderId, menus.folderId].map((folderId) =>
        operator.uploads(pixel, { session: { folderId } }),
      ),
    )
    await operator.trashes(alone!.assetId)
    // No job runs here: what counts the revision up is the trash alone.
    const etag = async () => (await operator.reads(inSummer!.assetId)).headers.get('etag')
    const before = await etag()

    const { status, body } = await operator.deletesFolder(menus.folderId)
    expect(status).toBe(200)
    expect(body.deleted).toEqual({ folders: 2, assets: 2 })
    const trashed = await etag()
    const days = (Date.parse(body.restorableUntil) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)

    expect((await operator.lists({ everywhere: true })).body.assets).toEqual([])
    expect((await operator.lists()).body.folders).toEqual([])
    expect(await operator.lists({ folderId: summer.folderId })).toEqual(refusal('not-found'))
    expect((await operator.reads(inSummer!.assetId)).body.trashedAt).not.toBeNull()
    const { body: trash } = await operator.lists({ trashed: true })
    expect(namesOf(trash.folders).sort()).toEqual(['Menus', 'Trashed before'])
    expect(idsOf(trash.assets)).toEqual([alone!.assetId])

    // What went with it can be looked at, counted and found where it lies.
    const looksInto = async (query: object) => (await operator.lists({ trashed: true, ...query })).body
    const inTrash = await looksInto({ folderId: menus.folderId })
    expect([namesOf(inTrash.path), namesOf(inTrash.folders), idsOf(inTrash.assets)]).toEqual([
      ['Menus'],
      ['Summer'],
      [inMenus!.assetId],
    ])
    const deeper = await looksInto({ folderId: summer.folderId, count: true })
    expect([namesOf(deeper.path), idsOf(deeper.assets), deeper.total]).toEqual([
      ['Menus', 'Summer'],
      [inSummer!.assetId],
      1,
    ])
    expect((await looksInto({ folderId: early.folderId })).assets).toEqual([])
    expect(idsOf((await looksInto({ everywhere: true })).assets).sort()).toEqual(
      [inMenus!.assetId, inSummer!.assetId, alone!.assetId].sort(),
    )
    const counts = async (query: string) =>
      (await operator.get(`${operator.door.assets}/folders/counts?trashed=true${query}`)).body.counts
    expect(await counts('')).toEqual(
      expect.arrayContaining([
        { folderId: menus.folderId, assets: 2 },
        { folderId: early.folderId, assets: 0 },
      ]),
    )
    expect(await counts(`&parentId=${menus.folderId}`)).toEqual([{ folderId: summer.folderId, assets: 1 }])
    const living = await operator.makesFolder('Living')
    expect(await operator.lists({ trashed: true, folderId: living.folderId })).toEqual(refusal('not-found'))
    await operator.deletesFolder(living.folderId)
    expect((await operator.lists()).body.folders).toEqual([])

    const restored = await operator.post(`${operator.door.assets}/folders/restore`, {
      folderId: menus.folderId,
    })
    expect(restored.body).toMatchObject({ name: 'Menus', trashedAt: null })
    expect(new Set([before, trashed, await etag()]).size).toBe(3)
    expect(restored.body).not.toHaveProperty('parentId')
    expect(idsOf((await operator.lists({ folderId: menus.folderId })).body.assets)).toEqual([
      inMenus!.assetId,
    ])
    expect(idsOf((await operator.lists({ folderId: summer.folderId })).body.assets)).toEqual([
      inSummer!.assetId,
    ])
    expect(namesOf((await operator.lists({ trashed: true })).body.folders)).toEqual([
      'Living',
      'Trashed before',
    ])
    expect(
      await operator.post(`${operator.door.assets}/folders/restore`, { folderId: menus.folderId }),
    ).toEqual(refusal('not-found'))
  })

  test('of a folder below another trashed one cannot be undone alone but with it', async () => {
    const { operator } = await w.newClient()
    const [a, b] = await makesChain(operator, 2)
    await operator.deletesFolder(a!)
    expect(await operator.post(`${operator.door.assets}/folders/restore`, { folderId: b! })).toEqual(
      refusal('not-found'),
    )
    expect(await operator.deletesFolder(a!)).toEqual(refusal('not-found'))
    expect(await operator.changesFolder(a!, { name: 'B' })).toEqual(refusal('not-found'))
  })

  test('restores to the top when the parent is gone, and under another name when its own is taken', async () => {
    const { operator } = await w.newClient()
    const [a, b] = await makesChain(operator, 2, 'Menus')
    await operator.deletesFolder(b!)
    await operator.deletesFolder(a!)
    await operator.makesFolder('menus')
    const restore = (folderId: string) =>
      operator.post(`${operator.door.assets}/folders/restore`, { folderId })
    for (const [folderId, name] of [[b!, 'Menus (2)'] as const, [a!, 'Menus (3)'] as const]) {
      const { body } = await restore(folderId)
      expect(body).toMatchObject({ name })
      expect(body).not.toHaveProperty('parentId')
    }
  })

  test('keeps a long name within its length when it gets a suffix', async () => {
    const { operator } = await w.newClient()
    const name = 'x'.repeat(longestFolderName)
    const { folderId } = await operator.makesFolder(name)
    await operator.deletesFolder(folderId)
    await operator.makesFolder(name)
    const { body } = await operator.post(`${operator.door.assets}/folders/restore`, { folderId })
    expect(body.name).toBe(`${'x'.repeat(longestFolderName - 4)} (2)`)
  })

  test('never leaves an asset live inside a trashed folder, whatever is moved or finalized into it', async () => {
    const { operator, clientId } = await w.newClient()
    for (let round = 0; round < 8; round++) {
      const parent = await operator.makesFolder(`Round ${round}`)
      const [from, to] = [
        await operator.makesFolder('From', parent.folderId),
        await operator.makesFolder('To', parent.folderId),
      ]
      const [resident, stranger, sessions] = await Promise.all([
        operator.uploads(pixel, { session: { folderId: from.folderId } }),
        operator.uploads(),
        Promise.all(
          [1, 2].map(async () => {
            const { body } = await operator.opensUpload({ folderId: to.folderId })
            await puts(body, pixel)
            return body.uploadToken as string
          }),
        ),
      ])
      const answers = await Promise.all([
        ...sessions.map((token) => operator.finalizes(token)),
        operator.edits(resident.assetId, { folderId: to.folderId }),
        operator.deletesFolder(round % 2 ? parent.folderId : to.folderId),
        operator.edits(stranger.assetId, { folderId: to.folderId, title: 'Moved' }),
        operator.post(`${operator.door.assets}/batch`, {
          assetIds: [resident.assetId, stranger.assetId],
          action: 'move',
          folderId: from.folderId,
        }),
        operator.makesFolder('Inside', to.folderId).then(
          () => ({ status: 201 }),
          () => ({ status: 404 }),
        ),
      ])
      for (const { status } of answers) expect([200, 201, 404]).toContain(status)
    }
    expect(await liveInTrashed(clientId)).toEqual([])
  })

  test('and restoring, with assets restored one by one meanwhile, ends with everything out of the trash', async () => {
    const { operator, clientId } = await w.newClient()
    const { folderId } = await operator.makesFolder('Menus')
    const assets = await Promise.all(
      Array.from({ length: 8 }, () => operator.uploads(pixel, { session: { folderId } })),
    )
    for (let round = 0; round < 4; round++) {
      await operator.post(`${operator.door.assets}/batch`, {
        assetIds: idsOf(assets),
        action: 'move',
        folderId,
      })
      await operator.deletesFolder(folderId)
      const answers = await Promise.all([
        ...assets.slice(0, 4).map(({ assetId }) => operator.restores(assetId)),
        operator.post(`${operator.door.assets}/folders/restore`, { folderId }),
        operator.post(`${operator.door.assets}/batch`, {
          assetIds: idsOf(assets.slice(4)),
          action: 'restore',
        }),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect((await operator.lists({ everywhere: true })).body.assets).toHaveLength(8)
    }
    expect(await liveInTrashed(clientId)).toEqual([])
  })
})

describe('the words for folders', () => {
  test('are found by name, here or everywhere', async () => {
    const { operator } = await w.newClient()
    const menus = await operator.makesFolder('Menüs 100%')
    await operator.makesFolder('Summer menüs', menus.folderId)
    await operator.makesFolder('Other')
    const found = async (query: Record<string, string | boolean>) =>
      namesOf((await operator.lists(query)).body.folders)
    expect(await found({ q: 'menü' })).toEqual(['Menüs 100%'])
    expect(await found({ q: 'MENÜ', everywhere: true })).toEqual(['Menüs 100%', 'Summer menüs'])
    expect(await found({ q: '%', everywhere: true })).toEqual(['Menüs 100%'])
    expect(await found({ q: '_', everywhere: true })).toEqual([])
  })

  test('need a folder to change, delete or restore', async () => {
    const { operator } = await w.newClient()
    const path = `${operator.door.assets}/folders`
    const folderId = newId('folder')
    expect(await operator.patch(path, { folderId })).toEqual(refusal('not-found'))
    expect(await operator.delete(path, { folderId })).toEqual(refusal('not-found'))
    expect(await operator.post(`${path}/restore`, { folderId })).toEqual(refusal('not-found'))
    expect(await operator.patch(path, { name: 'A' })).toEqual(refusal('invalid-request'))
    expect(await operator.delete(path, {})).toEqual(refusal('invalid-request'))
  })
})

const namesOf = (folders: Folder[]) => folders.map(({ name }) => name)
const idsOf = (assets: { assetId: string }[]) => assets.map(({ assetId }) => assetId)

/** Folders one inside the other, the uppermost first. */
async function makesChain(person: Person, length: number, name = 'Level'): Promise<string[]> {
  const chain: string[] = []
  for (let depth = 0; depth < length; depth++)
    chain.push((await person.makesFolder(name, chain.at(-1) ?? null)).folderId)
  return chain
}

const eventsOf = async (clientId: string) =>
  (
    await w.parts.db
      .selectFrom('events')
      .select('type')
      .where('client_id', '=', clientId)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type)

const liveInTrashed = (clientId: string) =>
  w.parts.db
    .selectFrom('assets')
    .innerJoin('folders', (join) =>
      join.onRef('folders.client_id', '=', 'assets.client_id').onRef('folders.id', '=', 'assets.folder_id'),
    )
    .select(['assets.id', 'assets.title'])
    .where('assets.client_id', '=', clientId)
    .where('assets.trashed_at', 'is', null)
    .where('folders.trashed_at', 'is not', null)
    .execute()
