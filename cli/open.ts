import { userInfo } from 'node:os'
import { clientById, listClients } from '../server/clients/clients.ts'
import { CannotStart, type Config, type Environment, readConfig } from '../server/config.ts'
import { type Database, type Db, openDatabase } from '../server/db/database.ts'
import { refuseOutdated } from '../server/db/migrate.ts'
import { isId } from '../server/ids.ts'
import { type Caller, system } from '../server/library.ts'
import { Misuse } from './command.ts'

/** Who a command acts as: whoever may run it on this machine may do all an admin may. */
export const commandLine: Caller = {
  ...system,
  id: 'command-line',
  name: `command line (${userInfo().username})`,
}

export const config = (): Config => readConfig(process.env as Environment)

/** For commands that need rows and nothing else. */
export async function withDatabase<T>(work: (its: Database & { config: Config }) => Promise<T>): Promise<T> {
  const settings = config()
  const database = await unlessInUse(() => openDatabase(settings))
  try {
    await refuseOutdated(database.pool)
    return await work({ ...database, config: settings })
  } finally {
    await database.close()
  }
}

export async function unlessInUse<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof CannotStart && /in use by another running server/.test(error.message))
      throw new CannotStart(
        `${error.message.split('. ')[0]}, and the embedded database takes one process at a time. Stop the server, run this, and start it again. While it runs, clients, users and keys can be managed in the web app and over the API.`,
      )
    throw error
  }
}

/** A client by its id, or by its name where only one bears it. */
export async function clientNamed(db: Db, text: string): Promise<string> {
  if (isId('client', text as unknown)) return (await clientById(db, text)).clientId
  const { clients } = await listClients(db, commandLine, { q: text.slice(0, 120), limit: 200 })
  const same = clients.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (same.length === 1) return same[0]!.clientId
  throw new Misuse(
    same.length === 0
      ? `No client is called ${text}. See asset-library client list.`
      : `${same.length} clients are called ${text}. Name one by its id: ${same.map(({ clientId }) => clientId).join(', ')}.`,
  )
}
