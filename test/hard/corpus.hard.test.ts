import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { type Person, person, puts } from '../person.ts'
import { startProcess } from './process.ts'
import { experiment } from './table.ts'

interface Sample {
  file: string
  type: string
  claimedMime: string
  expect: 'accept' | 'reject' | 'accept-sanitised' | 'policy' | 'no-crash'
}

interface Outcome {
  verdict: 'shown' | 'accepted, not shown' | 'refused' | 'fault'
  code: string
  seconds: number
}

const folder = process.env.CORPUS_DIR ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
const samples: Sample[] = existsSync(join(folder, 'MANIFEST.jsonl'))
  ? readFileSync(join(folder, 'MANIFEST.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []

describe.skipIf(samples.length === 0)(`${samples.length} files of the corpus, through the API`, async () => {
  if (samples.length === 0) return
  const server = await startProcess()
  afterAll(() => server.stop())
  const admin = person(server.url, { cookie: server.cookie })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Corpus' })).body
  const operator = admin.at({ assets: `/admin/clients/${clientId}/assets`, events: '' })
  const outcomes = new Map<Sample, Outcome>()
  const peak = { memoryMb: 0, lagMs: 0 }
  // What this process lags behind by the machine's doing, the server does too.
  const control = monitorEventLoopDelay({ resolution: 10 })

  test('each comes to an end: shown, or refused with a problem', { timeout: 1_200_000 }, async () => {
    control.enable()
    const watch = setInterval(async () => {
      peak.memoryMb = Math.max(
        peak.memoryMb,
        (await server.metric('process_resident_memory_bytes')) / 1024 ** 2,
      )
      peak.lagMs = Math.max(peak.lagMs, (await server.metric('nodejs_eventloop_lag_p99_seconds')) * 1000)
    }, 1000)
    const queue = samples.values()
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const sample of queue) outcomes.set(sample, await outcomeOf(operator, sample))
      }),
    )
    clearInterval(watch)
    control.disable()
    console.log(table(outcomes))
    const slowest = Math.max(...[...outcomes.values()].map(({ seconds }) => seconds))
    console.log(
      `API process: ${peak.memoryMb.toFixed(0)} MB at most, event-loop lag (p99) ${peak.lagMs.toFixed(0)} ms at most; slowest file ${slowest.toFixed(1)} s`,
    )
    expect(named(({ verdict }) => verdict === 'fault')).toEqual([])
  })

  test('what is to be accepted is shown', () => {
    expect(named(({ verdict }, wanted) => wanted.startsWith('accept') && verdict !== 'shown')).toEqual([])
  })

  test('what is to be rejected is refused', () => {
    expect(named(({ verdict }, wanted) => wanted === 'reject' && verdict !== 'refused')).toEqual([])
  })

  test('the API process stays small and quick', () => {
    expect(peak.memoryMb).toBeLessThan(400)
    expect(peak.lagMs - control.percentile(99) / 1e6).toBeLessThan(100)
  })

  test('no refused file left anything behind', async () => {
    const accepted = [...outcomes.values()].filter(({ verdict }) => verdict !== 'refused').length
    let [count, cursor] = [0, '']
    do {
      const { body } = await operator.lists({ limit: 200, ...(cursor && { cursor }) })
      count += body.assets.length
      cursor = body.nextCursor
    } while (cursor)
    const { body } = await operator.get(`${operator.door.assets}/upload-limits`)
    experiment({
      experiment: 'bad media',
      load: `${samples.length} files, 4 at a time`,
      faults: 'what the files are',
      lost: Math.max(accepted - count, 0),
      leaked: Math.max(count - accepted, 0),
    })
    expect(count).toBe(accepted)
    expect(body.quota.reservedBytes).toBe(0)
  })

  const named = (isFault: (found: Outcome, wanted: Sample['expect']) => boolean) =>
    [...outcomes]
      .filter(([sample, found]) => isFault(found, sample.expect))
      .map(([sample, found]) => [sample.file, found])
})

async function outcomeOf(operator: Person, { file, claimedMime }: Sample): Promise<Outcome> {
  const start = performance.now()
  const answer = (verdict: Outcome['verdict'], code = ''): Outcome => ({
    verdict,
    code,
    seconds: (performance.now() - start) / 1000,
  })
  const bytes = await readFile(join(folder, file))
  const opened = await operator.opensUpload({
    originalFilename: file,
    mimeType: claimedMime,
    expectedSizeBytes: bytes.length,
  })
  if (opened.status === 400) return answer('refused', opened.body.code)
  await puts(opened.body, bytes)
  const finalized = await operator.finalizes(opened.body.uploadToken)
  if (finalized.status >= 500 || !(finalized.status < 300 || finalized.body.code))
    return answer('fault', JSON.stringify(finalized.body))
  if (finalized.status >= 400) return answer('refused', finalized.body.code)
  const preview = await operator.fetch(
    `${operator.door.assets}/${finalized.body.assetId}/preview?size=thumb`,
    { headers: { accept: 'image/webp' } },
  )
  const picture = Buffer.from(await preview.arrayBuffer())
  if (preview.status === 200)
    return picture.subarray(8, 12).toString() === 'WEBP' ? answer('shown') : answer('fault', 'not a WebP')
  return preview.status < 500
    ? answer('accepted, not shown', JSON.parse(picture.toString()).code)
    : answer('fault', picture.toString())
}

function table(outcomes: Map<Sample, Outcome>): string {
  const rows = Map.groupBy(outcomes, ([{ type, expect }]) => `${type.padEnd(6)}${expect.padEnd(18)}`)
  const count = (found: [Sample, Outcome][], verdict: Outcome['verdict']) =>
    String(found.filter(([, outcome]) => outcome.verdict === verdict).length).padStart(10)
  const head = `${'type'.padEnd(6)}${'expected'.padEnd(18)}${['shown', 'not shown', 'refused', 'fault'].map((word) => word.padStart(10)).join('')}`
  const body = [...rows]
    .sort()
    .map(
      ([name, found]) =>
        name +
        (['shown', 'accepted, not shown', 'refused', 'fault'] as const)
          .map((verdict) => count(found, verdict))
          .join(''),
    )
  return [head, ...body].join('\n')
}
