import type { Attribution } from '../../contract/diagnostics.ts'

type Read = Attribution['attribution']

interface Rule {
  channel: string
  because: string
  applies(read: Read): boolean
  source?: string
}

const searchEngines = /(^|\.)(google|bing|duckduckgo|ecosia|yahoo|baidu|yandex)\./
const socialSites = /(^|\.)(facebook|instagram|linkedin|tiktok|twitter|x|t|pinterest|youtube)\.(com|co)$/

/** Who is credited, in the order in which the signs are believed. */
const rules: Rule[] = [
  { channel: 'google-ads', because: 'gclid is there', applies: ({ gclid }) => !!gclid, source: 'google' },
  { channel: 'meta-ads', because: 'fbclid is there', applies: ({ fbclid }) => !!fbclid, source: 'facebook' },
  {
    channel: 'paid',
    because: 'utm_medium is a paid one',
    applies: ({ utmMedium }) => /^(cpc|ppc|cpm|paid.*|display)$/i.test(utmMedium ?? ''),
  },
  {
    channel: 'email',
    because: 'utm_medium is email',
    applies: ({ utmMedium }) => /^e-?mail$/i.test(utmMedium ?? ''),
  },
  {
    channel: 'social',
    because: 'utm_medium is social',
    applies: ({ utmMedium }) => /^social/i.test(utmMedium ?? ''),
  },
  { channel: 'campaign', because: 'utm_source is there', applies: ({ utmSource }) => !!utmSource },
  {
    channel: 'organic-search',
    because: 'the referrer is a search engine',
    applies: (read) => searchEngines.test(hostOf(read)),
  },
  {
    channel: 'organic-social',
    because: 'the referrer is a social site',
    applies: (read) => socialSites.test(hostOf(read)),
  },
  { channel: 'referral', because: 'the referrer is another site', applies: (read) => hostOf(read) !== '' },
  { channel: 'direct', because: 'nothing tells where the visitor came from', applies: () => true },
]

export function creditFor(read: Read): Attribution['creditedTo'] {
  const rule = rules.find(({ applies }) => applies(read))!
  return {
    channel: rule.channel,
    source: read.utmSource ?? rule.source ?? (hostOf(read) || null),
    campaign: read.utmCampaign,
    because: rule.because,
  }
}

const hostOf = ({ referrer }: Read) => (referrer && URL.canParse(referrer) ? new URL(referrer).hostname : '')
