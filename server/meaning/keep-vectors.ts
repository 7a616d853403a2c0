import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Parts } from '../library.ts'
import { embedNext } from './embed-next.ts'
import { forgetWithdrawn } from './forget-withdrawn.ts'

/** What changes in a crowd is looked at together. */
const gather = 2000
/** How often to look even when nobody has told of a change. */
const glance = 60_000

/** Keeps the vectors of all who consent up with the words of their assets for as long as the server runs. */
export function keepVectors(parts: Parts, log: FastifyBaseLogger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  let waiting: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  function wake() {
    if (stopped.signal.aborted || waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      looking = looking
        .then(() => catchUp(parts, stopped.signal, (error) => log.warn({ err: error }, 'meaning')))
        .catch((error) => log.warn({ err: error }, 'meaning'))
    }, gather)
  }

  const unfollow = parts.newEvents.followAll(wake)
  const timer = setInterval(wake, glance)
  wake()
  return {
    async stop() {
      stopped.abort()
      unfollow()
      clearInterval(timer)
      clearTimeout(waiting)
      await looking
    },
  }
}

/** Until nothing is left to do: a few assets of each client in turn. */
export async function catchUp(
  parts: Parts,
  stopped = new AbortController().signal,
  failed: (error: unknown) => void = () => {},
): Promise<void> {
  if (!(await hasVectors(parts))) return
  await forgetWithdrawn(parts.db)
  const { meaning } = parts
  if (!meaning || !(await somebodyConsents(parts, meaning.host))) return
  const { model } = await meaning.space()
  for (;;) {
    const clients = await clientsBehind(parts, meaning.host, model)
    if (clients.length === 0) return
    for (const clientId of clients) {
      if (stopped.aborted) return
      const began = Date.now()
      const isLate = await embedNext(parts, meaning, clientId).catch((error) => {
        failed(error)
        return false
      })
      // Whoever makes the vectors has other things to do than what was there before.
      if (isLate)
        await pause(Math.min(5000, Date.now() - began), undefined, { signal: stopped }).catch(() => {})
    }
  }
}

/** A database that once had them keeps them until nobody consents, even where they are not wanted any more. */
async function hasVectors({ db }: Parts): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('asset_vectors') is not null as there`.execute(db)
  return rows[0]!.there
}

async function somebodyConsents({ db }: Parts, host: string): Promise<boolean> {
  const { rows } = await sql`select from ai_consents where host = ${host} limit 1`.execute(db)
  return rows.length > 0
}

async function clientsBehind({ db }: Parts, host: string, model: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.client_id as id from ai_consents c left join asset_vectors_progress p on p.client_id = c.client_id
    where c.host = ${host} and (p.client_id is null or p.leased_until <= now())
      and (p.model is distinct from ${model} or not p.is_done
        or exists (select from asset_vectors_due d where d.client_id = c.client_id))
    order by c.client_id`.execute(db)
  return rows.map(({ id }) => id)
}
