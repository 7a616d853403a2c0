import { sql } from 'kysely'
import type { Db, Reader } from '../../db/database.ts'
import type { LoginStepsTable } from '../../db/schema.ts'
import { Problem } from '../../problems.ts'
import { hashToken, newToken } from '../../secrets.ts'

type Purpose = LoginStepsTable['purpose']

const stepMinutes = 5
const mostAttempts = 5

export interface NewStep {
  step: string
  expiresAt: Date
}

interface Begun {
  userId?: string | null
  challenge?: string
  method?: string
  minutes?: number
}

/** Begins something that takes two requests. What it hands out opens nothing but the second of them. */
export async function beginStep(
  db: Reader,
  purpose: Purpose,
  { userId = null, challenge = '', method = 'password', minutes = stepMinutes }: Begun,
): Promise<NewStep> {
  const step = newToken()
  const expiresAt = new Date(Date.now() + minutes * 60_000)
  await db
    .insertInto('login_steps')
    .values({
      token_hash: hashToken(step),
      purpose,
      user_id: userId,
      challenge,
      method,
      expires_at: expiresAt,
    })
    .execute()
  return { step, expiresAt }
}

/** What was begun, if it can go on. Each look counts, and after a few it is over. */
export async function tryStep(db: Db, step: string, purpose: Purpose) {
  const found = await db
    .updateTable('login_steps')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', hashToken(step))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('attempts', '<', mostAttempts)
    .returning(['user_id', 'challenge', 'method'])
    .executeTakeFirst()
  if (!found) throw stepOver()
  return found
}

/** What was begun, once: a challenge is answered or lost. */
export async function takeStep(db: Reader, step: string, purpose: Purpose, userId: string | null = null) {
  const taken = await db
    .deleteFrom('login_steps')
    .where('token_hash', '=', hashToken(step))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .returning(['user_id', 'challenge'])
    .executeTakeFirst()
  if (!taken) throw stepOver()
  return taken
}

const stepOver = () => new Problem('sign-in-over', 'This took too long, or too many attempts. Begin again.')

export const forgetOldSteps = (db: Db) =>
  db.deleteFrom('login_steps').where('expires_at', '<', sql<Date>`now()`).execute()
