import { randomUUID } from 'node:crypto'
import type { Trx } from '../db/database.ts'
import type { JobData } from '../jobs/jobs.ts'
import type { Parts } from '../library.ts'
import type { Message } from './mailer.ts'

type Sending = Pick<Parts, 'jobs' | 'sealer' | 'mailer'>

/**
 * Sends a message if and only if the transaction commits, and again until the server takes it. It may hold a link that
 * opens something: it waits sealed. Nothing is queued where no server is set.
 */
export async function queueMail(
  { jobs, sealer, mailer }: Sending,
  trx: Trx,
  message: Message,
  { until }: { /** From then on it is of no use to anybody. */ until?: Date } = {},
): Promise<void> {
  if (!mailer.isSet) return
  const sealed = sealer.seal(JSON.stringify({ message, until: until?.getTime() }))
  await jobs.send(trx, 'mail', { mailId: randomUUID(), sealed })
}

export async function sendQueued(
  { sealer, mailer }: Sending,
  { mailId, sealed }: JobData['mail'],
): Promise<void> {
  const { message, until } = JSON.parse(sealer.open(sealed)) as { message: Message; until?: number }
  if (until !== undefined && until < Date.now()) return
  await mailer.send(mailId, message)
}
