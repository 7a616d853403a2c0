import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Opens connections that never finish what they begin to say, a byte every five seconds, and tells how long each was
 * borne. Run as a process of its own: node slow-sockets.ts <port> <count> <cookie> <path>
 */
const [port, count, cookie, path] = process.argv.slice(2) as [string, string, string, string]

const headers = (rest: string) => `POST ${rest}\r\nHost: 127.0.0.1:${port}\r\n`
const withBody = 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n'
const beginnings = [
  headers('/auth/login HTTP/1.1'),
  `${headers('/auth/login HTTP/1.1')}${withBody}{`,
  headers('/nowhere HTTP/1.1'),
  `${headers('/nowhere HTTP/1.1')}${withBody}{`,
  headers(`${path} HTTP/1.1`),
  `${headers(`${path} HTTP/1.1`)}Cookie: ${cookie}\r\n${withBody}{`,
  headers(`${path} HTTP/1.1`),
  `${headers(`${path} HTTP/1.1`)}${withBody}{`,
]

const lives: number[] = []
/** The longest life of each kind, in the order of `beginnings`. */
const longestOf: number[] = []
let open = 0

async function linger(kind: number): Promise<void> {
  const beginning = beginnings[kind]!
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('error', () => resolve()))
  const began = performance.now()
  open++
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => socket.write(beginning.endsWith('{') ? ' ' : 'X'), 5000)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
  open--
  const seconds = (performance.now() - began) / 1000
  lives.push(seconds)
  longestOf[kind] = Math.max(longestOf[kind] ?? 0, seconds)
}

const told = setInterval(() => process.stdout.write(`${JSON.stringify({ open })}\n`), 500)
const all: Promise<void>[] = []
for (let number = 0; number < Number(count); number++) {
  all.push(linger(number % beginnings.length))
  // No faster than they are taken: one that waits before the door is not yet borne by the server.
  if (number % 50 === 49) await pause(40)
}
await Promise.race([Promise.all(all), pause(90_000)])
clearInterval(told)
process.stdout.write(
  `${JSON.stringify({ lives: lives.length, longest: Math.max(...lives), longestOf, open })}\n`,
)
process.exit(0)
