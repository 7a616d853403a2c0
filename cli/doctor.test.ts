import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Environment } from '../server/config.ts'
import { aiPeer } from '../test/ai-peer.ts'
import { testScanner } from '../test/clamd.ts'
import { command } from '../test/command.ts'
import { type CorsGateway, startCorsGateway } from '../test/cors-gateway.ts'
import { mailPassword, mailServer } from '../test/mailbox.ts'
import { type R2Simulator, startR2Simulator } from '../test/r2-simulator.ts'
import { freePort } from '../test/setup/postgres.ts'
import { asAdmin } from '../test/world.ts'

let folder: string
// Nobody listens there: on a machine where somebody does at 3000, the doctor would ask them.
let PUBLIC_URL: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-doctor-'))
  PUBLIC_URL = `http://localhost:${await freePort()}`
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What is said of each part: true when all is well with it. */
async function examined(environment: Environment, args: string[] = [], nodeOptions = '') {
  const undated = { LINKEDIN_API_VERSION: '202607', META_API_VERSION: 'v25.0' }
  const settings = { DATA_DIR: folder, PUBLIC_URL, ...undated, ...environment }
  const { code, json } = await command(settings, { nodeOptions }).run('doctor', '--json', ...args)
  const findings = json as { part: string; ok: boolean; says: string }[]
  return { code, parts: Object.fromEntries(findings.map(({ part, ok, says }) => [part, ok || says])) }
}

test('on embedded defaults everything is well, and nothing is made', async () => {
  const { code, parts } = await examined({})
  expect(Object.keys(parts)).toEqual([
    ...[
      'settings',
      'database',
      'storage',
      'pictures',
      'videos',
      'playable copies',
      'words in pictures',
      'walls',
    ],
    ...['signing', 'malware', 'mail', 'linkedin', 'meta', 'server'],
  ])
  const hangsOnTheMachine = ['videos', 'playable copies', 'walls']
  expect(
    Object.entries(parts).filter(([part, well]) => well !== true && !hangsOnTheMachine.includes(part)),
  ).toEqual([])
  expect(code).toBe(Object.values(parts).every((well) => well === true) ? 0 : 1)
})

test('a mail server that does not take our login, and one that is not there', async () => {
  const post = await mailServer()
  const says = async (SMTP_URL: string) =>
    (await examined({ ...post.environment, SMTP_URL }, ['--only', 'mail'])).parts.mail
  expect(await says(post.environment.SMTP_URL)).toBe(true)
  expect(await says(post.environment.SMTP_URL.replace(mailPassword, 'wrong'))).toMatch(/Invalid login/)
  expect(await says(`smtp://127.0.0.1:${await freePort()}`)).toMatch(/ECONNREFUSED.*Correct SMTP_URL/)
  expect(post.received).toEqual([])
})

test('a malware scanner that is not there, that says nothing, and one that answers', async () => {
  const says = async (CLAMD_ADDRESS: string) => examined({ CLAMD_ADDRESS }, ['--only', 'malware'])
  const silent = createTcpServer((socket) => socket.resume().on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const scanner = await testScanner()
  try {
    const away = await says(`127.0.0.1:${await freePort()}`)
    expect(away.parts.malware).toMatch(
      /ECONNREFUSED.*uploads are refused.*files of guests wait.*Start clamd at 127\.0\.0\.1:\d+, or correct CLAMD_ADDRESS/,
    )
    expect((await says(`127.0.0.1:${port}`)).parts.malware).toMatch(/says nothing.*correct CLAMD_ADDRESS/)
    expect([away.code, (await says(scanner.address)).parts.malware]).toEqual([1, true])
  } finally {
    silent.close()
    await scanner.goes()
  }
})

test('an AI endpoint that is not there, one that does not take the key, and one that answers', async () => {
  const { environment } = await aiPeer()
  const says = async (more: Environment) =>
    (await examined({ ...environment, ...more }, ['--only', 'ai'])).parts.ai
  expect(await says({})).toBe(true)
  expect(await says({ AI_KEY: 'another' })).toMatch(/does not take the key.*correct AI_BASE_URL and AI_KEY/)
  expect(await says({ AI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` })).toMatch(
    /refused.*Start it at/,
  )
})

test('a decoder that is not where the setting says', async () => {
  const { code, parts } = await examined({ MEDIA_FFMPEG: join(folder, 'no-ffmpeg') }, ['--only', 'media'])
  expect(parts.videos).toMatch(/There is no program at .*no-ffmpeg\. Install ffmpeg.*MEDIA_FFMPEG/)
  expect(code).toBe(1)
})

test('a version of a vendor’s API that ends soon, and one that has ended', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const versions = {
    LINKEDIN_API_VERSION: `202607@${inDays(50)}`,
    META_API_VERSION: `v25.0@${inDays(-2)}`,
  }
  const { code, parts } = await examined(versions, ['--only', 'vendors'])
  expect(parts.linkedin).toMatch(/202607 ends on \d{4}.*set LINKEDIN_API_VERSION to a later version/)
  expect(parts.meta).toMatch(/v25\.0 ended on/)
  expect(code).toBe(1)
  const later = { ...versions, META_API_VERSION: `v26.0@${inDays(70)}` }
  expect((await examined(later, ['--only', 'vendors'])).parts.meta).toBe(true)
})

test('decoders that nothing keeps from the network', async () => {
  const PATH = join(folder, 'programs')
  await mkdir(PATH)
  for (const program of ['true', 'setpriv']) await symlink(`/usr/bin/${program}`, join(PATH, program)) // and no unshare
  const { code, parts } = await examined({ PATH } as Environment, ['--only', 'media'])
  expect(parts.walls).toMatch(/not kept from the network.*unshare/)
  expect(code).toBe(1)
})

test('a wrong setting is the first thing said', async () => {
  const { code, parts } = await examined({ PORT: 'eighty' })
  expect(parts).toEqual({ settings: expect.stringContaining('Setting PORT must be a whole number') })
  expect(code).toBe(1)
})

test('of the database it says what mends it', async () => {
  const postgres = inject('postgresUrl')
  await asAdmin(postgres, 'create database outdated')
  const at = async (DATABASE_URL: string) =>
    (await examined({ DATABASE_URL }, ['--only', 'database'])).parts.database
  expect(await at(`postgres://nobody@127.0.0.1:${await freePort()}/none`)).toContain('correct DATABASE_URL')
  expect(await at(`${postgres}/never_made`)).toContain('Make the database (createdb)')
  expect(await at(`${postgres}/outdated`)).toMatch(/lacks 0001-library\.sql.*npx asset-library migrate/)
  await command({ DATABASE_URL: `${postgres}/outdated`, DATA_DIR: folder }).run('migrate')
  expect(await at(`${postgres}/outdated`)).toBe(true)
})

describe('of the store', () => {
  const onlyStore = ['--only', 'storage']
  let simulator: R2Simulator
  let gateway: CorsGateway
  const withStore = (more: Environment = {}): Environment => ({
    STORAGE_ACCOUNT_ID: 'account',
    STORAGE_ACCESS_KEY_ID: simulator.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: simulator.secretAccessKey,
    STORAGE_BUCKET_NAME: simulator.bucket,
    STORAGE_ENDPOINT: simulator.endpoint,
    ...more,
  })
  beforeAll(async () => {
    simulator = await startR2Simulator()
    gateway = await startCorsGateway(simulator.endpoint)
  })
  afterAll(async () => {
    await gateway.stop()
    await simulator.stop()
  })

  test('all is well when it is', async () => {
    const { parts } = await examined(withStore(), onlyStore)
    expect(parts).toMatchObject({ storage: true, upload: true, cors: true })
  })

  test.each<[string, () => Environment, RegExp]>([
    [
      'settings missing',
      () => ({ STORAGE_BUCKET_NAME: 'bucket' }),
      /Set STORAGE_ACCOUNT_ID, STORAGE_ACCESS_KEY_ID/,
    ],
    [
      'wrong key id',
      () => withStore({ STORAGE_ACCESS_KEY_ID: 'f'.repeat(32) }),
      /Correct STORAGE_ACCESS_KEY_ID/,
    ],
    [
      'wrong secret',
      () => withStore({ STORAGE_SECRET_ACCESS_KEY: 'wrong' }),
      /Correct STORAGE_SECRET_ACCESS_KEY/,
    ],
    [
      'no bucket',
      () => withStore({ STORAGE_BUCKET_NAME: 'none' }),
      /no bucket none\. Make it, or correct STORAGE_BUCKET_NAME/,
    ],
    [
      'nobody there',
      () => withStore({ STORAGE_ENDPOINT: 'http://127.0.0.1:1' }),
      /127\.0\.0\.1:1 cannot be reached.*STORAGE_ENDPOINT/,
    ],
  ])('%s', async (_, environment, says) => {
    const { code, parts } = await examined(environment(), onlyStore)
    expect(parts.storage).toMatch(says)
    expect(code).toBe(1)
  })

  test('a page that the CORS policy does not name: the rule is told, and not applied where the store knows no such call', async () => {
    const environment = withStore({ PUBLIC_URL: 'https://assets.example.com' })
    const { code, parts } = await examined(environment, [...onlyStore, '--apply-cors'])
    expect(parts.cors).toContain('"AllowedOrigins":["https://assets.example.com"],"AllowedMethods":["PUT"]')
    expect(parts.cors).toContain(await storesOwnWords(simulator))
    expect(code).toBe(1)
  })

  test('the rule is applied on request, beside those of others', async () => {
    const environment = withStore({ STORAGE_ENDPOINT: gateway.endpoint })
    const { origin } = new URL(PUBLIC_URL)
    expect((await examined(environment, onlyStore)).parts.cors).toContain(`403 to a preflight from ${origin}`)
    expect((await examined(environment, [...onlyStore, '--apply-cors'])).parts.cors).toBe(true)
    expect(gateway.origins()).toEqual(['https://another.example.com', origin])
  })

  test('a clock that is wrong', async () => {
    const slow = `--import="data:text/javascript,const%20now=Date.now;Date.now=()=>now()-420000"`
    const { parts } = await examined(withStore({ STORAGE_ENDPOINT: gateway.endpoint }), onlyStore, slow)
    expect(parts.clock).toMatch(/4\d\d s behind the store, which refuses signatures\. Let it follow NTP/)
  })
})

test('a server that was not restarted is told to be', async () => {
  const old = createServer((_, response) =>
    response.end(JSON.stringify({ status: 'degraded', version: '0.0.1', checks: {} })),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => old.once('listening', resolve))
  const { port } = old.address() as AddressInfo
  const { parts } = await examined({ PUBLIC_URL: `http://127.0.0.1:${port}` }, ['--only', 'server'])
  old.close()
  expect(parts.server).toMatch(/runs 0\.0\.1.*Restart the server/)
})

/** What the store says to whoever asks it for its CORS policy. */
async function storesOwnWords({ endpoint, accessKeyId, secretAccessKey, bucket }: R2Simulator) {
  const client = new S3Client({
    endpoint,
    region: 'auto',
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  })
  const refused = await client.send(new GetBucketCorsCommand({ Bucket: bucket })).catch((error) => error)
  client.destroy()
  expect(refused.message).toMatch(/GetBucketCors/)
  return refused.message
}
