import type { Attribution, LandingPage, LandingPageInput } from '../../contract/diagnostics.ts'
import { keptUrl } from '../../contract/http-url.ts'
import { plainly } from '../../contract/words.ts'
import { visibleClient } from '../access/visible.ts'
import { changePlatform } from '../changes/platform.ts'
import type { Db } from '../db/database.ts'
import type { Caller } from '../library.ts'
import { notFound, Problem } from '../problems.ts'
import { creditFor } from './credit.ts'

export async function listLandingPages(db: Db): Promise<LandingPage[]> {
  const rows = await db.selectFrom('landing_pages').selectAll().orderBy('slug').execute()
  return rows.map(({ slug, client_id, url, title, updated_at }) => ({
    slug,
    clientId: client_id,
    url,
    title,
    updatedAt: updated_at.toISOString(),
  }))
}

export async function putLandingPage(
  db: Db,
  caller: Caller,
  slug: string,
  input: LandingPageInput,
): Promise<LandingPage> {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(slug))
    throw new Problem('invalid-request', 'A slug has up to 100 small letters, digits and hyphens.')
  const clientId = await visibleClient(db, caller, input.clientId)
  const url = keptUrl(input.url)!
  const title = plainly(input.title)
  const columns = { client_id: clientId, url, title, updated_at: new Date() }
  await changePlatform(db, caller, async ({ trx, note }) => {
    await trx
      .insertInto('landing_pages')
      .values({ slug, ...columns })
      .onConflict((conflict) => conflict.column('slug').doUpdateSet(columns))
      .execute()
    note({
      action: 'landing-page.set',
      thing: slug,
      clientId,
      name: title,
      details: { url },
    })
  })
  return { slug, clientId, url, title, updatedAt: columns.updated_at.toISOString() }
}

/** The landing page, and what this request tells about where its visitor came from. */
export async function attributionOf(
  db: Db,
  slug: string,
  query: Record<string, unknown>,
  referrer: string | undefined,
): Promise<Attribution> {
  const page = await db
    .selectFrom('landing_pages')
    .select(['slug', 'title', 'url'])
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (!page) throw notFound('No landing page')
  const read = (name: string): string | null => {
    const [value] = [query[name]].flat()
    return typeof value === 'string' && value !== '' ? value.slice(0, 500) : null
  }
  const attribution = {
    utmSource: read('utm_source'),
    utmMedium: read('utm_medium'),
    utmCampaign: read('utm_campaign'),
    utmTerm: read('utm_term'),
    utmContent: read('utm_content'),
    gclid: read('gclid'),
    fbclid: read('fbclid'),
    referrer: referrer?.slice(0, 2000) ?? null,
  }
  return { ...page, attribution, creditedTo: creditFor(attribution) }
}
