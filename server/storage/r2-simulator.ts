import { randomBytes } from 'node:crypto'
import { Miniflare } from 'miniflare'

export interface R2Simulator {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  bucket: string
  stop(): Promise<void>
}

/** Cloudflare's own simulator of R2, spoken to by its S3 API; for tests. Without `persistTo` it forgets all at `stop`. */
export async function startR2Simulator({ persistTo }: { persistTo?: string } = {}): Promise<R2Simulator> {
  const bucket = 'assets'
  const s3Credentials = {
    accessKeyId: randomBytes(16).toString('hex'),
    secretAccessKey: randomBytes(32).toString('hex'),
  }
  const miniflare = new Miniflare({
    modules: true,
    script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
    host: '127.0.0.1',
    port: 0,
    cf: false, // it would ask the internet about this machine
    r2Buckets: { BUCKET: { id: bucket, s3Credentials } },
    r2Persist: persistTo ?? false,
  })
  const { origin } = await miniflare.ready

  return {
    endpoint: `${origin}/cdn-cgi/local/r2/s3`,
    ...s3Credentials,
    bucket,
    stop: () => miniflare.dispose(),
  }
}
