import { sorts } from '../contract/search.ts'
import { dice } from '../test/dice.ts'
import { type Seeded, tags } from './million-seed.ts'

type Query = Record<string, string | number | boolean>

/** Where it is, or how that is found out. */
export type Page = [name: string, path: string | (() => Promise<string>)]

export interface Answer {
  assets: { assetId: string }[]
  nextCursor: string | null
}

/** Pages of a library under an address, whose answers may be needed to know others. */
export type Pages = (
  at: string,
  seeded: Seeded,
  ask: (path: string) => Promise<Answer>,
) => Page[] | Promise<Page[]>

const single = ({ below, collectionId, uploader }: Seeded): Record<string, Query> => ({
  everywhere: {},
  'common tag': { tag: tags.common },
  'tag of few': { tag: tags.middle },
  'rare tag': { tag: tags.rare },
  'tag of years ago': { tag: tags.old },
  'absent tag': { tag: 'nowhere' },
  'kind image': { mimeType: 'image/*' },
  'kind video': { mimeType: 'video/*' },
  'type of years ago': { mimeType: 'image/gif' },
  'absent type': { mimeType: 'image/avif' },
  'busy uploader': { uploader: uploader.busy },
  'rare uploader': { uploader: uploader.rare },
  portrait: { orientation: 'portrait' },
  'ratio 1:1': { ratio: '1:1' },
  'absent ratio': { ratio: '9:16' },
  'large files': { minBytes: 30_000_000 },
  'small files': { maxBytes: 31_000 },
  'absent size': { minBytes: 1e12 },
  'wide pictures': { minWidth: 5000 },
  'absent width': { minWidth: 20_000 },
  'absent height': { minHeight: 20_000 },
  'a month': { from: '2023-03-01', to: '2023-03-31' },
  'without alt text': { missingAltText: true },
  approved: { approval: 'approved' },
  'changes requested': { approval: 'changes-requested' },
  'rights ending': { rights: 'ending' },
  'rights ended': { rights: 'ended' },
  'for a surface': { surface: 'gbp' },
  used: { used: true },
  unused: { used: false },
  duplicates: { duplicates: true },
  'no duplicates': { duplicates: false },
  collection: { collectionId },
  'below a wide folder': { folderId: below.wide, below: true, everywhere: false },
  'below a middle folder': { folderId: below.middle, below: true, everywhere: false },
  'below a narrow folder': { folderId: below.narrow, below: true, everywhere: false },
})

const inWords = ({ word }: Seeded): Record<string, Query> => ({
  'common word': { q: word.common },
  'middle word': { q: word.middle },
  'rare word': { q: word.rare },
  'two common words': { q: `${word.common} img` },
  'common and rare word': { q: `${word.common} ${word.rare}` },
  'absent word': { q: 'zzyzx' },
  'misspelt word': { q: word.typo },
  'a number': { q: '4711' },
  'two letters': { q: 'ba' },
  'two absent letters': { q: 'xq' },
  'one absent letter': { q: 'ž'.normalize('NFC') },
  'no letters': { q: '##' },
})

const together = ({ folderId, below, collectionId, uploader, word }: Seeded): Record<string, Query> => ({
  'rare tag in a folder': { folderId, everywhere: false, tag: tags.rare },
  'video, 1:1': { mimeType: 'video/*', ratio: '1:1' },
  'video of years ago, absent': { mimeType: 'image/gif', from: '2026-01-01' },
  'tag of few, changes requested': { tag: tags.middle, approval: 'changes-requested' },
  'tag of few, rare uploader, portrait': {
    tag: tags.middle,
    uploader: uploader.rare,
    orientation: 'portrait',
  },
  'used, changes requested': { used: true, approval: 'changes-requested' },
  'duplicates, rare uploader': { duplicates: true, uploader: uploader.rare },
  'common word, rare tag': { q: word.common, tag: tags.rare },
  'rare word, portrait': { q: word.rare, orientation: 'portrait' },
  'rare word below a wide folder': { folderId: below.wide, below: true, everywhere: false, q: word.rare },
  'common word below a narrow folder': {
    folderId: below.narrow,
    below: true,
    everywhere: false,
    q: word.common,
  },
  'changes requested below a wide folder': {
    folderId: below.wide,
    below: true,
    everywhere: false,
    approval: 'changes-requested',
  },
  'rare word in a collection': { collectionId, q: word.rare },
  'common word, large files': { q: word.common, minBytes: 30_000_000 },
  'common tag, rights ended': { tag: tags.common, rights: 'ended' },
})

/** What else there is of a client. */
const pagesBeside = {
  'duplicates page, exact': 'duplicates',
  'duplicates page, near': 'duplicates?kind=near',
  reviews: 'reviews',
  'reviews, mine': 'reviews?mine=true',
  'reviews, one of mine counted': 'reviews?mine=true&limit=1',
  'reviews, approved': 'reviews?approval=approved',
  'reviews, changes requested': 'reviews?approval=changes-requested',
  activity: 'activity',
  'activity, together': 'activity?together=true',
  trash: 'assets?trashed=true',
  'what emptying the trash removes': 'assets/trash',
  'folder tree': 'assets/folders',
  'counts of folders': 'assets/folders/counts',
  'counts of folders in the trash': 'assets/folders/counts?trashed=true',
  'table of texts': 'assets/words?everywhere=true',
  deliveries: 'deliveries',
  'failed deliveries': 'deliveries?status=failed',
  collections: 'collections',
  'share links': 'share-links',
  connections: 'connections',
  'saved searches': 'saved-searches',
  'upload requests': 'upload-requests',
  'waiting room': 'waiting-room',
  'kept groups': 'duplicates/kept-groups',
  'pull grants': 'pull-grants',
  suggestions: 'suggestions',
  uploads: 'assets/upload-limits',
}

const pathOf = (at: string, query: Query) =>
  `${at}?${new URLSearchParams(Object.entries({ everywhere: true, ...query }).map(([key, value]) => [key, String(value)]))}`

/** Each kind of page there is, by what a person would call it. */
export const eachPage: Pages = async (at, seeded, ask) => {
  const { folderId } = seeded
  const filters = { ...single(seeded), ...inWords(seeded), ...together(seeded) }
  const path = (query: Query) => pathOf(at, query)
  const found: Page[] = [['plain folder page', `${at}?folderId=${folderId}`]]
  for (const [name, query] of Object.entries(filters))
    for (const sort of sorts)
      if (sort !== 'relevance' || query.q) found.push([`${name}, ${sort}`, path({ ...query, sort })])
  for (const name of [
    'everywhere',
    'common tag',
    'kind video',
    'rare uploader',
    'below a middle folder',
    'common word',
  ])
    for (const sort of ['newest', 'title', 'size'])
      found.push([`${name}, ${sort}, deep`, () => deep(path({ ...filters[name], sort }), ask)])
  for (const [name, query] of Object.entries(filters))
    found.push([`${name}, counted`, path({ ...query, countUpTo: 10_000, limit: 1 })])
  for (const name of ['everywhere', 'common tag', 'kind video', 'used', 'common word'])
    found.push([`count: ${name}`, path({ ...filters[name], count: true })])
  const { assets } = await ask(path({}))
  found.push(['similar', `${at}/${assets[0]!.assetId}/similar`])
  for (const [name, beside] of Object.entries(pagesBeside)) found.push([name, at.replace(/assets$/, beside)])
  const reviews = at.replace(/assets$/, 'reviews')
  for (const query of ['', 'mine=true', 'approval=approved'])
    found.push([`reviews ${query}, deep`, () => deep(`${reviews}?${query}`, ask)])
  found.push(['uploaders', `${at}/uploaders`], ['tags to choose from', `${at}/tags?q=tag`])
  return found
}

/** Two or three filters that nobody thought of together, in some order: as many as are asked for, the same of each seed. */
export const combined =
  (count: number, seed: number): Pages =>
  (at, seeded) => {
    const chance = dice(seed)
    const filters = Object.entries({ ...single(seeded), ...inWords(seeded) }).slice(1)
    return Array.from({ length: count }, () => {
      const query: Query = {}
      const names: string[] = []
      for (const wanted = 2 + chance.below(2); names.length < wanted; ) {
        const [name, its] = chance.of(filters)
        if (Object.keys(its).some((key) => key in query)) continue
        Object.assign(query, its)
        names.push(name)
      }
      const sort = chance.of(sorts.filter((one) => one !== 'relevance' || query.q))
      return [[...names, sort].join(', '), pathOf(at, { ...query, sort })]
    })
  }

/** Twenty pages of two hundred further on. */
async function deep(path: string, ask: (path: string) => Promise<Answer>): Promise<string> {
  let cursor = ''
  for (let page = 0; page < 20; page++) {
    const { nextCursor } = await ask(`${path}&limit=200${cursor && `&cursor=${cursor}`}`)
    if (!nextCursor) break
    cursor = nextCursor
  }
  return `${path}&cursor=${cursor}`
}
