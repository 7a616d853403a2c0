import { type Client, ClientChange, NewClient } from '../contract/clients.ts'
import { changeClient, createClient, listClients } from '../server/clients/clients.ts'
import type { Db } from '../server/db/database.ts'
import { bodyReader } from '../server/http/requests.ts'
import { byteCount, type Group, Misuse, readableBytes, table } from './command.ts'
import { clientNamed, commandLine, withDatabase } from './open.ts'

const name = { value: 'NAME', explain: 'What the client is called.' }
const quota = { value: 'BYTES', explain: 'How much it may store: 1000000, 500M, 20G.' }

export const command: Group = {
  summary: 'The agency’s clients.',
  actions: {
    list: {
      summary: 'List the clients and what they store.',
      run: () =>
        withDatabase(async ({ db }) => {
          const clients = await allClients(db)
          const rows = clients.map((client) => [
            client.clientId,
            client.name,
            `${readableBytes(client.storedBytes)} of ${readableBytes(client.quotaBytes)}`,
          ])
          return { lines: table([['CLIENT', 'NAME', 'STORED'], ...rows]), json: { clients } }
        }),
    },
    add: {
      summary: 'Make a client.',
      options: { name: { ...name, needed: true }, quota },
      run: (given) =>
        withDatabase(async ({ db, config }) => {
          const quotaBytes = byteCount(given, 'quota')
          const input = readNew({
            name: given.needed('name'),
            ...(quotaBytes !== undefined && { quotaBytes }),
          })
          const client = await createClient(db, commandLine, config.limits, input)
          return { lines: [`made ${client.clientId}  ${client.name}`], json: client }
        }),
    },
    set: {
      summary: 'Change a client’s name or quota.',
      takes: ['CLIENT'],
      options: { name, quota },
      run: (given) =>
        withDatabase(async ({ db }) => {
          const [newName, quotaBytes] = [given.text('name'), byteCount(given, 'quota')]
          if (newName === undefined && quotaBytes === undefined)
            throw new Misuse('client set needs --name or --quota.')
          const input = readChange({
            ...(newName !== undefined && { name: newName }),
            ...(quotaBytes !== undefined && { quotaBytes }),
          })
          const client = await changeClient(db, commandLine, await clientNamed(db, given.args[0]!), input)
          return {
            lines: [`${client.clientId}  ${client.name}  quota ${readableBytes(client.quotaBytes)}`],
            json: client,
          }
        }),
    },
  },
}

const readNew = bodyReader(NewClient)
const readChange = bodyReader(ClientChange)

export async function allClients(db: Db): Promise<Client[]> {
  const all: Client[] = []
  let cursor: string | undefined
  do {
    const page = await listClients(db, commandLine, { limit: 200, ...(cursor && { cursor }) })
    all.push(...page.clients)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return all
}
