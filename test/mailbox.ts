import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect } from 'vitest'

const longWait = 60_000

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
}

/** A real mail server that keeps what it is sent. */
export async function mailServer() {
  const received: Mail[] = []
  /** How many it turns away first, as one that is busy. */
  let refuses = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === mailPassword ? done(null, { user: username }) : done(new Error('Invalid login')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refuses-- > 0) return done(Object.assign(new Error('Busy'), { responseCode: 451 }))
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        received.push(readMail(to, Buffer.concat(chunks).toString()))
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    environment: {
      SMTP_URL: `smtp://library:${mailPassword}@127.0.0.1:${port}`,
      MAIL_FROM: 'Library <library@example.com>',
    },
    refusesNext(count: number) {
      refuses = count
    },
    /** The first mail to somebody that is not among those seen already. */
    async next(to: string, seen: readonly Mail[] = []): Promise<Mail> {
      const found = () => received.find((mail) => mail.to === to && !seen.includes(mail))
      await expect.poll(found, { timeout: longWait, message: `a mail to ${to}` }).toBeDefined()
      return found()!
    },
  }
}

export const mailPassword = 'canary-smtp-password'

/** The address that a mail leads to, and what it carries. */
export function linkIn({ text }: Mail): { url: string; token: string } {
  const url = /https?:\S+/.exec(text)![0]
  return { url, token: url.split('#')[1]! }
}

function readMail(to: string, source: string): Mail {
  const [head = '', ...parts] = source.split(/\r\n--[^\r\n]+(?:\r\n|--)/)
  const bodyOf = (type: string) => {
    const part = parts.find((one) => new RegExp(`content-type: ${type}`, 'i').test(one)) ?? ''
    const [headers = '', ...lines] = part.split('\r\n\r\n')
    const body = lines.join('\r\n\r\n')
    if (/transfer-encoding: base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
    return /quoted-printable/i.test(headers) ? unquoted(body) : body
  }
  const header = (name: string) => new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1] ?? ''
  return {
    to,
    subject: header('subject').replace(/\r\n/g, ''),
    messageId: header('message-id'),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  }
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')
