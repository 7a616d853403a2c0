import { randomBytes } from 'node:crypto'
import { Miniflare } from 'miniflare'

export interface R2Simulator {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  bucket: string
  /** From now on it takes another key, and no longer this one. */
  revokeKey(): Promise<void>
  stop(): Promise<void>
}

/** Cloudflare's own simulator of R2, spoken to by its S3 API; for tests. Without `persistTo` it forgets all at `stop`. */
export async function startR2Simulator({
  persistTo,
  host = '127.0.0.1',
  port = 0,
  s3Credentials = newKey(),
}: {
  persistTo?: string
  host?: string
  port?: number
  s3Credentials?: ReturnType<typeof newKey>
} = {}): Promise<R2Simulator> {
  const bucket = 'assets'
  const options = (key: ReturnType<typeof newKey>) => ({
    modules: true,
    script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
    host,
    port,
    routes: [`${host}/*`], // it answers to no other name
    cf: false as const, // it would ask the internet about this machine
    r2Buckets: { BUCKET: { id: bucket, s3Credentials: key } },
    r2Persist: persistTo ?? false,
  })
  const miniflare = new Miniflare(options(s3Credentials))
  const { origin } = await miniflare.ready

  return {
    endpoint: `${origin}/cdn-cgi/local/r2/s3`,
    ...s3Credentials,
    bucket,
    revokeKey: () => miniflare.setOptions(options(newKey())),
    stop: () => miniflare.dispose(),
  }
}

const newKey = () => ({
  accessKeyId: randomBytes(16).toString('hex'),
  secretAccessKey: randomBytes(32).toString('hex'),
})
