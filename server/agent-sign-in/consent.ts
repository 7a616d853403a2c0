import { sql } from 'kysely'
import {
  type AgentPermission,
  type AuthorizationRequest,
  agentPermissions,
  type ConsentAnswer,
  type Consented,
  type ConsentQuestion,
} from '../../contract/agent-sign-in.ts'
import { unauthenticated } from '../access/door.ts'
import { clientsOf } from '../access/visible.ts'
import type { IdempotencyKey } from '../changes/idempotency.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db, Reader, Trx } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import type { AgentApp } from './app-metadata.ts'
import type { Apps } from './apps.ts'
import { refuseOtherResource } from './metadata.ts'
import { hostOf, isAmong, isOnThisDevice } from './redirect-uris.ts'
import { keepApp } from './registration.ts'
import { newCode } from './tokens.ts'

const mostClients = 1000
const mostAgents = 100

/** What somebody is asked when a program has sent them here. Nothing is begun by it, so nothing can be used up. */
export async function questionFor(
  { db, config }: Parts,
  apps: Apps,
  person: Caller,
  request: AuthorizationRequest,
): Promise<ConsentQuestion> {
  const { name, host } = await askingApp(apps, config, request)
  const permissions = allowedTo(person)
  const scopes = request.scope?.split(' ') ?? []
  const asked = permissions.filter((permission) => scopes.includes(permission))
  return {
    agent: {
      name,
      host,
      redirectHost: hostOf(request.redirect_uri),
      isOnThisDevice: isOnThisDevice(request.redirect_uri),
    },
    clients: await visibleTo(db, person).orderBy('name').orderBy('id').limit(mostClients).execute(),
    permissions,
    asked: asked.length > 0 ? asked : permissions,
  }
}

/** Yes makes an agent that stands for the person; either way the browser goes back to where the program is. */
export async function answerConsent(
  { db, config }: Parts,
  apps: Apps,
  person: Caller,
  { request, allow, clientIds, permissions }: ConsentAnswer,
  idempotencyKey?: IdempotencyKey,
): Promise<Consented> {
  const app = await askingApp(apps, config, request)
  const back = (said: Record<string, string>): Consented => {
    const url = new URL(request.redirect_uri)
    const { state } = request
    const answer = { ...said, ...(state !== undefined && { state }), iss: config.publicUrl }
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
    return { redirectTo: url.href }
  }
  if (!allow) return back({ error: 'access_denied' })

  return changePlatform(
    db,
    person,
    async ({ trx, note }) => {
      const chosen = await chosenClients(trx, await holdPerson(trx, person), clientIds)
      const allowed = chosenPermissions(person, permissions)
      const keyId = await makeAgent(trx, person, { app, request, chosen, allowed })
      const details = { clientIds: chosen, permissions: allowed, host: hostOf(request.redirect_uri) }
      note({ action: 'agent.connected', thing: keyId, clientId: person.clientId, name: app.name, details })
      return back({ code: await newCode(trx, keyId, request) })
    },
    idempotencyKey,
  )
}

/** Who asks, if what it asks can be answered at all: what cannot is told to the person, and sent nowhere. */
async function askingApp(
  apps: Apps,
  config: Parts['config'],
  { client_id, redirect_uri, resource }: AuthorizationRequest,
): Promise<AgentApp> {
  const app = await apps(client_id)
  if (!isAmong(app.redirectUris, redirect_uri))
    throw new Problem(
      'invalid-redirect-uri',
      `${app.name} wants your answer sent to an address that it has not named before. Do not go on.`,
    )
  refuseOtherResource(config, resource)
  return app
}

const allowedTo = ({ permissions }: Caller): AgentPermission[] =>
  agentPermissions.filter((permission) => permissions.has(permission))

const visibleTo = (db: Reader, person: Caller) =>
  db
    .selectFrom('clients')
    .innerJoin('client_counters', 'client_counters.client_id', 'clients.id')
    .select(['clients.id as clientId', 'clients.name'])
    .$if(!person.allClients, (clients) => clients.where('clients.id', 'in', clientsOf(db as Db, person)))

/** From here to the end nobody takes anything from them, and what was taken counts. Two at once are counted one by one. */
async function holdPerson(trx: Trx, person: Caller): Promise<Caller> {
  const { id } = person
  const now = await trx
    .selectFrom('users')
    .select('all_clients')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!now) throw unauthenticated()
  const { agents } = await trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('agents'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  if (agents >= mostAgents)
    throw new Problem('too-many-agents', `You have connected ${mostAgents} agents. Disconnect one first.`)
  return { ...person, allClients: now.all_clients }
}

async function chosenClients(trx: Trx, person: Caller, clientIds: string[]): Promise<string[]> {
  const wanted = [...new Set(clientIds)]
  if (wanted.length === 0)
    throw new Problem('invalid-request', 'Choose at least one client.', {
      extra: { errors: [{ path: '/clientIds', message: 'must name at least one client' }] },
    })
  const found = await visibleTo(trx, person).where('clients.id', 'in', wanted).execute()
  if (found.length < wanted.length) throw notFound('No client')
  return wanted
}

function chosenPermissions(person: Caller, wanted: AgentPermission[]): AgentPermission[] {
  const chosen = new Set<AgentPermission>(['assets:read', ...wanted])
  for (const permission of chosen)
    if (!person.permissions.has(permission))
      throw new Problem('forbidden', `You lack ${permission} yourself. Choose less.`)
  return allowedTo(person).filter((permission) => chosen.has(permission))
}

interface NewAgent {
  app: AgentApp
  request: AuthorizationRequest
  chosen: string[]
  allowed: AgentPermission[]
}

async function makeAgent(trx: Trx, { id }: Caller, { app, request, chosen, allowed }: NewAgent) {
  const keyId = newId('key')
  await trx
    .insertInto('api_keys')
    .values({
      id: keyId,
      name: app.name,
      role: 'agent',
      created_by: id,
      user_id: id,
      permissions: sql`${allowed}::text[]`,
      app_id: app.id,
      app_host: hostOf(request.redirect_uri),
    })
    .execute()
  await trx
    .insertInto('api_key_clients')
    .values(chosen.map((client_id) => ({ client_id, key_id: keyId })))
    .execute()
  await keepApp(trx, app.id)
  return keyId
}
