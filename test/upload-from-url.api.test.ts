import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { peer } from './delivery-peers.ts'
import { connects } from './mcp-clients.ts'
import { png } from './pictures.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })

const picture = png(30, 20)

const answers: Record<string, (response: ServerResponse) => void> = {
  '/terrace.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length })
    response.end(picture)
  },
  '/of-no-length': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    response.write(picture)
    response.end()
  },
  '/cut.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 100_000 })
    response.write(Buffer.alloc(1000), () => response.destroy())
  },
  '/moved.png': (response) => {
    response.writeHead(302, { location: '/terrace.png' })
    response.end()
  },
  '/page.png': (response) => {
    const page = '<html>not a picture</html>'
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': page.length })
    response.end(page)
  },
  '/huge.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 10 ** 12 })
    response.write(picture)
  },
  '/gone.png': (response) => {
    response.writeHead(404, { 'content-length': 0 })
    response.end()
  },
}

test('the library fetches a file itself, and takes nothing else than any upload', async () => {
  const source = await peer(({ path }, response) => (answers[path] ?? answers['/terrace.png']!)(response))
  const { agent, operator, clientId } = await w.newClient()
  const client = await connects('2026-07-28', agent, w.url)
  onTestFinished(() => client.close())
  const fetches = async (url: string, words: object = {}) => {
    const { content, isError, _meta } = await client.uses('upload_asset', {
      action: 'from_url',
      url,
      ...words,
    })
    const told = JSON.parse((content[0] as { text: string }).text)
    return isError ? { code: _meta?.code, detail: told.detail } : told.asset
  }
  const at = (path: string) => new URL(path, source.url).href

  const asset = await fetches(at('/terrace.png'), { altText: 'A terrace', tags: ['summer'] })
  expect(asset).toMatchObject({ title: 'terrace', altText: 'A terrace', tags: ['summer'], width: 30 })
  expect((await operator.reads(asset.assetId)).body.createdBy).toBe(agent.id)

  for (const [path, name] of [
    ['/a%0d%0aX-Evil:%20y.png', 'aX-Evil: y.png'],
    ['/%E2%80%AEgnp.exe.png', 'gnp.exe.png'],
    ['/%2e%2e%2f%2e%2e%2fetc%2fpasswd.png', 'passwd.png'],
    ['/%00nul%1b.png', 'nul.png'],
    ['/%E2%80%8B', 'file'],
  ] as const) {
    const { assetId } = await fetches(at(path))
    expect((await operator.reads(assetId)).body.originalFilename, path).toBe(name)
    await operator.delete(`${operator.door.assets}/${assetId}`)
  }

  for (const path of ['/of-no-length', '/cut.png', '/moved.png', '/gone.png'])
    expect(await fetches(at(path)), path).toMatchObject({ code: 'source-failed' })
  expect(await fetches(at('/page.png'))).toMatchObject({ code: 'type-mismatch' })
  expect(await fetches(at('/huge.png'))).toMatchObject({ code: 'too-large' })
  // Nothing is called there: not a public address, in whichever spelling.
  for (const host of ['10.0.0.1', '169.254.169.254', '[::ffff:10.0.0.1]', '0x0a000001', '[::1]'])
    expect(await fetches(`http://${host}/x.png`), host).toMatchObject({
      code: 'source-failed',
      detail: expect.stringContaining('public'),
    })
  expect(await fetches('file:///etc/passwd')).toMatchObject({ code: 'invalid-request' })

  // What was refused holds no room, and left nothing behind.
  const { body: limits } = await operator.get(`/admin/clients/${clientId}/assets/upload-limits`)
  expect(limits.quota).toMatchObject({ storedBytes: 6 * picture.length, reservedBytes: 0 })
  expect((await operator.lists()).body.assets).toHaveLength(1)
})
