import type { Config } from '../../server/config.ts'
import { version } from '../../server/version.ts'
import type { Finding } from './finding.ts'

const part = 'server'

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
  if (status.checks.storage?.status === 'degraded' && config.storage.kind !== 'not-configured')
    return [
      {
        part,
        ok: false,
        says: 'It says its storage is out of order. If the storage settings were changed since its start, restart the server.',
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
