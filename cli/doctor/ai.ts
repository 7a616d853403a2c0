import { openAi } from '../../server/ai/ai.ts'
import type { Config } from '../../server/config.ts'
import type { Finding } from './finding.ts'

/** Whether the endpoint that suggests texts answers and takes the key. Nothing is said of one that is not set. */
export async function ai({ ai: settings }: Config): Promise<Finding[]> {
  if (!settings) return []
  try {
    return [{ part: 'ai', ok: true, says: await openAi(settings).check() }]
  } catch (error) {
    const says = `${(error as Error).message} Start it at ${settings.baseUrl}, or correct AI_BASE_URL and AI_KEY.`
    return [{ part: 'ai', ok: false, says }]
  }
}
