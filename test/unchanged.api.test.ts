import { expect, test } from 'vitest'
import type { FolderTree } from '../contract/folders.ts'
import { person } from './person.ts'
import { png } from './pictures.ts'
import { statementsOf } from './statements.ts'
import { startServer, world } from './world.ts'

const w = await world()

test('a tree that is at hand is not read again, until something in it changes at any node', async () => {
  const { operator, portal, social, clientId } = await w.newClient()
  const other = await w.newClient()
  const node = await startServer({ ...w.environment, PORT: undefined, PUBLIC_URL: w.url, ROLE: 'api' })
  try {
    const statements = statementsOf(node)
    const at = (who: typeof operator) => person(node.url, who.credentials, who.door)
    /** What is asked of the second node; all changes are made at the first. */
    const asks = async (who: typeof operator, query = '', etag?: string) => {
      statements.length = 0
      const { status, headers, body } = await at(who).get(
        `${who.door.assets}/folders${query}`,
        etag ? { 'if-none-match': etag } : {},
      )
      const reads = statements.filter((text) => /\bfrom folders\b/.test(text)).length
      return { status, etag: headers.get('etag')!, headers, body: body as FolderTree, reads }
    }
    const kept = async (etag: string, query = '') => {
      const answer = await asks(operator, query, etag)
      expect([answer.status, answer.body, answer.etag, answer.reads]).toEqual([304, '', etag, 0])
      expect(statements).toHaveLength(1)
      return answer
    }

    const menus = await operator.makesFolder('Menus')
    const shoots = await operator.makesFolder('Shoots')
    const first = await asks(operator)
    expect([first.status, first.reads]).toEqual([200, 1])
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    await kept(first.etag)

    const changes: Record<string, () => Promise<unknown>> = {
      made: () => operator.makesFolder('Summer', menus.folderId),
      renamed: () => operator.changesFolder(shoots.folderId, { name: 'Sessions' }),
      moved: () => portal.changesFolder(shoots.folderId, { parentId: menus.folderId }),
      trashed: () => operator.delete(`${operator.door.assets}/folders`, { folderId: shoots.folderId }),
      restored: () => operator.post(`${operator.door.assets}/folders/restore`, { folderId: shoots.folderId }),
      protected: () => social.makesFolder('Social'),
    }
    const tags = [first.etag]
    for (const [how, change] of Object.entries(changes)) {
      const before = await asks(operator)
      await change()
      const after = await asks(operator, '', tags.at(-1)!)
      expect([how, after.status, tags.includes(after.etag)]).toEqual([how, 200, false])
      expect(after.body.folders, how).not.toEqual(before.body.folders)
      tags.push(after.etag)
      await kept(after.etag)
    }

    // What happens to assets does not show in it; how many there are is asked for aside.
    const now = tags.at(-1)!
    const counts = (headers = {}) => at(operator).get(`${operator.door.assets}/folders/counts`, headers)
    const counted = (await counts()).headers.get('etag')!
    const seen = Number((await kept(now)).headers.get('last-event-id'))
    statements.length = 0
    expect((await counts({ 'if-none-match': counted })).status).toBe(304)
    expect(statements).toHaveLength(1)
    await operator.uploads(undefined, { session: { folderId: menus.folderId } })
    expect(Number((await kept(now)).headers.get('last-event-id'))).toBeGreaterThan(seen)
    const recounted = await counts({ 'if-none-match': counted })
    expect([recounted.status, recounted.body.counts]).toEqual([
      200,
      expect.arrayContaining([{ folderId: menus.folderId, assets: 1 }]),
    ])

    // Page by page, at the other door, compressed or not: but never for another client, or without a login.
    const page = await asks(operator, '?limit=2')
    await kept(page.etag, '?limit=2')
    await kept(page.etag, `?limit=2&cursor=${page.body.nextCursor}`)
    expect((await asks(portal, '', now)).status).toBe(304)
    expect((await asks(other.portal, '', now)).status).toBe(200)
    expect(now).toContain(clientId)
    await operator.post('/auth/logout')
    expect((await asks(operator, '', now)).status).toBe(401)
  } finally {
    await node.stop()
  }
})

test('a preview that is at hand is not looked up again, until something happens to the client at any node', async () => {
  const { operator, portal } = await w.newClient()
  const other = await w.newClient()
  const node = await startServer({ ...w.environment, PORT: undefined, PUBLIC_URL: w.url, ROLE: 'api' })
  try {
    const statements = statementsOf(node)
    const { assetId } = await operator.uploads(png(9, 7))
    /** What is asked of the second node; all changes are made at the first. */
    const sees = async (who: typeof operator) => {
      statements.length = 0
      const at = person(node.url, who.credentials, who.door)
      const { status, headers } = await at.get(`${who.door.assets}/${assetId}/preview?size=thumb`)
      const lookups = statements.filter((text) => /\bjoin asset_versions\b/.test(text)).length
      return { status, name: headers.get('content-disposition'), etag: headers.get('etag'), lookups }
    }
    await expect.poll(async () => (await operator.reads(assetId)).body.media.state).toBe('ready')
    expect((await sees(operator)).status).toBe(200) // and made of this kind
    const seen = await sees(operator)
    expect(seen.lookups).toBe(1)
    expect(await sees(operator)).toEqual({ ...seen, lookups: 0 })
    expect(await sees(portal)).toEqual({ ...seen, lookups: 0 })
    expect(statements).toHaveLength(1)
    // What happens elsewhere is nothing to it.
    await other.operator.uploads()
    expect((await sees(operator)).lookups).toBe(0)

    await portal.edits(assetId, { title: 'Menu' })
    expect(await sees(operator)).toMatchObject({
      status: 200,
      name: expect.stringContaining('Menu'),
      lookups: 1,
    })
    await operator.uploads(png(8, 4), { session: { replacesAssetId: assetId } })
    await sees(operator)
    const replaced = await sees(operator)
    expect(replaced.etag).not.toBe(seen.etag)

    // Rights are asked for each time.
    await portal.post('/auth/logout')
    expect((await sees(portal)).status).toBe(401)
    expect((await sees(other.operator)).status).toBe(404)

    await operator.trashes(assetId)
    await operator.delete(`${operator.door.assets}/${assetId}?permanently=true`)
    expect((await sees(operator)).status).toBe(404)
  } finally {
    await node.stop()
  }
})
