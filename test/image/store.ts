// Instead of the store that deploy/compose.yaml names, with its settings.
import { readFileSync } from 'node:fs'
import { startR2Simulator } from '../r2-simulator.ts'

const [host, secret] = process.argv.slice(2) as [string, string]
const store = await startR2Simulator({
  host,
  port: 7070,
  s3Credentials: { accessKeyId: 'library', secretAccessKey: readFileSync(secret, 'utf8').trim() },
})
process.on('SIGTERM', () => store.stop().then(() => process.exit(0)))
