import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { checkRequests } from './requests.ts'

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})
const app = Fastify()
checkRequests(app)
let looked = () => {}
const isLookingAtCaller = new Promise<void>((begun) => {
  app.addHook('onRequest', async () => {
    begun()
    await new Promise<void>((done) => {
      looked = done
    })
  })
})
app.post('/', async ({ body }) => body)

test('whoever sent all of a body is answered, however long it takes us to begin with it', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n{"a"',
  )
  await isLookingAtCaller
  socket.write(': 1}')
  vi.advanceTimersByTime(60_000)
  looked()
  const [answer] = await Array.fromAsync(socket.take(1))
  expect(String(answer)).toContain('200 OK')
  expect(String(answer)).toContain('{"a":1}')
})
