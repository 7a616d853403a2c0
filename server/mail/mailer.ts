import { createTransport } from 'nodemailer'

export interface MailSettings {
  url: string
  from: string
}

export interface Message {
  to: string
  subject: string
  text: string
  html: string
}

/** The way to people's mailboxes: one SMTP server, named in the settings. */
export interface Mailer {
  /** False: no server is set, and nothing can be sent. */
  isSet: boolean
  /** The id stays the same when a message is sent again, so that mailboxes show it once. */
  send(id: string, message: Message): Promise<void>
  /** Greets the server and logs in, and sends nothing. */
  check(): Promise<void>
}

const seconds = 1000

export function openMailer(settings: MailSettings | undefined): Mailer {
  if (!settings) return { isSet: false, send: refuse, check: refuse }
  const { url, from } = settings
  const { hostname, username } = new URL(url)
  const transport = createTransport({
    url,
    connectionTimeout: 20 * seconds,
    greetingTimeout: 20 * seconds,
    socketTimeout: 60 * seconds,
    // A password never travels in the clear, but to a server on this machine.
    requireTLS: username !== '' && !isHere(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
  return {
    isSet: true,
    async send(id, { to, ...message }) {
      const domain = from.replace(/^.*@|>.*$/g, '')
      await transport.sendMail({
        ...message,
        from,
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
    },
    check: async () => {
      await transport.verify()
    },
  }
}

const isHere = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const refuse = async () => {
  throw new Error('No SMTP server is set. Set SMTP_URL and MAIL_FROM.')
}
