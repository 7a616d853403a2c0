import type { Outbound, OutboundAnswer, OutboundRequest } from '../../outbound/outbound.ts'
import { jsonIn } from './answers.ts'
import { withoutSlash } from './path.ts'

export interface WordpressRequest extends Partial<Omit<OutboundRequest, 'method' | 'url'>> {
  params?: Record<string, string>
}

export type AskWordpress = (
  method: OutboundRequest['method'],
  route: string,
  more?: WordpressRequest,
) => Promise<OutboundAnswer>

/**
 * A way to the REST API of a site, wherever that is: below /wp-json/ as a rule; else where the site's own page says, or
 * in a parameter of any page (plain permalinks).
 */
export function wordpressSite(outbound: Outbound, siteUrl: string, authorization: string): AskWordpress {
  const site = withoutSlash(siteUrl)
  let root = `${site}/wp-json/`
  let isSure = false

  const call: AskWordpress = (method, route, { params = {}, headers, ...more } = {}) =>
    outbound.send({
      method,
      url: within(root, route, params),
      ...slowSite,
      ...more,
      headers: { authorization, accept: 'application/json', ...headers },
    })

  /** Asked without the login: this may be anybody's page. */
  async function discover(): Promise<string> {
    const page = await outbound.send({ method: 'GET', url: `${site}/`, ...slowSite })
    const own = new URL(site)
    const named = rootIn(page, site)
    if (named?.hostname !== own.hostname) return `${site}/?rest_route=/`
    // A site behind a proxy may not know that it is called by https.
    return `${own.origin}${named.pathname}${named.search}`
  }

  return async (method, route, more) => {
    const answer = await call(method, route, more)
    if (isSure || method !== 'GET' || !isElsewhere(answer)) return answer
    isSure = true
    root = await discover()
    return call(method, route, more)
  }
}

/** A site that takes a minute for each answer still answers. */
const slowSite = { idleSeconds: 180, totalSeconds: 180 }

function within(root: string, route: string, params: Record<string, string>): string {
  const url = new URL(root)
  const place = url.searchParams.get('rest_route')
  if (place === null) url.pathname += route
  else url.searchParams.set('rest_route', `${place.replace(/\/*$/, '/')}${route}`)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}

const isElsewhere = ({ status, text }: OutboundAnswer) =>
  (status === 404 || (status >= 200 && status < 300)) && jsonIn(text) === undefined

const rel = 'https://api.w.org/'

/** Where a page says that the API is, in its head or in its header. */
function rootIn({ headers, text }: OutboundAnswer, site: string): URL | undefined {
  const link = headers.link?.split(',').find((one) => one.includes(`"${rel}"`))
  const tag = text.match(/<link\b[^>]{0,2000}>/gi)?.find((one) => one.includes(rel))
  const address = /<([^>]+)>/.exec(link ?? '')?.[1] ?? /href=["']([^"']+)["']/i.exec(tag ?? '')?.[1]
  const url = address?.replaceAll('&amp;', '&').replaceAll('&#038;', '&')
  return url && URL.canParse(url, site) ? new URL(url, site) : undefined
}
