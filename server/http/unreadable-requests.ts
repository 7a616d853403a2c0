import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { Problem } from '../problems.ts'
import { problemBody } from './answers.ts'
import { securityHeaders } from './security-headers.ts'

/** What cannot be read as a request never becomes one, yet is answered like any other. */
export const answerUnreadable =
  (config: Config) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (!socket.writable || answerHasBegun(socket)) return void socket.destroy()
    const { status, headers, body } = answerOf(whyUnreadable(error), config)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
      socket.destroy(),
    )
  }

/** Node would answer an expectation that it does not know by itself. */
export function answerUnknownExpectations(app: FastifyInstance, config: Config): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body, status } = answerOf(
      new Problem('unknown-expectation', 'Send the request without the Expect header.'),
      config,
    )
    response.writeHead(status, headers).end(body)
  })
}

function whyUnreadable({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers-too-large', 'Send fewer or shorter headers, and a shorter address.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request-timeout', 'The request did not come whole in time. Send it again.')
  return new Problem('invalid-request', 'This is not a request of HTTP/1.1.')
}

function answerOf(problem: Problem, config: Config) {
  const body = JSON.stringify(problemBody(problem))
  const headers = {
    ...securityHeaders(config),
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { status: problem.status, headers, body }
}

// After half an answer, another would be read as the rest of it.
const answerHasBegun = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage?.headersSent === true
