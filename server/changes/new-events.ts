import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type { Database, Reader } from '../db/database.ts'

/** Channel on which every node hears which client has news. */
export const newsChannel = 'library_news'

/** Says which client has news, whichever node made them. */
export interface News {
  /** Calls back whenever there may be something new for the client. */
  follow(clientId: string, wake: () => void): () => void
  /** The same for news of any client. */
  followAll(wake: () => void): () => void
  /** Calls back whenever somebody's rights may have changed. */
  followRights(wake: () => void): () => void
}

const everybody = Symbol('everybody')
const rights = Symbol('rights')

export async function openNews(database: Database): Promise<News> {
  const followers = new EventEmitter().setMaxListeners(0)
  await database.listen(newsChannel, (clientId) => {
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
export const rightsChanged = (db: Reader) => sql`select pg_notify(${newsChannel}, '')`.execute(db)
