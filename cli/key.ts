import { type ApiKey, keyRoles, NewApiKey } from '../contract/access.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../server/access/api-keys.ts'
import { bodyReader } from '../server/http/requests.ts'
import { type Group, table } from './command.ts'
import { commandLine, withDatabase } from './open.ts'
import { clientIdsOf } from './user.ts'

export const command: Group = {
  summary: 'Keys that agents call with.',
  actions: {
    list: {
      summary: 'List the keys.',
      run: () =>
        withDatabase(async ({ db }) => {
          const apiKeys = await listApiKeys(db)
          return {
            lines: table([['KEY', 'NAME', 'ROLE', 'LAST USED', 'CLIENTS'], ...apiKeys.map(row)]),
            json: { apiKeys },
          }
        }),
    },
    add: {
      summary: 'Make a key; it is told once.',
      options: {
        name: { value: 'NAME', explain: 'Whose key it is.', needed: true },
        role: { value: 'ROLE', explain: `One of ${keyRoles.join(', ')}. Default: agent.` },
        client: { value: 'CLIENT', explain: 'A client it sees, by id or name.', many: true, needed: true },
      },
      run: (given) =>
        withDatabase(async ({ db }) => {
          const input = readNew({
            name: given.needed('name'),
            role: given.text('role') ?? 'agent',
            clientIds: await clientIdsOf(db, given),
          })
          const key = await createApiKey(db, commandLine, input)
          return { lines: [row(key).join('  '), `key ${key.apiKey}   (shown only now)`], json: key }
        }),
    },
    revoke: {
      summary: 'Take a key back; it stops working on the next request.',
      takes: ['KEY'],
      run: (given) =>
        withDatabase(async ({ db }) => {
          const [keyId] = given.args
          await deleteApiKey(db, commandLine, keyId!)
          return { lines: [`revoked ${keyId}`], json: { revoked: keyId } }
        }),
    },
  },
}

const readNew = bodyReader(NewApiKey)

const row = (key: ApiKey): string[] => [
  key.keyId,
  key.name,
  key.role,
  key.lastUsedAt ?? 'never',
  key.clientIds.join(' '),
]
