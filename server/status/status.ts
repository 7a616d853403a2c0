import type { Status } from '../../contract/diagnostics.ts'
import { when } from '../jobs/health.ts'
import type { Parts } from '../library.ts'
import { networkIsOpen } from '../media/process/confinement.ts'
import { Problem } from '../problems.ts'
import { secretsByKey } from '../reseal.ts'
import { version } from '../version.ts'

const startedAt = Date.now()
const timeoutMs = 3000

export async function platformStatus(
  parts: Parts,
  { aiAnswers = parts.ai?.check }: { aiAnswers?: (() => Promise<unknown>) | undefined } = {},
): Promise<Status> {
  const [database, storage, media, malware, ai, jobs, secrets] = await Promise.all([
    look(() => databaseAnswers(parts)),
    look(() => parts.store.check()),
    look(() => mediaIsWhole(parts)),
    look(() => parts.malware.check()),
    aiAnswers && look(() => aiIsWhole(parts, aiAnswers)),
    look(() => jobsAreDone(parts)),
    look(() => secretsOpen(parts)),
  ])
  const checks = { database, storage, media, malware, ...(ai && { ai }), jobs, secrets }
  const degraded = Object.values(checks).some((check) => check.status === 'degraded')
  return {
    status: degraded ? 'degraded' : 'ok',
    version,
    uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    checks,
  }
}

/** What anybody may know. */
export const withoutDetails = ({ checks, ...status }: Status): Status => ({
  ...status,
  checks: Object.fromEntries(
    Object.entries(checks).map(([name, { status }]) => [name, { status }]),
  ) as Status['checks'],
})

export const databaseAnswers = ({ db }: Parts): Promise<unknown> =>
  db.selectFrom('clients').select('id').limit(1).execute()

/** A database without pgvector is one that we do without: said, and no failure. */
async function aiIsWhole({ lacksVectors }: Parts, answers: () => Promise<unknown>): Promise<string> {
  const said = await answers()
  return lacksVectors ? `${said}. ${lacksVectors}` : String(said)
}

/** What decodes here, by name and version: to compare with security advisories. */
async function mediaIsWhole({ media, config }: Parts): Promise<string> {
  const { video, encoder, fix, confined, signatures, ...found } = await media.capabilities()
  const { sharp, libvips, libwebp, libheif, nodeAv, ffmpeg, tesseract, ocrFix } = found
  if (!confined.network) throw new Problem('internal-error', networkIsOpen)
  if (video === 'none')
    throw new Problem('internal-error', `Videos get a drawn tile instead of a poster. ${fix ?? ''}`.trim())
  if (encoder === 'none')
    throw new Problem(
      'internal-error',
      `Films that browsers do not play have no copy that they do. ${fix ?? ''}`.trim(),
    )
  if (signatures.problems.length > 0) throw new Problem('internal-error', signatures.problems.join(' '))
  const all = {
    sharp,
    libvips,
    libwebp,
    libheif,
    '@mediabunny/server': nodeAv,
    ffmpeg,
    'tesseract-wasm': tesseract,
  }
  const versions = Object.entries(all)
    .filter(([, version]) => version !== null)
    .map(([name, version]) => `${name} ${version}`)
  const lacking = config.ocr && ocrFix ? `. ${ocrFix}` : ''
  return [...versions, ...(signatures.signs ? [signatures.signs] : [])].join(', ') + lacking
}

async function jobsAreDone({ jobs }: Parts): Promise<string> {
  const { troubles, lastRuns } = await jobs.health()
  if (troubles.length > 0) throw new Problem('internal-error', troubles.join(' '))
  return lastRuns
    .map(({ name, lastSucceededAt: last }) => `${name} ${last ? `last done ${when(last)}` : 'not due yet'}`)
    .join(', ')
}

/** What connections and webhooks keep sealed is worth nothing without the key it was sealed with. */
async function secretsOpen({ db, sealer }: Parts): Promise<void> {
  const { unreadable } = await secretsByKey(db, sealer)
  if (unreadable.length > 0)
    throw new Problem(
      'secret-key-changed',
      `${unreadable.length} ${unreadable.length === 1 ? 'secret' : 'secrets'} of connections and webhooks cannot be opened: sealed with another SECRET_KEY. Set it as SECRET_KEY_PREVIOUS and restart, or enter them anew.`,
    )
}

async function look(check: () => Promise<unknown>): Promise<{ status: 'ok' | 'degraded'; detail?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs / 1000} seconds.`)), timeoutMs)
  })
  try {
    const said = await Promise.race([check(), late])
    return { status: 'ok', ...(typeof said === 'string' && { detail: said }) }
  } catch (error) {
    const cause = error instanceof Problem && error.cause instanceof Error ? ` (${error.cause.name})` : ''
    return { status: 'degraded', detail: `${(error as Error).message}${cause}` }
  } finally {
    clearTimeout(timer)
  }
}
