import type { Config } from '../../server/config.ts'
import { version } from '../../server/version.ts'
import type { Finding } from './finding.ts'

const part = 'server'
const plural = new Set(['jobs'])

/** A running server may have been started with other settings than those that are set now. */
export async function runningServer(config: Config): Promise<Finding[]> {
  const status = await ask(config)
  if (!status) return [{ part, ok: true, says: `not running at ${config.publicUrl}` }]
  if (status.version !== version)
    return [
      {
        part,
        ok: false,
        says: `It runs ${status.version}, and ${version} is installed. Restart the server.`,
      },
    ]
  const outOfOrder = Object.entries(status.checks).filter(([, check]) => check?.status === 'degraded')
  // Of storage without settings it is said where storage is.
  const told = outOfOrder.filter(([name]) => name !== 'storage' || config.storage.kind !== 'not-configured')
  if (told.length > 0)
    return [
      {
        part,
        ok: false,
        says: `It says its ${told.map(([name]) => name).join(' and ')} ${told.length === 1 && !plural.has(told[0]![0]) ? 'is' : 'are'} out of order; ${config.publicUrl}/status tells a login why. If settings were changed since its start, restart the server.`,
      },
    ]
  return [{ part, ok: true, says: `running at ${config.publicUrl}, ${status.status}` }]
}

interface Status {
  status: string
  version: string
  checks: Record<string, { status: string } | undefined>
}

async function ask({ publicUrl }: Config): Promise<Status | undefined> {
  try {
    const answer = await fetch(`${publicUrl}/status`, { signal: AbortSignal.timeout(5000) })
    const body = (await answer.json()) as Status
    return body.checks ? body : undefined
  } catch {
    return undefined
  }
}
