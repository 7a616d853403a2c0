import type { Config } from '../../server/config.ts'
import { openMailer } from '../../server/mail/mailer.ts'
import type { Finding } from './finding.ts'

/** Whether the mail server takes our greeting and our login. Nothing is sent. */
export async function mail({ mail: settings }: Config): Promise<Finding[]> {
  const part = 'mail'
  if (!settings)
    return [{ part, ok: true, says: 'not set: administrators hand over links (SMTP_URL, MAIL_FROM)' }]
  const { host } = new URL(settings.url)
  try {
    await openMailer(settings).check()
    return [{ part, ok: true, says: `${host} takes mail from ${settings.from}` }]
  } catch (error) {
    const { message } = error as Error
    return [{ part, ok: false, says: `${host} does not take mail: ${message}. Correct SMTP_URL.` }]
  }
}
