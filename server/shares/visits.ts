import { sql } from 'kysely'
import type { Origin } from '../changes/audit-trail.ts'
import { change } from '../library.ts'
import type { OpenedShare } from './share-link.ts'

/** So many of each link are kept. */
const mostVisits = 50

/** Keeps that somebody opened the link. Who comes again within the hour is counted, and told of no more. */
export async function countVisit(share: OpenedShare, origin: Origin): Promise<void> {
  const { link, library } = share
  const network = origin.address
  const browser = browserOf(origin.userAgent ?? '')
  const caller = { ...library.caller, origin: { ...origin, userAgent: browser } }
  await change({ ...library, caller }, async (its) => {
    await its.trx
      .updateTable('share_links')
      .set({ open_count: sql`open_count + 1`, last_opened_at: new Date() })
      .where('client_id', '=', link.client_id)
      .where('id', '=', link.id)
      .execute()
    const visits = sql`client_id = ${link.client_id} and share_link_id = ${link.id}`
    const { rows: lately } = await sql`select from share_link_visits where ${visits}
      and network = ${network} and browser = ${browser} and visited_at > now() - interval '1 hour'`.execute(
      its.trx,
    )
    await its.trx
      .insertInto('share_link_visits')
      .values({ client_id: link.client_id, share_link_id: link.id, network, browser })
      .execute()
    await sql`delete from share_link_visits where ${visits} and id <= (
      select id from share_link_visits where ${visits} order by id desc offset ${mostVisits} limit 1)`.execute(
      its.trx,
    )
    if (lately.length === 0) its.tell('share-link.opened', link.id, { title: link.title, network, browser })
  })
}

// The first that fits: most say that they are several.
const families: [string, RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
]
const systems: [string, RegExp][] = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux|X11/],
]

/** The family of a browser and its system; no version, which would tell people apart. */
export function browserOf(userAgent: string): string {
  const first = (names: [string, RegExp][]) => names.find(([, says]) => says.test(userAgent))?.[0]
  return [first(families), first(systems)].filter(Boolean).join(', ')
}
