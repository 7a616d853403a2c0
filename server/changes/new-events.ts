import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type { Database, Reader } from '../db/database.ts'

/** Channel on which every node hears which client has new events. Nodes of an older version listen there, too. */
export const eventChannel = 'library_news'

/** Says which client has new events, whichever node made them. */
export interface NewEvents {
  /** Calls back whenever there may be something new for the client. */
  follow(clientId: string, wake: () => void): () => void
  /** The same for events of any client. */
  followAll(wake: () => void): () => void
  /** Calls back whenever somebody's rights may have changed. */
  followRights(wake: () => void): () => void
}

const everybody = Symbol('everybody')
const rights = Symbol('rights')

export async function openNewEvents(database: Database): Promise<NewEvents> {
  const followers = new EventEmitter().setMaxListeners(0)
  await database.listen(eventChannel, (clientId) => {
    // Without a name it concerns everybody: the line was cut for a while, or somebody's rights have changed.
    for (const name of clientId ? [clientId, everybody] : followers.eventNames()) followers.emit(name)
  })
  const follow = (name: string | symbol, wake: () => void) => {
    followers.on(name, wake)
    return () => followers.off(name, wake)
  }
  return {
    follow,
    followAll: (wake) => follow(everybody, wake),
    followRights: (wake) => follow(rights, wake),
  }
}

/** Wakes every follower, so that each looks whether its caller may still listen. */
export const rightsChanged = (db: Reader) => sql`select pg_notify(${eventChannel}, '')`.execute(db)
