import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3'

/** What a bucket has to allow so that the web app of this origin can put files into it. */
export const corsRule = (origin: string) =>
  ({
    AllowedOrigins: [origin],
    AllowedMethods: ['PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: 3600,
  }) satisfies CORSRule

/** Adds the rule to the bucket's policy. The rules of others stay: putting a policy replaces the whole of it. */
export async function allowOrigin(client: S3Client, Bucket: string, origin: string): Promise<void> {
  const rules = await rulesOf(client, Bucket)
  const CORSConfiguration = { CORSRules: [...rules, corsRule(origin)] }
  await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }))
}

async function rulesOf(client: S3Client, Bucket: string): Promise<CORSRule[]> {
  try {
    return (await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? []
  } catch (error) {
    if ((error as Error).name === 'NoSuchCORSConfiguration') return []
    throw error
  }
}

/** Asks as a browser does before it puts a file. Undefined when it may; else why not. */
export async function preflight(url: string, origin: string): Promise<string | undefined> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
    signal: AbortSignal.timeout(10_000),
  })
  const said = (name: string) => answer.headers.get(`access-control-allow-${name}`) ?? ''
  if (!answer.ok) return `it answers ${answer.status} to a preflight from ${origin}`
  if (!['*', origin].includes(said('origin'))) return `it does not allow the origin ${origin}`
  if (!/(^|[\s,])(PUT|\*)([\s,]|$)/i.test(said('methods'))) return `it does not allow PUT from ${origin}`
}
