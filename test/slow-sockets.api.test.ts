import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newHome, startServer, world } from './world.ts'

// Sockets have nothing to do with the database. Thousands of them are in test/hard.
describe('connections that say little', async () => {
  const w = await world({ ROLE: 'api' })

  const connected = async (url: string): Promise<Socket> => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).on('error', () => {})
    await once(socket, 'connect')
    return socket.resume()
  }

  const closing = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

  test('and say it byte by byte keep nobody else from being answered, and are closed', async () => {
    const { operator } = await w.newClient()
    const { server } = w.app
    const limit = server.headersTimeout
    expect(limit).toBeGreaterThan(0)
    expect(limit).toBeLessThanOrEqual(10_000)
    // So that nobody waits for it here.
    server.headersTimeout = 1000
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connected(w.url)))
    const closed = sockets.map(closing)
    const text = Buffer.from(`POST /auth/login HTTP/1.1\r\nHost: x\r\nX-Slow: ${'y'.repeat(10_000)}`)
    let said = 0
    const drip = setInterval(() => {
      for (const socket of sockets) socket.write(text.subarray(said, said + 1))
      said++
    }, 50)
    try {
      let over = false
      const all = Promise.all(closed).then(() => {
        over = true
      })
      while (!over && said < 400) {
        expect((await operator.lists()).status).toBe(200)
        await pause(20)
      }
      await all
      expect(said).toBeGreaterThan(1)
    } finally {
      clearInterval(drip)
      server.headersTimeout = limit
    }
  })

  test('and nothing at all do not keep the server from stopping', async () => {
    const home = await newHome()
    const server = await startServer({ ...home.environment, ROLE: 'api' })
    const socket = await connected(server.url)
    const closed = closing(socket)
    // So that nothing but the stopping ends it.
    Object.assign(server.app.server, { headersTimeout: 0, requestTimeout: 0 })
    await server.stop()
    await closed
    await home.remove()
  })
})
