import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { allMediaTypes } from '../contract/media-types.ts'
import { problems } from '../contract/problems.ts'
import { networkOf } from '../server/access/network.ts'
import { newId } from '../server/ids.ts'
import { fixturePath } from '../server/media/fixtures/fixture.ts'
import { type Person, person, puts } from './person.ts'
import { png } from './pictures.ts'
import { refusal } from './refusal.ts'
import { apiRoutes } from './route-table.ts'
import { snapshot } from './snapshot.ts'
import { bodyFor, pathOf, thingsOf } from './things.ts'
import { ownWorld } from './world.ts'

const w = await ownWorld({ ROLE: 'api', TRUST_PROXY: 'true' })

test('an address that is none is refused by every method, and is nobody’s fault', async () => {
  for (const path of ['/objects/%00', '/objects/a%00b', '/objects/%ff', '/objects/..%2f%00'])
    for (const method of ['PUT', 'GET', 'OPTIONS', 'DELETE']) {
      const { status } = await fetch(w.url + path, { method, ...(method === 'PUT' && { body: 'x' }) })
      expect([400, 403, 405], `${method} ${path}: ${status}`).toContain(status)
    }
})

describe('what a browser could run', () => {
  const script = '<script>alert(document.domain)</script>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`
  const jpegHead = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1])
  const box = (brand: string) => Buffer.concat([Buffer.of(0, 0, 0, 16), Buffer.from(`ftyp${brand}\0\0\0\0`)])
  const files: [string, (string | Uint8Array)[]][] = [
    ['an SVG', [svg]],
    [
      'an SVG with a prolog and entities',
      [`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg}`],
    ],
    ['HTML', [`<!doctype html><title>x</title>${script}`]],
    ['HTML behind blanks and a comment', [`${' '.repeat(600)}<!-- -->\n<html>${script}</html>`]],
    ['a script that begins like a GIF', ['GIF89a=1/*', Buffer.alloc(20), `*/;alert(1)//${script}`]],
    ['a PDF', ['%PDF-1.7\n', script]],
    ['an archive', ['PK\x03\x04', Buffer.alloc(26), script]],
    ['HTML with a PNG behind it', [`<html>${script}</html>`, png(4, 4)]],
    ['an SVG with a JPEG behind it', [svg, jpegHead]],
    ['HTML that begins like a JPEG', [jpegHead, `<html>${script}</html>`]],
    ['HTML that begins like a PNG', [png(1, 1).subarray(0, 8), `<html>${script}</html>`]],
    ['HTML that begins like a WebP', ['RIFF', Buffer.of(200, 0, 0, 0), 'WEBP', `<html>${script}</html>`]],
    ['HTML that begins like a HEIC', [box('heic'), `<html>${script}</html>`]],
    ['HTML that begins like an MP4', [box('isom'), `<html>${script}</html>`]],
    ['a playlist', ['#EXTM3U\n#EXT-X-TARGETDURATION:1\nfile:///etc/passwd\n']],
    ['a list of files to join', ["ffconcat version 1.0\nfile '/etc/passwd'\n"]],
  ]

  test.each(files)('%s is refused under all five types', async (_, pieces) => {
    const { operator } = await w.newClient()
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, 'latin1')))
    for (const mimeType of allMediaTypes) {
      const answer = await uploads(operator, bytes, mimeType)
      expect([415, 422], `${mimeType}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
      expect(['unsupported-type', 'type-mismatch', 'unreadable-media', 'no-pictures']).toContain(
        answer.body.code,
      )
    }
    expect((await operator.lists({ everywhere: true })).body.assets).toEqual([])
  })

  test('a photo with HTML behind it is a photo and nothing else', async () => {
    const { operator } = await w.newClient()
    const bytes = await readFile(fixturePath('polyglot-jpg-html.jpg'))
    expect(bytes.includes('<script')).toBe(true)
    for (const mimeType of allMediaTypes.filter((type) => type !== 'image/jpeg'))
      expect(await uploads(operator, bytes, mimeType)).toEqual(refusal('type-mismatch'))
    const { body } = await uploads(operator, bytes, 'image/jpeg')
    const preview = await operator.fetch(`${operator.door.assets}/${body.assetId}/preview`)
    expect(Buffer.from(await preview.arrayBuffer()).includes('<script')).toBe(false)
    const original = await operator.fetch(`${operator.door.assets}/${body.assetId}/content`)
    await original.body!.cancel()
    expect(Object.fromEntries(original.headers)).toMatchObject({ ...harmless, 'content-type': 'image/jpeg' })
  })
})

test('a PNG of 65 bytes that would take a gigabyte to decode is refused for its sides', async () => {
  const { operator } = await w.newClient()
  // 786432 × 32 pixels are few, but interlaced at 16 bits a channel each side has to be held whole.
  const bytes = png(1, 1)
  bytes.writeUInt32BE(786_432, 16)
  bytes.writeUInt32BE(32, 20)
  bytes.set([16, 6, 0, 0, 1], 24)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  const answer = await uploads(operator, bytes, 'image/png')
  expect(answer).toEqual(refusal('too-many-pixels'))
  expect(answer.body.detail).toContain('too many')
})

const harmless = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': expect.stringMatching(/(^|; ?)sandbox(;|$)/),
  'cross-origin-resource-policy': 'same-origin',
}

describe('files that are handed out', () => {
  const titles = [
    'a\r\nset-cookie: x=1\r\n\r\n<html>',
    `"; filename="evil.exe"; x="`,
    '\u202egpj.exe\u2066',
    '../..\\etc/passwd',
    '\u2028\u2029\u0085line',
    '🦩'.repeat(200),
  ]

  test('are of a type of ours and harmless, whatever they are called', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('A')
    const { assetId } = await operator.uploads(png(400, 400), {
      session: { originalFilename: `${'x"\r\n\u202e'.repeat(800)}.png`, folderId },
    })
    for (const title of titles) {
      // Also what is refused today and may have been taken before.
      const name = title.replace(/[/\p{Cc}]/gu, '').slice(0, 100) || 'A'
      await w.parts.db.updateTable('assets').set({ title }).where('id', '=', assetId).execute()
      await w.parts.db.updateTable('folders').set({ name }).where('id', '=', folderId).execute()
      for (const [path, type] of [
        [`${assetId}/content`, 'image/png'],
        [`${assetId}/content?download=true`, 'image/png'],
        [`${assetId}/preview`, 'image/jpeg'],
        [`${assetId}/rendition?target=instagram`, 'image/jpeg'],
        [`folders/download?folderId=${folderId}`, 'application/zip'],
      ]) {
        const { status, headers, body } = await operator.fetch(`${operator.door.assets}/${path}`)
        await body!.cancel()
        expect(status, path).toBe(200)
        expect(Object.fromEntries(headers), path).toMatchObject({ ...harmless, 'content-type': type })
        expect(headers.get('set-cookie')).toBeNull()
        expect(headers.get('content-disposition'), path).toMatch(
          /^(attachment|inline); filename="[\x20\x21\x23-\x24\x26-\x2e\x30-\x5b\x5d-\x7e]{1,210}"; filename\*=UTF-8''[\w.~!%-]{1,700}$/,
        )
        expect(headers.get('content-disposition')).not.toMatch(/%E2%80%A[89E]|%0D|%0A|%2F|%5C/)
      }
    }
  })

  test('are not asked for in 5,000 ranges at once', async () => {
    const { operator } = await w.newClient()
    const { folderId } = await operator.makesFolder('A')
    const { assetId } = await operator.uploads(png(400, 400), { session: { folderId } })
    for (const path of [
      `${assetId}/content`,
      `${assetId}/preview`,
      `${assetId}/rendition?target=instagram`,
      `folders/download?folderId=${folderId}`,
    ])
      for (const [each, refused] of [
        ['0-', refusal('range-not-satisfiable')],
        ['-1', refusal('range-not-satisfiable')],
        // So many of these are more than all headers together may be.
        ['0-0', refusal('headers-too-large')],
      ] as const) {
        const range = `bytes=${Array(5000).fill(each).join()}`
        const answer = await operator.get(`${operator.door.assets}/${path}`, { range })
        expect(answer, `${path} ${each}`).toEqual(refused)
      }
  })
})

describe('odd spellings are no way in', async () => {
  const [acme, bolt] = [await w.newClient(), await w.newClient()]
  const things = await thingsOf(w, acme)
  const theirs = await thingsOf(w, bolt)
  const withBody = apiRoutes().filter(
    // The state of an agent is for agents to write.
    ({ url, schema, permission }) =>
      schema.body && !url.startsWith('/portal/') && permission !== 'runtime:write',
  )

  test.each([
    'application/json\t',
    '\tapplication/json',
    'application/json\t; charset=utf-8',
    'application/json\ta',
    'text/plain\tapplication/json',
    'application/json, text/plain',
    'application /json',
    'application/jsonx',
    'APPLICATION/JSON',
    'application/json;charset=utf-7',
    'application/json;',
    'multipart/form-data',
    '',
  ])('of Content-Type %j: no body goes round its schema', async (type) => {
    const before = await snapshot(w.parts.db)
    for (const route of withBody) {
      const body = JSON.stringify({ ...bodyFor(route, things), surprise: 1 })
      const status = await speaks(
        `${route.method} ${pathOf(route, things)} HTTP/1.1\r\nhost: a\r\ncookie: ${w.admin.credentials.cookie}\r\n` +
          `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
      expect([400, 415], `${route.method} ${route.url}`).toContain(status)
    }
    expect(await snapshot(w.parts.db)).toEqual(before)
  })

  const closed = apiRoutes().filter(({ method, permission }) => method === 'GET' && permission !== 'public')

  test('of a path: with escaped slashes and dots it is 4xx to strangers and to neighbours', async () => {
    const before = await snapshot(w.parts.db)
    for (const route of closed) {
      const path = pathOf(route, theirs)
      const slashes = [...path.split('?')[0]!.matchAll(/\//g)].map(({ index }) => index)
      const odd = [
        ...slashes.slice(1).map((at) => `${path.slice(0, at)}%2F${path.slice(at + 1)}`),
        ...slashes.slice(1).map((at) => `${path.slice(0, at)}%5c${path.slice(at + 1)}`),
        `/${path}`,
        `/.${path}`,
        `/%2e${path}`,
        `/objects/..%2f${path.slice(1)}`,
        `/portal/..${path}`,
        `/status/../${path.slice(1)}`,
        path.replace('/admin/', '/ADMIN/').replace('/portal/', '/Portal/'),
        path.replace('/admin/', '/%61dmin/').replace('/portal/', '/%70ortal/'),
        path.replace(theirs.clientId, `${things.clientId}/..%2f${theirs.clientId}`),
        path.replace(theirs.clientId, `${theirs.clientId}%00`),
        path.replace(theirs.clientId, `${theirs.clientId};x`),
      ]
      for (const each of odd.filter((each) => each !== path)) {
        const asks = (credentials: string) =>
          speaks(`GET ${each} HTTP/1.1\r\nhost: a\r\n${credentials}connection: close\r\n\r\n`)
        expect(String(await asks('')), each).toMatch(/^4/)
        if (!route.url.includes(':clientId')) continue
        const neighbour = `authorization: ${acme.agent.credentials.authorization}\r\n`
        expect(String(await asks(neighbour)), `${each} as a neighbour`).toMatch(/^4/)
      }
    }
    expect(await snapshot(w.parts.db)).toEqual(before)
  })
})

describe('a login', () => {
  const password = 'a long enough password'
  const logsIn = (email: string, guess: string, from = '192.0.2.7') =>
    person(w.url, { 'x-forwarded-for': from }).post('/auth/login', { email, password: guess })
  const makesUser = async (isActive = true) => {
    const email = `${newId('user')}@example.com`
    const { body } = await w.admin.post('/admin/users', { email, name: 'A', role: 'viewer', password })
    if (!isActive) await w.admin.patch(`/admin/users/${body.userId}`, { isActive })
    return email
  }

  test('computes as much for an unknown user, a wrong password and an inactive user', async () => {
    const [wrong, inactive] = [await makesUser(), await makesUser(false)]
    const kinds = {
      unknown: () => logsIn(`${newId('user')}@example.com`, password),
      wrong: () => logsIn(wrong, 'another long password'),
      inactive: () => logsIn(inactive, password),
    }
    // What the processor did, not how long it took: that depends on what else the machine has to do.
    const work: Record<string, number[]> = { unknown: [], wrong: [], inactive: [] }
    for (let round = 0; round < 9; round++)
      for (const [kind, tries] of Object.entries(kinds)) {
        const before = process.cpuUsage()
        expect(await tries()).toEqual(refusal('wrong-login'))
        const { user, system } = process.cpuUsage(before)
        work[kind]!.push((user + system) / 1000)
      }
    const least = Object.values(work).map((list) => Math.min(...list))
    console.log(
      `unknown, wrong, inactive: ${least.map((ms) => ms.toFixed(0)).join(', ')} ms of the processor at the least`,
    )
    // Without looking at a password an answer takes a tenth of this.
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(2.5)
  })

  test('is slowed down for a whole /64, and for no other', async () => {
    const email = await makesUser()
    const [one, same, next] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:3::1']
    await w.parts.db
      .insertInto('login_attempts')
      .values(Array.from({ length: 100 }, () => ({ bucket: `network ${networkOf(one!)}` })))
      .execute()
    expect(await logsIn(email, password, one)).toEqual(refusal('too-many-attempts'))
    expect(await logsIn(email, password, same)).toEqual(refusal('too-many-attempts'))
    expect((await logsIn(email, password, next)).status).toBe(200)
  })
})

async function uploads(someone: Person, bytes: Uint8Array, mimeType: string) {
  const { body } = await someone.opensUpload({ mimeType, expectedSizeBytes: bytes.length })
  await puts(body, bytes)
  return someone.finalizes(body.uploadToken)
}

describe('what never becomes a request', () => {
  test.each([
    ['no HTTP at all', 'NONSENSE\r\n\r\n', 'invalid-request'],
    ['another protocol', 'GET / HTTP/9.9\r\nhost: a\r\n\r\n', 'invalid-request'],
    ['no Host', 'GET /status HTTP/1.1\r\nconnection: close\r\n\r\n', 'invalid-request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      'headers-too-large',
    ],
    ['an address without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 'headers-too-large'],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: cake\r\n\r\n', 'unknown-expectation'],
    ['half of a request', 'GET / HTTP/1.1\r\nhost: a\r\n', 'request-timeout'],
  ] as const)('is answered with a problem: %s', async (_, said, code) => {
    const [head = '', body = ''] = (await hears(said)).split('\r\n\r\n')
    const { status, title } = problems[code]
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const line of [
      'content-type: application/problem\\+json',
      'x-content-type-options: nosniff',
      'x-frame-options: DENY',
      'cache-control: no-store',
      'connection: close',
    ])
      expect(head).toMatch(new RegExp(`^${line}`, 'im'))
    expect(JSON.parse(body)).toMatchObject({ code, status, title, detail: expect.any(String) })
  })
})

/** Says this to the server, and tells all it answers until it hangs up. */
async function hears(said: string): Promise<string> {
  const { hostname, port } = new URL(w.url)
  const socket = connect(Number(port), hostname)
  socket.write(said)
  return text(socket)
}

/** Says this to the server, letter by letter as it stands, and tells the status of the answer. */
async function speaks(text: string): Promise<number> {
  const { hostname, port } = new URL(w.url)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(first.toString('latin1'))![1])
}
