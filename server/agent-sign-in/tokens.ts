import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { AuthorizationRequest } from '../../contract/agent-sign-in.ts'
import { callerById, newAccessToken } from '../access/callers.ts'
import type { Origin } from '../changes/audit-trail.ts'
import { changePlatform, type PlatformChange } from '../changes/platform.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Parts } from '../library.ts'
import { Problem } from '../problems.ts'
import { hashToken, isSame, newToken } from '../secrets.ts'
import { endAgent } from './agents.ts'

const codeSeconds = 60

type Granting = Pick<Parts, 'db' | 'config'>

export interface CodeGrant {
  code: string
  redirect_uri: string
  client_id: string
  code_verifier: string
}

export interface RefreshGrant {
  refresh_token: string
  client_id: string
}

/** Good once, for a minute, and only for who holds the verifier. */
export async function newCode(
  trx: Trx,
  keyId: string,
  { redirect_uri, code_challenge }: AuthorizationRequest,
): Promise<string> {
  const code = newToken()
  await trx
    .insertInto('agent_codes')
    .values({
      code_hash: hashToken(code),
      key_id: keyId,
      redirect_uri,
      challenge: code_challenge,
      expires_at: inSeconds(codeSeconds),
    })
    .execute()
  return code
}

export const tokensForCode = (parts: Granting, input: CodeGrant, origin: Origin) =>
  grant(parts, origin, async (its) => {
    const hash = hashToken(input.code)
    const agent = await holdAgent(its.trx, sql`select key_id from agent_codes where code_hash = ${hash}`)
    if (!agent || agent.app_id !== input.client_id) return undefined
    const code = await its.trx
      .selectFrom('agent_codes')
      .select(['redirect_uri', 'challenge', 'used_at', sql<boolean>`expires_at <= now()`.as('isLate')])
      .where('code_hash', '=', hash)
      .executeTakeFirstOrThrow()
    // Whoever brings it a second time: one of the two has stolen it, and nobody can say which.
    if (code.used_at) return void (await endAgent(its, agent, 'code-reused'))
    const challenge = createHash('sha256').update(input.code_verifier).digest('base64url')
    if (code.isLate || code.redirect_uri !== input.redirect_uri || !isSame(challenge, code.challenge))
      return undefined
    await its.trx
      .updateTable('agent_codes')
      .set({ used_at: sql<Date>`now()` })
      .where('code_hash', '=', hash)
      .execute()
    return agent.id
  })

export const tokensForRefresh = (parts: Granting, input: RefreshGrant, origin: Origin) =>
  grant(parts, origin, async (its) => {
    const hash = hashToken(input.refresh_token)
    const agent = await holdAgent(
      its.trx,
      sql`
      select key_id from agent_tokens where token_hash = ${hash} and purpose = 'refresh'`,
    )
    if (!agent || agent.app_id !== input.client_id) return undefined
    const token = await its.trx
      .selectFrom('agent_tokens')
      .select(['used_at', sql<boolean>`expires_at <= now()`.as('isLate')])
      .where('token_hash', '=', hash)
      .executeTakeFirstOrThrow()
    if (token.isLate) return undefined
    if (token.used_at) return void (await endAgent(its, agent, 'token-reused'))
    await its.trx
      .updateTable('agent_tokens')
      .set({ used_at: sql<Date>`now()` })
      .where('token_hash', '=', hash)
      .execute()
    return agent.id
  })

/** Whatever is done with a code or a token is done under its agent's lock: two at once come one after the other. */
const holdAgent = (trx: Trx, keyId: RawBuilder<unknown>) =>
  trx
    .selectFrom('api_keys')
    .select(['id', 'name', 'app_id'])
    .where(sql<boolean>`id = (${keyId})`)
    .forUpdate()
    .executeTakeFirst()

/** An agent that gives its access back. What is not known is as good as gone. */
export const revokeToken = (db: Db, token: string, clientId: string, origin: Origin): Promise<void> =>
  changePlatform(db, stranger(origin), async (its) => {
    const hash = hashToken(token)
    const agent = await holdAgent(its.trx, sql`select key_id from agent_tokens where token_hash = ${hash}`)
    if (agent?.app_id !== clientId) return
    const found = await its.trx
      .deleteFrom('agent_tokens')
      .where('token_hash', '=', hash)
      .returning('purpose')
      .executeTakeFirst()
    if (found?.purpose === 'refresh') await endAgent(its, agent, 'given-back')
  })

/** What is found to be stolen is ended first, and refused after: the end must stay. An agent that waits has used up nothing. */
async function grant(
  { db, config }: Granting,
  origin: Origin,
  agentOf: (its: PlatformChange) => Promise<string | undefined>,
) {
  const tokens = await changePlatform(db, stranger(origin), async (its) => {
    const keyId = await agentOf(its)
    if (!keyId) return undefined
    const agent = await callerById({ db: its.trx, config }, keyId, '')
    if (!agent) throw waits()
    return newTokens(its.trx, config.agentSignIn, keyId, [...agent.caller.permissions])
  })
  if (!tokens)
    throw new Problem(
      'invalid-grant',
      'It is over, was used before, or is not yours. Ask the person for access again.',
    )
  return tokens
}

/** Not `invalid-grant`: whoever is told that throws away what they hold. */
const waits = () =>
  new Problem(
    'temporarily-unavailable',
    'The person cannot come in now, so you wait with them. Keep what you hold and try again later.',
  )

async function newTokens(
  trx: Trx,
  { tokenSeconds, silentSeconds }: Parts['config']['agentSignIn'],
  keyId: string,
  permissions: string[],
) {
  const [access, refresh] = [newAccessToken(), newToken('cor_')]
  await trx
    .insertInto('agent_tokens')
    .values([
      {
        token_hash: hashToken(access),
        key_id: keyId,
        purpose: 'access',
        expires_at: inSeconds(tokenSeconds),
      },
      {
        token_hash: hashToken(refresh),
        key_id: keyId,
        purpose: 'refresh',
        expires_at: inSeconds(silentSeconds),
      },
    ])
    .execute()
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: tokenSeconds,
    refresh_token: refresh,
    scope: permissions.join(' '),
  }
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

const stranger = (origin: Origin) => ({ kind: 'nobody', id: null, name: null, origin }) as const
