import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const ground = [
  'db',
  'storage',
  'media',
  'jobs',
  'http',
  'changes',
  'telemetry',
  'outbound',
  'mail',
  'malware',
  'ai',
]

/** Files at the root of the server that put rooms together; all others there are ground. */
const wiring = ['main.ts', 'app.ts', 'parts.ts', 'background.ts', 'job-handlers.ts', 'requeue.ts', 'demo.ts']

/** Which room leans on which, by its imports or by naming its tables: as it is drawn in docs/house.md. */
const drawn = drawing()

/** Whose table it is. Those that are not named here belong to every change, or to the ground. */
const ownerOf: Record<string, string> = {
  users: 'access',
  user_clients: 'access',
  api_keys: 'access',
  api_key_clients: 'access',
  agent_tokens: 'access',
  picker_tokens: 'access',
  agent_apps: 'agent-sign-in',
  agent_codes: 'agent-sign-in',
  login_sessions: 'access',
  login_attempts: 'access',
  login_links: 'access',
  login_steps: 'access',
  login_identities: 'access',
  passkeys: 'access',
  recovery_codes: 'access',
  folders: 'folders',
  assets: 'assets',
  asset_versions: 'assets',
  asset_looks: 'assets',
  merged_assets: 'assets',
  picture_texts: 'assets',
  // The place of an asset in a collection, as its folder is one.
  collection_assets: 'assets',
  collections: 'collections',
  kept_groups: 'duplicates',
  kept_group_assets: 'duplicates',
  batches: 'assets',
  batch_chunks: 'assets',
  uses: 'uses',
  use_refs: 'uses',
  upload_sessions: 'uploads',
  derived_files: 'previews',
  connections: 'connections',
  connection_sign_ins: 'connections',
  deliveries: 'ledger',
  pull_grants: 'deliveries',
  suggestions: 'suggestions',
  suggestion_settings: 'suggestions',
  suggestion_days: 'suggestions',
  suggestion_runs: 'suggestions',
  suggestion_wishes: 'suggestions',
  saved_searches: 'saved-searches',
  asset_words: 'assets',
  asset_tags: 'assets',
  tagged_assets: 'assets',
  listed_assets: 'assets',
  alike_assets: 'duplicates',
  asset_vectors: 'assets',
  asset_vectors_due: 'assets',
  asset_vectors_progress: 'assets',
  share_links: 'shares',
  share_link_assets: 'shares',
  share_link_visits: 'shares',
  downloads: 'downloads',
  download_files: 'downloads',
  comments: 'review',
  comment_mentions: 'review',
  upload_requests: 'upload-requests',
  guest_files: 'upload-requests',
  webhooks: 'webhooks',
  webhook_cursors: 'webhooks',
  webhook_set_aside: 'webhooks',
  mcp_subscriptions: 'mcp',
  agent_runtimes: 'agents',
  ads_connections: 'ads',
  landing_pages: 'landing-pages',
  notifications: 'notifications',
  notification_settings: 'notifications',
  notification_cursors: 'notifications',
}

/** What every room of the web app may use: its words, and the loose files that are not wiring. */
const webGround = ['words']
const webWiring = ['main.tsx', 'providers.tsx', 'router.tsx', 'theme.ts']

const files = globSync('{contract,server,web,cli,agents,bench,demo}/**/*.{ts,tsx,js}', {
  exclude: ['**/node_modules/**', 'agents/dist/**'],
})
  .map(normalize)
  .filter((file) => !/\.test\.tsx?$|\/fixtures\//.test(file))

test('the rules look at the source', () => {
  for (const known of [
    'contract/words.ts',
    'server/app.ts',
    'server/folders/tree.ts',
    'web/pages/library-page.tsx',
    'cli/serve.ts',
  ])
    expect(files).toContain(known)
})

test('the rules see every way to lean on another file or table, and a way round', () => {
  expect(
    importedIn(`
      import './a.ts'
      import type { B } from './b.ts'
      import {
        c, // it's in the way
      } from "./c.ts"
      export * from './d.ts'
      export type { E } from './e.ts'
      type F = typeof import('./f.ts')
      const g = () => import(\`./g.ts\`)
      const h = new URL('./h.ts', import.meta.url)`),
  ).toEqual([...'abcdefgh'].map((name) => `./${name}.ts`))
  expect(
    tablesIn(`
      db.selectFrom('a as x').innerJoin('b', 'b.id', 'x.id')
      db.selectFrom(['c', 'd as y'])
      sql\`delete from e using f where exists (select from g join h on true)\``),
  ).toEqual(expect.arrayContaining([...'abcdefgh']))
  expect(circlesIn({ a: ['b'], b: ['c'], c: ['b'] })).toEqual(['b → c → b'])
})

test('contract imports only its schema library and itself', () => {
  const others = importsOf('contract').filter(
    ({ what }) => what !== 'typebox' && !what.startsWith('contract/'),
  )
  expect(others).toEqual([])
})

test('web imports only contract, itself and packages', () => {
  const others = importsOf('web').filter(({ what, ours }) => ours && !/^(web|contract)\//.test(what))
  expect(others).toEqual([])
})

test('what authors of agents import leans on the contract only', () => {
  const others = importsOf('agents').filter(({ what, ours }) => ours && !/^(agents|contract)\//.test(what))
  expect(others).toEqual([])
})

test('server never imports web, nor the command line, benches, agents, the demo or tests', () => {
  const others = importsOf('server').filter(
    ({ file, what }) => /^(web|cli|bench|agents|demo|test)\//.test(what) && file !== 'server/demo.ts',
  )
  expect(others).toEqual([])
})

test('ground never looks up to a room', () => {
  const upwards = [...importsOf('server'), ...importsOf('web')].filter(
    ({ file, what }) => isGround(file) && roomOf(what) !== undefined,
  )
  expect(upwards).toEqual([])
})

test('neither a room nor ground looks up to what puts them together', () => {
  const upwards = importsOf('').filter(
    ({ file, what }) => /^(server|web)\//.test(file) && isWiring(what) && !isWiring(file),
  )
  expect(upwards).toEqual([])
})

test('no file reaches itself again through its imports, types included', () => {
  const below: Record<string, string[]> = {}
  for (const { file, what, ours } of importsOf('')) if (ours) below[file] = [...(below[file] ?? []), what]
  expect(circlesIn(below)).toEqual([])
})

describe.each([
  { side: 'server', drawn: drawn.Server! },
  { side: 'web', drawn: drawn['Web app']! },
])('rooms of $side', ({ side, drawn }) => {
  const rooms = [
    ...new Set(
      filesIn(side)
        .map(roomOf)
        .filter((room) => room !== undefined),
    ),
  ].sort()

  test('are all drawn', () => {
    expect(Object.keys(drawn).sort()).toEqual(rooms)
  })

  test('reach themselves again by no arrows', () => {
    expect(circlesIn(drawn)).toEqual([])
  })

  test.each(rooms)('%s leans on exactly what is drawn', (room) => {
    const imported = importsOf(`${side}/${room}`).map(({ what }) => roomOf(what))
    const leansOn = [...imported, ...tablesOf(`${side}/${room}`).map((table) => ownerOf[table])].filter(
      (other) => other !== undefined && other !== room,
    )
    expect([...new Set(leansOn)].sort()).toEqual([...(drawn[room] ?? [])].sort())
  })
})

test('only the router opens a page', () => {
  const others = importsOf('').filter(
    ({ file, what }) => /^web\/pages\/.*-page\.tsx$/.test(what) && file !== 'web/router.tsx',
  )
  expect(others).toEqual([])
})

test('ui knows words and looks, and nothing else of ours', () => {
  const others = importsOf('web/ui').filter(
    ({ what, ours }) => ours && !/^web\/(ui|words)\/|^web\/(store|once-there|try-again)\.ts$/.test(what),
  )
  expect(others).toEqual([])
})

test('one store serves whatever components follow outside React', () => {
  const subscribers = filesIn('web').filter((file) => /useSyncExternalStore/.test(readFileSync(file, 'utf8')))
  expect(subscribers).toEqual(['web/store.ts'])
})

test('nobody imports a routes.ts but app.ts', () => {
  const others = importsOf('server').filter(
    ({ file, what }) => what.endsWith('/routes.ts') && file !== 'server/app.ts',
  )
  expect(others).toEqual([])
})

test('only main.ts, the command line and examples read the environment', () => {
  // A child process is given its PATH; that is no setting of ours.
  const readers = files.filter((file) =>
    /process\.(env(?!\.PATH\b)|loadEnvFile)/.test(readFileSync(file, 'utf8')),
  )
  expect(readers.filter((file) => !/^(server\/main\.ts$|cli\/|agents\/examples\/)/.test(file))).toEqual([])
})

/** The graphs of the page, by their headings: each room with those it points to. */
function drawing(): Record<string, Record<string, string[]>> {
  const page = readFileSync('docs/house.md', 'utf8')
  const graphs = page.matchAll(/^## (.+)$[\s\S]*?^graph TD\n([\s\S]*?)^```$/gm)
  return Object.fromEntries(
    [...graphs].map(([, heading, lines]) => [
      heading,
      Object.fromEntries(
        lines!
          .trim()
          .split('\n')
          .map((line) => line.trim().split(' --> '))
          .map(([room, others]) => [room, others?.split(' & ') ?? []]),
      ),
    ]),
  )
}

interface Import {
  file: string
  /** The path of one of our files, or the name of a package. */
  what: string
  ours: boolean
}

const filesIn = (folder: string) => files.filter((file) => folder === '' || file.startsWith(`${folder}/`))

function importsOf(folder: string): Import[] {
  return filesIn(folder).flatMap((file) =>
    importedIn(readFileSync(file, 'utf8')).map((name) => {
      const ours = name.startsWith('.')
      return { file, what: ours ? normalize(join(dirname(file), name)) : name, ours }
    }),
  )
}

/** Types and files that are only opened included. */
const importedIn = (text: string): string[] =>
  [...text.matchAll(/\bfrom\s*['"]([^'"]+)['"]|\b(?:import|new URL)\s*\(?\s*['"`]([^'"`]+)['"`]/g)].map(
    ([, from, bare]) => (from ?? bare)!,
  )

/** The tables that a room's statements name, written with the query builder or in SQL. */
function tablesOf(room: string): string[] {
  if (!room.startsWith('server/')) return []
  return filesIn(room).flatMap((file) => tablesIn(readFileSync(file, 'utf8')))
}

const tablesIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:selectFrom|updateTable|(?:insert|merge)Into|deleteFrom|[uU]sing|Join)\(\s*((?:\[|[\s,]|'[^']*')+)|\b(?:from|join|update|into|using) ([a-z_]+)/g,
    ),
  ].flatMap(([, built, written]) =>
    written ? [written] : [...built!.matchAll(/'([a-z_]+)/g)].map(([, table]) => table!),
  )

/** Each way round on which somebody comes back to where they started. */
function circlesIn(below: Record<string, string[]>): string[] {
  const circles: string[] = []
  const finished = new Set<string>()
  const walk = (place: string, path: string[]) => {
    if (path.includes(place)) circles.push([...path.slice(path.indexOf(place)), place].join(' → '))
    if (path.includes(place) || finished.has(place)) return
    for (const next of below[place] ?? []) walk(next, [...path, place])
    finished.add(place)
  }
  for (const place of Object.keys(below)) walk(place, [])
  return circles
}

function roomOf(path: string): string | undefined {
  const [, side, folder] = /^(server|web)\/([^/]+)\/./.exec(path) ?? []
  return folder && !groundOf(side!).includes(folder) ? folder : undefined
}

function isGround(file: string): boolean {
  const [side, name, below] = file.split('/')
  return below ? groundOf(side!).includes(name!) : !isWiring(file)
}

const isWiring = (file: string) =>
  wiring.some((name) => file === `server/${name}`) || webWiring.some((name) => file === `web/${name}`)

const groundOf = (side: string) => (side === 'web' ? webGround : ground)
