import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createLine, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { waysToSay } from '../../test/delivery-peers.ts'
import { isPublic, OutboundFailure, type OutboundRequest, openOutbound } from './outbound.ts'

const closed = openOutbound({ allow: [] })

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:169.254.169.254]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b::1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
])('%s is not called', async (url) => {
  await expect(closed.send({ method: 'GET', url })).rejects.toMatchObject({
    name: 'OutboundFailure',
    reached: 'nothing',
    message: expect.stringMatching(/not a public address/),
  })
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'http://user:secret@example.com/',
  'http://[fe80::1%25eth0]/',
  'http://127.0.0.1:99999/',
  'nonsense',
])('%s is no address that can be called', async (url) => {
  const refused = await closed.send({ method: 'GET', url }).catch((error) => error)
  expect(refused).toBeInstanceOf(OutboundFailure)
  expect(refused.message).not.toContain('secret')
})

test.each([
  ['8.8.8.8', true],
  ['1.1.1.1', true],
  ['172.32.0.1', true],
  ['100.128.0.1', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::8.8.8.8', true],
  ['fe80::1%eth0', false],
  ['::ffff:10.0.0.1', false],
  ['example.com', false],
])('%s is public: %s', (address, answer) => expect(isPublic(address)).toBe(answer))

test('a host opened by name is called, and only on the port that was named', async () => {
  await using peer = await listening((_, response) => response.end('hello'))
  const open = openOutbound({ allow: [`127.0.0.1:${peer.port}`] })
  expect(await open.send({ method: 'GET', url: peer.url })).toMatchObject({ status: 200, text: 'hello' })
  await expect(open.send({ method: 'GET', url: 'http://127.0.0.1:1/' })).rejects.toThrow('not a public')
  const byHost = openOutbound({ allow: ['localhost'] })
  expect((await byHost.send({ method: 'GET', url: `http://localhost:${peer.port}/` })).status).toBe(200)
})

test('a password goes over https only, but to hosts that were opened by name', async () => {
  const headers = { authorization: 'Basic c2VjcmV0' }
  await expect(closed.send({ method: 'GET', url: 'http://8.8.8.8/', headers })).rejects.toMatchObject({
    reached: 'nothing',
    message: expect.stringContaining('https'),
  })
  await using peer = await listening((_, response) => response.end('hello'))
  expect((await opened(peer).send({ method: 'GET', url: peer.url, headers })).status).toBe(200)
})

test('a redirect is answered and not followed', async () => {
  let calls = 0
  await using peer = await listening((_, response) => {
    calls++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const answer = await opened(peer).send({ method: 'GET', url: peer.url })
  expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } })
  expect(calls).toBe(1)
})

test('a body is sent as it is, and counted', async () => {
  await using peer = await listening(async (request, response) => {
    const chunks = await request.toArray()
    response.end(`${request.headers['content-length']} ${Buffer.concat(chunks).toString()}`)
  })
  let sent = 0
  const answer = await opened(peer).send({
    method: 'PUT',
    url: peer.url,
    body: { sizeBytes: 6, open: async () => Readable.from([Buffer.from('abc'), Buffer.from('def')]) },
    sent: (bytes) => {
      sent += bytes
    },
  })
  expect(answer.text).toBe('6 abcdef')
  expect(sent).toBe(6)
})

test('a line that is never made has reached nothing; one that is cut may have reached all', async () => {
  const free = await listening(() => {})
  await free[Symbol.asyncDispose]()
  await expect(opened(free).send({ method: 'POST', url: free.url, body: 'x' })).rejects.toMatchObject({
    reached: 'nothing',
  })
  const mouthful = Buffer.alloc(65_536)
  let asked = 0
  const body = {
    sizeBytes: 1000 * mouthful.length,
    open: async () =>
      new Readable({
        read() {
          asked++
          this.push(mouthful)
        },
      }),
  }
  await using early = await listening((request) => request.once('data', () => request.socket.destroy()))
  await expect(opened(early).send({ method: 'POST', url: early.url, body })).rejects.toMatchObject({
    reached: 'part',
  })
  expect(asked).toBeLessThan(1000)
  await using cutting = await listening((request) => request.socket.destroy())
  await expect(opened(cutting).send({ method: 'POST', url: cutting.url, body: 'x' })).rejects.toMatchObject({
    reached: 'all',
  })
  // It has every byte, though the stream they came from has not said that it is over.
  await using whole = await listening((request) => request.once('data', () => request.socket.destroy()))
  const open = async () => {
    const stream = new Readable({ read() {} })
    stream.push('abcdef')
    return stream
  }
  await expect(
    opened(whole).send({ method: 'POST', url: whole.url, body: { sizeBytes: 6, open } }),
  ).rejects.toMatchObject({ reached: 'all' })
})

test('a peer that is silent, slow without end, or answers without end is left', async () => {
  await using silent = await listening(() => {})
  await expect(
    opened(silent).send({ method: 'GET', url: silent.url, idleSeconds: 0.2 }),
  ).rejects.toMatchObject({ reached: 'all', message: expect.stringContaining('No answer within') })

  await using slow = await listening((_, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.once('close', () => clearInterval(timer))
  })
  await expect(opened(slow).send({ method: 'GET', url: slow.url, totalSeconds: 0.3 })).rejects.toMatchObject({
    reached: 'all',
  })

  await using endless = await listening((_, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  await expect(opened(endless).send({ method: 'GET', url: endless.url })).rejects.toThrow('too long')
})

test.each([
  'SSH-2.0-OpenSSH\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n',
  '',
])('what is no answer (%j) is a failure, no crash and no wait without end', async (said) => {
  const line = createLine((socket: Socket) => {
    socket.on('error', () => {})
    socket.end(said)
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  const { port } = line.address() as AddressInfo
  await expect(
    opened({ port }).send({ method: 'GET', url: `http://127.0.0.1:${port}/` }),
  ).rejects.toBeInstanceOf(OutboundFailure)
  line.close()
})

const opened = (peer: { port: number }) => openOutbound({ allow: [`127.0.0.1:${peer.port}`] })

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('what the system says of a line that fails does not get out', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = openOutbound({ allow: ['127.0.0.1'] })
  const sends = (url: string) => open.send({ method: 'GET', url }).catch((error: OutboundFailure) => error)
  try {
    expect(await sends(`https://127.0.0.1:${port}/`)).toMatchObject({
      message: `127.0.0.1:${port}: It cannot be reached`,
      cause: { code: expect.stringMatching(/^E/) },
    })
  } finally {
    server.close()
  }
  expect(await sends('http://127.0.0.1:9/')).toMatchObject({
    message: '127.0.0.1:9: The connection was refused',
    reason: { code: 'connection-refused' },
  })
})

test('what a peer says back of the secrets it was sent is cut out, however it is written', async () => {
  let says = (): [number, string] => [200, '']
  await using peer = await listening((_, response) => {
    const [status, text] = says()
    response.writeHead(status, { 'x-said': encodeURIComponent(text.slice(0, 100)) }).end(text)
  })
  const sends = (text: string, status = 403, more: Partial<OutboundRequest> = {}) => {
    says = () => [status, text]
    return opened(peer).send({ method: 'POST', url: peer.url, ...more })
  }
  const basic = (password: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`editor:${password}`).toString('base64')}` },
  })
  const odd = 'q/w+e "r\\t&y<ü😀%'
  const token = `ya29.${'aB-_9/+'.repeat(300)}end`
  const form = 'application/x-www-form-urlencoded'
  const carried: [string, Partial<OutboundRequest>][] = [
    [odd, basic(odd)],
    [token, { headers: { authorization: `Bearer ${token}` } }],
    [odd, { url: `${peer.url}?${new URLSearchParams({ access_token: odd })}` }],
    [odd, { headers: { 'content-type': form }, body: String(new URLSearchParams({ client_secret: odd })) }],
    [odd, { secrets: [odd] }],
  ]
  for (const [secret, more] of carried)
    for (const way of waysToSay(secret)) {
      const { text } = await sends(`It says [${way}].`, 403, more)
      expect([way, text]).toEqual([way, expect.stringMatching(/^It says \[.{0,4}….{0,4}\]\.$/u)])
    }

  const groups = 'abcd EFGH 1234 ijkl MNOP 5678'
  expect((await sends(`no ${groups.replaceAll(' ', '')}`, 401, basic(groups))).text).toBe('no …')
  expect((await sends(groups, 401, basic(groups))).headers['x-said']).toBe('…')
  const four = 'abcd efgh ijkl mnop'
  const grouped = ['abcdefghijklmnop', 'ABCDEFGHIJKLMNOP', four, 'abcd efgh\u00a0ijkl\nmnop']
  const encoded = ['', ':', 'x:'].map((before) => Buffer.from(`${before}abcdefghijklmnop`).toString('base64'))
  for (const given of [four, 'abcdefghijklmnop', 'abcdefgh ijklmnop'])
    for (const way of [...grouped, ...encoded])
      expect([given, way, (await sends(`Bad application password ${way}`, 403, basic(given))).text]).toEqual([
        given,
        way,
        expect.stringMatching(/^Bad application password .{0,4}….{0,4}$/u),
      ])
  expect((await sends(`no ${basic(odd).headers.authorization}`, 401, basic(odd))).text).toBe('no Basic …')
  // Found by chance, or given on purpose.
  expect((await sends('{"id":7}', 200, basic('id'))).text).toBe('{"id":7}')
  const renewal = { headers: { 'content-type': form }, body: 'refresh_token=stays-as-it-is' }
  expect((await sends('stays-as-it-is', 200, renewal)).text).toBe('stays-as-it-is')
  // Nobody is kept busy by it.
  expect((await sends('\\%25&amp;'.repeat(90_000), 403, basic(odd))).status).toBe(403)
  for (const one of [' ', '+', '%20'])
    expect((await sends(one.repeat(90_000), 403, basic(`${one.repeat(60)}x`))).status).toBe(403)
})
