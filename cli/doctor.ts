import { type Config, type Environment, readConfig } from '../server/config.ts'
import { type Command, Misuse } from './command.ts'
import { ai } from './doctor/ai.ts'
import { database } from './doctor/database.ts'
import type { Finding } from './doctor/finding.ts'
import { jobs } from './doctor/jobs.ts'
import { mail } from './doctor/mail.ts'
import { malware } from './doctor/malware.ts'
import { media } from './doctor/media.ts'
import { secrets } from './doctor/secrets.ts'
import { runningServer } from './doctor/server.ts'
import { storage } from './doctor/storage.ts'
import { vendors } from './doctor/vendors.ts'

const looks = { database, secrets, jobs, storage, media, malware, ai, mail, vendors, server: runningServer }

export const command: Command = {
  summary: 'Look at everything the server leans on, and say what mends what is wrong.',
  explain:
    'Settings, database, stored secrets, scheduled and waiting jobs, storage (credentials, bucket, a real upload, the CORS policy by a real preflight, the\nclock), decoders, the malware scanner, the AI endpoint if there is one, the mail server, versions of vendors’ APIs, and the running server if there is one. It changes nothing but with --apply-cors.',
  options: {
    only: { value: 'PART', many: true, explain: `One of ${Object.keys(looks).join(', ')}. Default: all.` },
    'apply-cors': { explain: 'Add what is missing to the bucket’s CORS policy, beside the rules it has.' },
  },
  async run(given) {
    const findings = await examine(given.list('only'), { applyCors: given.flag('apply-cors') })
    return {
      lines: findings.map(({ part, ok, says }) => `${ok ? 'ok  ' : 'FAIL'}  ${part.padEnd(10)}${says}`),
      json: findings,
      faulty: findings.some(({ ok }) => !ok),
    }
  },
}

async function examine(only: string[], wishes: { applyCors: boolean }): Promise<Finding[]> {
  const strange = only.find((name) => !(name in looks))
  if (strange) throw new Misuse(`--only must be one of ${Object.keys(looks).join(', ')}.`)
  let config: Config
  try {
    config = readConfig(process.env as Environment)
  } catch (error) {
    return [{ part: 'settings', ok: false, says: (error as Error).message }]
  }
  const findings: Finding[] = [
    { part: 'settings', ok: true, says: `Node ${process.versions.node}, ${config.publicUrl}` },
  ]
  for (const [name, look] of Object.entries(looks))
    if (only.length === 0 || only.includes(name)) findings.push(...(await look(config, wishes)))
  return findings
}
