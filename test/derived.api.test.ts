import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { versionRow } from '../server/assets/asset.ts'
import { jobHandlers } from '../server/job-handlers.ts'
import { makeLibrary, system } from '../server/library.ts'
import * as here from '../server/previews/derived.ts'
import { makeMedia } from '../server/previews/make-media.ts'
import { purgeTrash } from '../server/trash/purge.ts'
import { pngOfSize } from './pictures.ts'
import { refusal } from './refusal.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })
// Another process: it shares the database and the store, and no memory.
const elsewhere: typeof here = await import(/* @vite-ignore */ `../server/previews/derived.ts${'?elsewhere'}`)

async function uploaded() {
  const { operator, clientId } = await w.newClient()
  const { assetId } = await operator.uploads(pngOfSize(40_000, 1))
  const library = makeLibrary(w.parts, clientId, system)
  return { operator, library, assetId, version: await versionRow(library.db, library, assetId) }
}

const made = (text: string): here.Made => ({
  bytes: Buffer.from(text),
  mimeType: 'image/webp',
  width: 1,
  height: 1,
})

/** A making that ends when it is told to. */
function making() {
  const { promise, resolve, reject } = Promise.withResolvers<here.Made>()
  const begun = Promise.withResolvers<void>()
  return {
    make: () => {
      begun.resolve()
      return promise
    },
    begun: begun.promise,
    ends: (text: string) => resolve(made(text)),
    fails: () => reject(new Error('The decoder is gone.')),
  }
}

const rowOf = (assetId: string, name: string) =>
  w.parts.db
    .selectFrom('derived_files')
    .selectAll()
    .where('asset_id', '=', assetId)
    .where('name', '=', name)
    .executeTakeFirst()

const leaseRunsOut = (assetId: string) =>
  sql`update derived_files set leased_until = now() - interval '1 second' where asset_id = ${assetId} and made_at is null`.execute(
    w.parts.db,
  )

describe('a derived file', () => {
  test('stays with its maker for as long as it is being made', async () => {
    const { library, version, assetId } = await uploaded()
    const slow = making()
    const file = here.derivedFile(library, version, 'slow', slow.make)
    await slow.begun
    const soon = new Date(Date.now() + 8000)
    await library.db
      .updateTable('derived_files')
      .set({ leased_until: soon })
      .where('asset_id', '=', assetId)
      .execute()
    const another = elsewhere.derivedFile(library, version, 'slow', async () => made('another'))
    await vi.waitFor(
      async () => expect((await rowOf(assetId, 'slow'))!.leased_until.getTime()).toBeGreaterThan(+soon),
      15_000,
    )
    slow.ends('the first')
    expect(await another).toEqual(await file)
    const { sizeBytes } = await file
    expect(sizeBytes).toBe('the first'.length)
  })

  test.each(['fails', 'ends'] as const)(
    'that was taken over from a maker thought dead is not touched when that one %s after all',
    async (how) => {
      const { library, version, assetId } = await uploaded()
      const lost = making()
      const first = here.derivedFile(library, version, 'taken', lost.make)
      await lost.begun
      await leaseRunsOut(assetId)
      const taken = await elsewhere.derivedFile(library, version, 'taken', async () => made('by the second'))
      lost[how]('by the first, and longer')
      if (how === 'fails') await expect(first).rejects.toThrow('The decoder is gone.')
      else expect(await first).toEqual(taken)
      expect(await rowOf(assetId, 'taken')).toMatchObject({ maker: taken.maker, size_bytes: taken.sizeBytes })
      const stored = await library.storage.read(here.derivedKey(version, taken))
      expect((await buffer(stored)).toString()).toBe('by the second')
      const keys = (await Array.fromAsync(library.storage.list(`${version.object_prefix}/taken`))).length
      expect(keys).toBe(1)
    },
  )

  test('that its maker stored, and could not say so, is made anew at once, and the first is cleared up', async () => {
    const { library, version, assetId } = await uploaded()
    const objects = () => Array.fromAsync(library.storage.list(`${version.object_prefix}/left`))
    const unsayable = { ...made('stored'), width: 1e15 }
    await expect(here.derivedFile(library, version, 'left', async () => unsayable)).rejects.toThrow()
    expect(await objects()).toHaveLength(1)
    await elsewhere.derivedFile(library, version, 'left', async () => made('again'))
    expect(await objects()).toMatchObject([{ sizeBytes: 'again'.length }])

    // And so it is when the maker has died.
    await sql`update derived_files set made_at = null, leased_until = now() - interval '1 second'
      where asset_id = ${assetId} and name = 'left'`.execute(w.parts.db)
    await here.derivedFile(library, version, 'left', async () => made('once more'))
    expect(await objects()).toMatchObject([{ sizeBytes: 'once more'.length }])
  })

  test('has one maker, be it the job or a viewer', async () => {
    const { operator, library, version, assetId } = await uploaded()
    const viewing = making()
    const seen = elsewhere.derivedFile(library, version, 'preview-thumb.webp', viewing.make)
    await viewing.begun
    const job = makeMedia(
      w.parts,
      { clientId: library.clientId, assetId, version: version.version },
      { last: false },
    )
    await vi.waitFor(
      async () => expect((await rowOf(assetId, 'preview-large.webp'))?.made_at).toBeTruthy(),
      30_000,
    )
    expect((await operator.reads(assetId)).body.media.state).toBe('pending')
    viewing.ends('the viewer’s')
    await job
    expect((await operator.reads(assetId)).body.media.state).toBe('ready')
    expect(await rowOf(assetId, 'preview-thumb.webp')).toMatchObject({ maker: (await seen).maker })
  })

  test('is made for nobody once its asset is purged, and its job ends quietly', async () => {
    const { operator, library, version, assetId } = await uploaded()
    const viewing = making()
    const seen = elsewhere.derivedFile(library, version, 'preview-thumb.webp', viewing.make)
    seen.catch(() => {})
    await viewing.begun
    const data = { clientId: library.clientId, assetId, version: version.version }
    const job = jobHandlers(w.parts).media(data, { last: true })
    job.catch(() => {})
    await vi.waitFor(
      async () => expect((await rowOf(assetId, 'preview-large.webp'))?.made_at).toBeTruthy(),
      30_000,
    )
    await operator.trashes(assetId)
    await sql`update assets set trashed_at = now() - interval '1 year' where id = ${assetId}`.execute(
      w.parts.db,
    )
    await purgeTrash(w.parts)
    await expect(job).resolves.toBeUndefined()
    viewing.fails()
  })

  test.each([
    ['longer than its row says', 'card', 3],
    ['shorter than its row says', 'large', -3],
    ['too large to be kept at hand, and not as its row says', 'large', 500_000],
  ] as const)('%s is never sent, and made anew', async (_, size, off) => {
    const { operator, library, version, assetId } = await uploaded()
    const data = { clientId: library.clientId, assetId, version: version.version }
    await makeMedia(w.parts, data, { last: false })
    const name = `preview-${size}.webp`
    const { maker, size_bytes } = (await rowOf(assetId, name))!
    if (off > 1000)
      await library.db
        .updateTable('derived_files')
        .set({ size_bytes: size_bytes! + off })
        .where('asset_id', '=', assetId)
        .where('name', '=', name)
        .execute()
    else {
      const bytes = Buffer.alloc(size_bytes! + off)
      await library.storage.put(here.derivedKey(version, { name, maker }), bytes, {
        sizeBytes: bytes.length,
      })
    }
    const path = `${operator.door.assets}/${assetId}/preview?size=${size}`
    const accept = { accept: 'image/webp' }
    const refused = await operator.get(path, accept)
    expect(refused).toEqual(refusal('media-busy'))
    expect(refused.headers.get('retry-after')).toBe('1')
    const answer = await operator.fetch(path, { headers: accept })
    const { length } = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(length)])
    expect((await rowOf(assetId, name))!.size_bytes).toBe(length)
  })
})
