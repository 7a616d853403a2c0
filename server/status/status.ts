import type { Status } from '../../contract/diagnostics.ts'
import { when } from '../jobs/health.ts'
import type { Parts } from '../library.ts'
import { networkIsOpen } from '../media/process/confinement.ts'
import { Problem } from '../problems.ts'
import { secretsByKey } from '../reseal.ts'
import { version } from '../version.ts'

const startedAt = Date.now()
const timeoutMs = 3000

export async function platformStatus(parts: Parts): Promise<Status> {
  const [database, storage, media, malware, jobs, secrets] = await Promise.all([
    look(() => databaseAnswers(parts)),
    look(() => parts.store.check()),
    look(() => mediaIsWhole(parts)),
    look(() => parts.malware.check()),
    look(() => jobsAreDone(parts)),
    look(() => secretsOpen(parts)),
  ])
  const checks = { database, storage, media, malware, jobs, secrets }
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
  checks: mapValues(checks, ({ status }) => ({ status })),
})

export const databaseAnswers = ({ db }: Parts): Promise<unknown> =>
  db.selectFrom('clients').select('id').limit(1).execute()

/** What decodes here, by name and version: to compare with security advisories. */
async function mediaIsWhole({ media }: Parts): Promise<string> {
  const { video, encoder, fix, confined, signatures, sharp, libvips, libwebp, libheif, nodeAv, ffmpeg } =
    await media.capabilities()
  if (!confined.network) throw new Problem('internal-error', networkIsOpen)
  if (video === 'none')
    throw new Problem('internal-error', `Videos get a drawn tile instead of a poster. ${fix ?? ''}`.trim())
  if (encoder === 'none')
    throw new Problem(
      'internal-error',
      `Films that browsers do not play have no copy that they do. ${fix ?? ''}`.trim(),
    )
  if (signatures.problems.length > 0) throw new Problem('internal-error', signatures.problems.join(' '))
  const all = { sharp, libvips, libwebp, libheif, '@mediabunny/server': nodeAv, ffmpeg }
  const versions = Object.entries(all)
    .filter(([, version]) => version !== null)
    .map(([name, version]) => `${name} ${version}`)
  return [...versions, ...(signatures.signs ? [signatures.signs] : [])].join(', ')
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
      `${unreadable.length} secrets of connections and webhooks were sealed with another SECRET_KEY. Set it as SECRET_KEY_PREVIOUS and restart, or enter them anew.`,
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

const mapValues = <K extends string, A, B>(object: Record<K, A>, to: (value: A) => B) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value as A)])) as Record<K, B>
