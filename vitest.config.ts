import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import './test/install.ts'

// Hundreds of processes read the same source: what one has compiled, the next one finds.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

// Node runs the source as it is; so do the tests.
const oxc = { target: 'esnext' }
// What the files of a worker share ends with it.
const runner = './test/setup/end-of-worker.ts'
// In CI one race in three thousand tests is not to hold up everybody: a test gets a second try, and the run ends with
// the names of those that needed it.
const retry = process.env.CI ? 1 : 0
// A machine may be many times slower than the one a test was written on: only what hangs runs into these. Drills start
// whole processes one after the other.
const withDrills = ['drills', 'everywhere']
const limits = (mode: string) => ({
  retry,
  testTimeout: withDrills.includes(mode) ? 900_000 : 180_000,
  hookTimeout: withDrills.includes(mode) ? 900_000 : 300_000,
  expect: { poll: { timeout: 60_000, interval: 150 } },
})
const api = ['{server,test}/**/*.api.test.ts']
const hard = ['test/hard/**/*.hard.test.ts']
const wordpress = ['test/wordpress/**/*.wordpress.test.ts']
const image = ['test/image/**/*.image.test.ts']
const web = ['test/web/**/*.web.test.ts']
const day = ['test/day/**/*.day.test.ts']
const engines = ['test/engines/**/*.engines.test.ts']

const files = (names: string[], kind = 'api') => names.map((name) => `test/${name}.${kind}.test.ts`)

// What has been tried on one database has been tried: the shape of requests and answers, what watches the server,
// or what other files try on both. On the one where many requests are served at once, as a rule; the browser tests
// go through much of it on the other.
const onPostgresAlone = files([
  'access',
  'accounts',
  'agent-nodes',
  'agent-sign-in',
  'agents',
  'alike',
  'assets',
  'audit',
  'bad-bodies',
  'batches',
  'bins',
  'check',
  'collection-limits',
  'collections',
  'connections',
  'deliveries',
  'derived',
  'diagnostics',
  'duplicates',
  'endings',
  'events',
  'fairness',
  'films',
  'finding',
  'folders',
  'kept-groups',
  'killed-jobs',
  'logs',
  'lost-jobs',
  'mcp',
  'mcp-asking',
  'mcp-budgets',
  'mcp-eras',
  'mcp-tenants',
  'metrics',
  'model',
  'move-storage',
  'notifications',
  'ocr',
  'pages',
  'picker',
  'portable',
  'positions',
  'prepared',
  'posts',
  'previews',
  'provenance',
  'rate-limits',
  'references',
  'relevance',
  'replays',
  'review',
  'rolling-upgrade',
  'routes',
  'saved-searches',
  'schedules',
  'second-factor',
  'shares',
  'sign-in',
  'signing',
  'similar',
  'single-sign-on',
  'suggestions',
  'tenants',
  'traces',
  'unchanged',
  'upload-requests',
  'versions',
])
const onEmbeddedAlone = files([
  'agent-client',
  'attacks',
  'client-package',
  'corpus',
  'meaning',
  'odd-targets',
  'outgoing',
  'pull-grants',
  'remote-ids',
  'slow-sockets',
  'upkeep',
  'webhooks',
])
// What the other one has not: a line to be cut, a bucket, a second node.
const hasNoPlaceOnEmbedded = files([
  'database-away',
  'mcp-tasks',
  'parts',
  'pipeline',
  'read-once',
  'storage-key',
  'store-faults',
])

// What is tried before a release: npm run test:drills. Of other files what is tagged so, such as what is rare, or another
// way to what is tried in them every time.
const tag = { name: 'drill', description: 'tried before a release: npm run test:drills' }
const tagged = globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((file) =>
  readFileSync(file, 'utf8').includes("tags: 'drill'"),
)
const drills = [
  'cli/doctor.test.ts',
  'server/media/provenance/sign.test.ts',
  'test/agent-nodes.api.test.ts',
  'test/collection-limits.api.test.ts',
  'test/embedded-files.test.ts',
  'test/films.api.test.ts',
  'test/killed-jobs.api.test.ts',
  'test/live-backup.test.ts',
  'test/mcp-budgets.api.test.ts',
  'test/move-storage.api.test.ts',
  'test/package.test.ts',
  'test/portable.api.test.ts',
  'test/production-install.test.ts',
  'test/replays.api.test.ts',
  'test/rolling-upgrade.api.test.ts',
  'test/signing.api.test.ts',
  'test/storage-key.api.test.ts',
  'test/upgrades.test.ts',
  'test/web/accounts.web.test.ts',
  'test/web/addresses.web.test.ts',
  'test/web/audit.web.test.ts',
  'test/web/client-agents.web.test.ts',
  'test/web/crops.web.test.ts',
  'test/web/endings.web.test.ts',
  'test/web/large-folder.web.test.ts',
  'test/web/links.web.test.ts',
  'test/web/long-lists.web.test.ts',
  'test/web/said-and-shown.web.test.ts',
  'test/web/same-names.web.test.ts',
  'test/web/shortcuts.web.test.ts',
  'test/web/tall-list.web.test.ts',
]

// What starts many processes, asks every route many times, waits for clocks or goes a long way in a browser: npm run test:long, which follows
// npm test in CI.
const long = [
  'server/media/corpus.test.ts',
  'server/media/films/playable.test.ts',
  'server/media/process/pool.test.ts',
  'server/publishing/film-rendition.test.ts',
  'test/start.test.ts',
  ...files([
    'access',
    'accounts',
    'attacks',
    'bad-bodies',
    'client-package',
    'command-line',
    'deliveries',
    'endings',
    'logs',
    'lost-jobs',
    'mcp-tasks',
    'meaning',
    'notifications',
    'ocr',
    'odd-targets',
    'outgoing',
    'posts',
    'provenance',
    'read-once',
    'schedules',
    'shares',
    'sign-in',
    'store-faults',
    'webhooks',
  ]),
  ...files(
    [
      'web/access-for-all',
      'web/browsing',
      'web/choices',
      'web/collections',
      'web/connect-agent',
      'web/deliveries',
      'web/duplicates',
      'web/everything',
      'web/filters',
      'web/german',
      'web/live',
      'web/meaning',
      'web/missing-parts',
      'web/people',
      'web/phone',
      'web/picker',
      'web/picker-in-chat',
      'web/quick-look',
      'web/review',
      'web/screen-reader',
      'web/selection',
      'web/sheet',
      'web/shared-browser',
      'web/shares',
      'web/suggestions',
      'web/uploads',
      'web/versions',
      'web/words-in-pictures',
    ],
    'web',
  ),
]
const byName: Record<string, string[]> = { long, drills: [...drills, ...tagged] }
const kindOf = (file: string) => /\.(api|web)\./.exec(file)?.[1] ?? 'plain'

/** The files of a project, long ones or not as was asked for. */
const chosen = (mode: string, kind: 'plain' | 'api' | 'web', include: string[], exclude: string[] = []) => ({
  include: byName[mode]?.filter((file) => kindOf(file) === kind) ?? include,
  exclude: [...exclude, ...(mode === 'fast' ? [...long, ...drills] : []), '**/node_modules/**'],
})

// Whatever else talks to the API runs twice: on the embedded default, and on PostgreSQL with R2's S3 dialect; with
// `npm run test:everywhere`, all of it.
export default defineConfig(({ mode }) => ({
  test: {
    // One more than the cores it is made for: much of the time is spent waiting for jobs and for other processes.
    maxWorkers: 3,
    tags: [tag],
    tagsFilter: ['fast', 'long'].includes(mode) ? [`!${tag.name}`] : undefined,
    maxConcurrency: 10,
    reporters: ['default', './test/setup/closing-table.ts', './test/setup/closing-line.ts'],
    projects: [
      {
        oxc,
        test: {
          name: 'plain',
          ...chosen(
            mode,
            'plain',
            ['{server,contract,cli,test,web,agents}/**/*.test.ts'],
            [...api, ...hard, ...wordpress, ...image, ...web, ...day, ...engines],
          ),
          globalSetup: 'test/setup/postgres.ts',
          // The files have nothing in common but the code: it is read once a worker.
          isolate: false,
          ...limits(mode),
        },
      },
      {
        oxc,
        test: {
          name: 'embedded',
          runner,
          ...chosen(mode, 'api', api, [
            ...hasNoPlaceOnEmbedded,
            ...(mode === 'everywhere' ? [] : onPostgresAlone),
          ]),
          globalSetup: 'test/setup/embedded.ts',
          setupFiles: 'test/setup/as-promised.ts',
          env: { TEST_WORLD: 'embedded' },
          isolate: false,
          ...limits(mode),
        },
      },
      {
        oxc,
        test: {
          name: 'postgres',
          runner,
          ...chosen(mode, 'api', api, mode === 'everywhere' ? [] : onEmbeddedAlone),
          globalSetup: 'test/setup/postgres.ts',
          setupFiles: 'test/setup/as-promised.ts',
          env: { TEST_WORLD: 'postgres' },
          isolate: false,
          ...limits(mode),
        },
      },
      // The built app in a real browser, on the embedded default; where it goes a long way on PostgreSQL, which takes
      // less time for it. One file has R2's S3 dialect, too.
      {
        oxc,
        test: {
          name: 'web',
          runner,
          ...chosen(mode, 'web', web),
          globalSetup: ['test/setup/embedded.ts', 'test/setup/postgres.ts', 'test/setup/chromium.ts'],
          setupFiles: ['test/setup/needs-chromium.ts', 'test/setup/as-promised.ts'],
          env: mode in byName ? { TEST_WORLD: 'postgres', TEST_STORE: 'disk' } : { TEST_WORLD: 'embedded' },
          isolate: false,
          ...limits(mode),
          ...(!withDrills.includes(mode) && { testTimeout: 300_000 }),
        },
      },
      // A day of three people in three browsers, by name only: npm run test:day.
      {
        oxc,
        test: {
          name: 'day',
          runner,
          include: day,
          globalSetup: ['test/setup/embedded.ts', 'test/setup/chromium.ts'],
          setupFiles: 'test/setup/needs-chromium.ts',
          env: { TEST_WORLD: 'embedded' },
          ...limits(mode),
          testTimeout: 900_000,
        },
      },
      // The app in Firefox and WebKit, by name only: npm run test:engines.
      {
        oxc,
        test: {
          name: 'engines',
          runner,
          include: engines,
          globalSetup: 'test/setup/embedded.ts',
          env: { TEST_WORLD: 'embedded' },
          ...limits(mode),
        },
      },
      // Installs and starts a real WordPress, by name only: npm run test:wordpress.
      {
        oxc,
        test: {
          name: 'wordpress',
          runner,
          include: wordpress,
          globalSetup: 'test/setup/embedded.ts',
          env: { TEST_WORLD: 'embedded' },
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
      // Builds the container image and runs it, by name only: npm run test:image.
      {
        oxc,
        test: {
          name: 'image',
          include: image,
          fileParallelism: false,
          globalSetup: 'test/image/built.ts',
          env: { CONTAINERS_CONF: fileURLToPath(new URL('test/image/containers.conf', import.meta.url)) },
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
        },
      },
      // The long ones, by name only and one after the other, for they measure: npm run test:hard.
      {
        oxc,
        test: {
          name: 'hard',
          runner,
          include: hard,
          fileParallelism: false,
          globalSetup: 'test/setup/postgres.ts',
          env: { TEST_WORLD: 'postgres' },
          ...limits(mode),
        },
      },
    ],
  },
}))
