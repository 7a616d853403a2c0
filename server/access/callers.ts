import { type Permission, type Role, rolePermissions } from '../../contract/access.ts'
import type { Language } from '../../contract/words.ts'
import type { Config } from '../config.ts'
import type { Reader } from '../db/database.ts'
import { pipelined } from '../db/prepared.ts'
import type { Recognised } from '../http/recognised.ts'
import { isId } from '../ids.ts'
import type { Caller, Parts } from '../library.ts'
import { hashToken, newToken } from '../secrets.ts'

const aboutCallers = <Row>(text: string) => pipelined<Row>(text, 'callers')

/** A portal user's own client, and the counters of the client that is named, or else of that one. */
const withClient = `
  left join lateral (
    select uc.client_id from user_clients uc where u.role = 'client' and uc.user_id = u.id limit 1
  ) own on true
  left join client_counters c on c.client_id = coalesce(nullif($1, ''), own.client_id)`

const counted = `c.last_event as "lastEventId", c.last_folder_event as "lastFolderEventId"`

const userColumns = `
  u.id, u.name, u.email, u.role, u.all_clients as "allClients", own.client_id as "clientId", ${counted},
    case when c.client_id = $1
      and (u.all_clients or exists (select from user_clients uc where uc.client_id = $1 and uc.user_id = u.id))
    then c.client_id end as "visibleClientId"`

const sessionColumns = `
  ${userColumns}, s.id as "sessionId", u.language, u.must_change_password as "mustChangePassword",
    s.is_strong or u.has_second_factor as "isStrong",
    s.last_used_at < now() - interval '1 minute' as "unseen"`

const userBySession = aboutCallers<UserRow & SessionRow>(`
  select ${sessionColumns}
  from login_sessions s join users u on u.id = s.user_id ${withClient}
  where s.token_hash = $2 and s.expires_at > now() and u.is_active`)

export async function callerBySession(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  token: string,
  clientId?: string,
): Promise<Recognised | undefined> {
  const [user] = await userBySession(db, known(clientId), hashToken(token))
  if (!user) return undefined
  if (user.unseen)
    await db
      .updateTable('login_sessions')
      .set({ last_used_at: new Date() })
      .where('token_hash', '=', hashToken(token))
      .execute()
  return recognisedSession(user, config)
}

/** Until what is pending is done, a person may do nothing else. */
function recognisedSession(user: UserRow & SessionRow, config: FactorRoles): Recognised {
  const recognised = recognisedUser(user)
  const { sessionId: id, language, mustChangePassword } = user
  const pending = mustChangePassword ? 'password' : needsFactor(user, config) ? 'second-factor' : null
  if (pending) recognised.caller.permissions = new Set()
  return { ...recognised, session: { id, language, pending } }
}

type FactorRoles = Pick<Config, 'secondFactorRoles'>

const needsFactor = (
  { role, isStrong }: { role: Role; isStrong: boolean },
  { secondFactorRoles }: FactorRoles,
): boolean => !isStrong && secondFactorRoles.includes(role)

const userByPicker = aboutCallers<UserRow & SessionRow & { embedder: string }>(`
  select ${sessionColumns}, t.embedder
  from picker_tokens t join login_sessions s on s.token_hash = t.session_hash join users u on u.id = s.user_id
    ${withClient}
  where t.token_hash = $2 and t.client_id = coalesce(nullif($1, ''), own.client_id)
    and t.expires_at > now() and s.expires_at > now() and u.is_active`)

/** What a picker on another site gets; it lists and shows assets of one client, on the routes that say so. */
export const newPickerToken = () => newToken(pickerToken)
export const isPickerToken = (token: string) => token.startsWith(pickerToken)
const pickerToken = 'cap_'

/** The person who opened a picker, to look and no more: while the login lasts and the other site is still named. */
export async function callerByPicker(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  token: string,
  clientId?: string,
): Promise<Recognised | undefined> {
  const [user] = await userByPicker(db, known(clientId), hashToken(token))
  if (!user || !config.embedOrigins.includes(user.embedder)) return undefined
  const recognised = recognisedSession(user, config)
  const { caller } = recognised
  caller.isPicking = true
  caller.permissions = caller.permissions.has('assets:read') ? new Set(['assets:read']) : new Set()
  return recognised
}

/** What somebody may do now, for what was given to them and is used without their credentials. */
export async function callerById(
  { db, config }: Judging,
  id: string,
  clientId: string,
): Promise<Recognised | undefined> {
  const [user] = await userById(db, known(clientId), id)
  if (user) return recognisedUser(user)
  const [key] = await keyById(db, known(clientId), id)
  return key && recognisedKey(key, config)
}

/** What it takes to say what somebody may do. */
interface Judging {
  db: Reader
  config: FactorRoles
}

const userById = aboutCallers<UserRow>(`
  select ${userColumns} from users u ${withClient} where u.id = $2 and u.is_active`)

/** An agent has no session of its own: any of its person's that is strong counts for it. */
const personIsStrong = `(u.has_second_factor or exists (
  select from login_sessions s where s.user_id = u.id and s.is_strong and s.expires_at > now()))`

const keyColumns = `
  k.id, k.name, k.role, k.permissions, u.role as "personRole", ${personIsStrong} as "isStrong",
    k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as "unseen",
    ${counted},
    (select kc.client_id from api_key_clients kc where kc.key_id = k.id and kc.client_id = $1) as "visibleClientId"`

/** An agent that was signed in stands for a person, and only while that person could come in. */
const keysNow = `api_keys k left join users u on u.id = k.user_id left join client_counters c on c.client_id = $1`
const isOpen = `(k.user_id is null or u.is_active and not u.must_change_password)`

const keyByToken = aboutCallers<KeyRow>(`select ${keyColumns} from ${keysNow} where k.token_hash = $2`)
const keyById = aboutCallers<KeyRow>(`select ${keyColumns} from ${keysNow} where k.id = $2 and ${isOpen}`)
const agentByToken = aboutCallers<KeyRow>(`
  select ${keyColumns} from ${keysNow} join agent_tokens t on t.key_id = k.id
  where t.token_hash = $2 and t.purpose = 'access' and t.expires_at > now() and ${isOpen}`)

/** What an agent gets that was signed in; it opens nothing but `/mcp`. */
export const newAccessToken = () => newToken(accessToken)
export const isAccessToken = (token: string) => token.startsWith(accessToken)
const accessToken = 'cao_'

export async function callerByKey(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  token: string,
  clientId?: string,
): Promise<Recognised | undefined> {
  const find = isAccessToken(token) ? agentByToken : keyByToken
  const [key] = await find(db, known(clientId), hashToken(token))
  const recognised = key && recognisedKey(key, config)
  if (recognised && key.unseen)
    await db.updateTable('api_keys').set({ last_used_at: new Date() }).where('id', '=', key.id).execute()
  return recognised
}

const recognisedUser = (user: UserRow): Recognised => ({
  caller: makeCaller({ ...user, kind: 'user' }),
  visibleClientId: user.visibleClientId,
  lastEventId: user.lastEventId,
  lastFolderEventId: user.lastFolderEventId,
  session: null,
})

/** Undefined: whom it stands for has to show a second factor first. */
function recognisedKey(key: KeyRow, config: FactorRoles): Recognised | undefined {
  const { personRole, isStrong } = key
  if (personRole && needsFactor({ role: personRole, isStrong }, config)) return undefined
  // What is kept from a client's own people is kept from their agents.
  const role = personRole === 'client' ? 'client' : key.role
  const caller = makeCaller({ ...key, role, kind: 'key', email: null, clientId: null, allClients: false })
  if (key.permissions) {
    const theirs = permissionsOf.get(personRole!)!
    caller.permissions = new Set(key.permissions.filter((permission) => theirs.has(permission)))
  }
  const { visibleClientId, lastEventId, lastFolderEventId } = key
  return { caller, visibleClientId, lastEventId, lastFolderEventId, session: null }
}

interface UserRow {
  id: string
  name: string
  email: string
  role: Role
  allClients: boolean
  clientId: string | null
  visibleClientId: string | null
  lastEventId: number | null
  lastFolderEventId: number | null
}

interface SessionRow {
  sessionId: string
  language: Language | null
  mustChangePassword: boolean
  isStrong: boolean
  unseen: boolean
}

interface KeyRow {
  id: string
  name: string
  role: Role
  /** Of an agent that was signed in: what was chosen for it, and the role of who chose. */
  permissions: Permission[] | null
  personRole: Role | null
  isStrong: boolean
  unseen: boolean
  visibleClientId: string | null
  lastEventId: number | null
  lastFolderEventId: number | null
}

const known = (clientId: string | undefined) => (isId('client', clientId) ? clientId : '')

const permissionsOf = new Map(
  Object.entries(rolePermissions).map(([role, names]) => [role, new Set<Permission>(names)] as const),
)

function makeCaller(row: Omit<Caller, 'permissions' | 'role' | 'origin'> & { role: Role }): Caller {
  const { kind, id, name, email, role, clientId, allClients } = row
  const permissions = permissionsOf.get(role)!
  return { kind, id, name, email, role, permissions, clientId, allClients, origin: null }
}

/** Whether who once did something for a client may still do so. */
export async function stillMay(
  { db, config, clientId }: Judging & { clientId: string },
  callerId: string,
  permission: Permission,
): Promise<boolean> {
  const found = await callerById({ db, config }, callerId, clientId)
  return found?.visibleClientId === clientId && found.caller.permissions.has(permission)
}
