import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MimeType } from '../contract/words.ts'
import type { Person } from './person.ts'
import { world } from './world.ts'

const w = await world()
const fixture = (name: string) => readFile(new URL(`../server/media/fixtures/${name}`, import.meta.url))

const uploads = async (person: Person, name: string, mimeType: MimeType) =>
  person.uploads(await fixture(name), { session: { originalFilename: name, mimeType } })

const preview = (person: Person, assetId: string, query = '', accept = 'image/webp') =>
  person.fetch(`${person.door.assets}/${assetId}/preview${query}`, { headers: { accept } })

test.each([
  ['plain.jpg', 'image/jpeg'],
  ['a.png', 'image/png'],
  ['a.webp', 'image/webp'],
  ['a.heic', 'image/heic'],
  ['a.mp4', 'video/mp4'],
] as const)('%s can be seen at once, in the format the caller takes', async (name, mimeType) => {
  const { portal } = await w.newClient()
  const { assetId } = await uploads(portal, name, mimeType)
  for (const [accept, format] of [
    ['image/webp,*/*', 'webp'],
    ['image/avif', 'heif'],
    ['*/*', 'jpeg'],
  ] as const) {
    const answer = await preview(portal, assetId, '?size=thumb', accept)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('private')
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(picture.format).toBe(format)
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(320)
  }
})

test('an unchanged preview is not sent again', async () => {
  const { operator } = await w.newClient()
  const { assetId } = await uploads(operator, 'plain.jpg', 'image/jpeg')
  const first = await preview(operator, assetId)
  const etag = first.headers.get('etag')!
  const again = await operator.fetch(`${operator.door.assets}/${assetId}/preview`, {
    headers: { accept: 'image/webp', 'if-none-match': etag },
  })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})
