import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { type Environment, readConfig } from '../../server/config.ts'
import { openParts } from '../../server/parts.ts'
import { sweepUploads } from '../../server/uploads/sweep.ts'
import { wordpressPeer } from '../delivery-peers.ts'
import { type Person, person, puts } from '../person.ts'
import { png } from '../pictures.ts'
import { startR2Simulator } from '../r2-simulator.ts'
import { freePort, startPostgres } from '../setup/postgres.ts'
import { strays } from '../strays.ts'
import { adminLogin, signIn } from '../world.ts'
import { type Moment, moments } from './moments.ts'
import { experiment } from './table.ts'

vi.setConfig({ testTimeout: 900_000 })

const entry = fileURLToPath(new URL('mortal-server.ts', import.meta.url))

/** One upload that somebody wants to have done, whatever happens on the way. */
interface Upload {
  moment: Moment
  bytes: Buffer
  idempotencyKey: string
  session?: { uploadSessionId: string; uploadUrl: string; uploadToken: string }
  stored?: boolean
  assetId?: string
}

test.each([
  ['the embedded database with the disk store', embeddedHome],
  ['PostgreSQL with R2', postgresHome],
])(
  'killed at each step of an upload, on %s: nothing acknowledged is lost, retries converge, one sweep clears up',
  async (where, makeHome) => {
    const home = await makeHome()
    const site = await wordpressPeer()
    const environment: Environment = {
      ...home.environment,
      DATA_DIR: home.folder,
      PORT: String(await freePort()),
      SECRET_KEY: 'a secret key that only the tests know',
      BOOTSTRAP_ADMIN_EMAIL: adminLogin.email,
      BOOTSTRAP_ADMIN_PASSWORD: adminLogin.password,
      OUTBOUND_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'fatal',
    }
    environment.PUBLIC_URL = `http://127.0.0.1:${environment.PORT}`
    const children = new Set<ChildProcess>()
    try {
      let server = await starts(environment, children)
      const cookie = await signIn(environment.PUBLIC_URL, adminLogin.email, adminLogin.password)
      const admin = person(environment.PUBLIC_URL, { cookie })
      const { clientId } = (await admin.post('/admin/clients', { name: 'Harbour Café' })).body
      const base = `/admin/clients/${clientId}`
      const operator = admin.at({ assets: `${base}/assets`, events: `${base}/events` })
      const { body: connection } = await admin.post(`${base}/connections`, {
        kind: 'wordpress',
        name: 'Site',
        settings: { siteUrl: site.url },
        secrets: { username: 'editor', applicationPassword: 'pass word' },
      })
      const delivery = (assetId: string) => ({
        assetRef: assetId,
        connectionId: connection.connectionId,
        surface: 'website',
      })

      const uploads: Upload[] = [...moments, 'copied' as const].map((moment, number) => ({
        moment,
        bytes: png(7, 7, [number, 40, 80]),
        idempotencyKey: randomUUID(),
      }))
      for (const upload of uploads) {
        await uploadsUntilItDies(operator, upload, server)
        if (upload.moment === 'delivered')
          await operator
            .post(`${base}/deliveries`, delivery(upload.assetId!), {
              'x-die-at': 'delivered',
              'x-die-in': 'job',
            })
            .catch(() => {})
        await dies(server, upload.moment)
        server = await starts(environment, children)
      }
      const startedAt = Date.now()
      // One is never taken up again: its bytes are in staging and in a copy that nobody keeps.
      const abandoned = uploads.pop()!
      const acknowledged = uploads.filter(({ assetId }) => assetId)
      for (const { assetId } of acknowledged) expect((await operator.reads(assetId!)).status).toBe(200)

      await Promise.all(uploads.map((upload) => uploadsOnceMore(operator, upload)))
      const { body: again } = await operator.post(`${base}/deliveries`, delivery(uploads.at(-1)!.assetId!))
      const isDone = async () =>
        (await operator.get(`${base}/deliveries/${again.deliveryId}`)).body.status === 'done'
      while (!(await isDone())) await pause(200)
      const assets = async () => (await operator.lists({ limit: 200 })).body.assets
      while ((await assets()).some((asset: { media: { state: string } }) => asset.media.state !== 'ready'))
        await pause(200)
      const recoveredInSeconds = (Date.now() - startedAt) / 1000

      const lost: Moment[] = []
      for (const { moment, assetId, bytes } of uploads) {
        const { body } = await operator.reads(assetId!)
        const content = await operator.fetch(`${operator.door.assets}/${assetId}/content`)
        const same = content.ok && Buffer.from(await content.arrayBuffer()).equals(bytes)
        if (!same || body.sha256 !== createHash('sha256').update(bytes).digest('hex')) lost.push(moment)
      }
      const found = await assets()
      const { body: limits } = await operator.get(`${operator.door.assets}/upload-limits`)
      server.child.kill('SIGTERM')
      await once(server.child, 'exit')

      const parts = await openParts(readConfig(environment), pino({ level: 'silent' }))
      const before = await strays(parts.db, parts.store)
      const over = new Date(Date.now() - 86_400_000)
      await parts.db
        .updateTable('upload_sessions')
        .set({ expires_at: over, urls_expire_at: over, sweep_at: over })
        .where('id', '=', abandoned.session!.uploadSessionId)
        .execute()
      await sweepUploads(parts)
      const { orphans, missing } = await strays(parts.db, parts.store)
      const counters = await parts.db.selectFrom('client_counters').selectAll().executeTakeFirstOrThrow()
      await parts.close()

      console.log(
        `${where}: killed at ${uploads.length + 1} moments; ${before.orphans.length} leftovers before the sweep, ${orphans.length} after`,
      )
      experiment({
        experiment: `kill -9 at each step, ${where}`,
        load: `${uploads.length} uploads`,
        faults: `${uploads.length + 1} kills`,
        lost: lost.length + missing.length,
        leaked: orphans.length + found.length - uploads.length,
        recoveredInSeconds,
      })
      expect(lost).toEqual([])
      expect({ orphans, missing }).toEqual({ orphans: [], missing: [] })
      expect(before.orphans.length).toBeGreaterThan(0)
      expect(found).toHaveLength(uploads.length)
      expect(new Set(uploads.map(({ assetId }) => assetId)).size).toBe(uploads.length)
      expect(limits.quota.reservedBytes).toBe(abandoned.bytes.length)
      const stored = uploads.reduce((sum, { bytes }) => sum + bytes.length, 0)
      expect(counters).toMatchObject({ stored_bytes: stored, reserved_bytes: 0 })
      expect(site.items).toHaveLength(1)
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await home.remove()
    }
  },
)

/** Goes as far as it comes, and remembers what it was told. */
async function uploadsUntilItDies(operator: Person, upload: Upload, server: Server): Promise<void> {
  const { moment, bytes } = upload
  const dieAt = { 'x-die-at': moment }
  try {
    const opened = await operator.opensUpload(
      { expectedSizeBytes: bytes.length },
      { 'idempotency-key': upload.idempotencyKey, ...(opening.includes(moment) && dieAt) },
    )
    expect(opened.status).toBe(201)
    upload.session = opened.body
    if (moment === 'bytes half sent') {
      const put = request(upload.session!.uploadUrl, {
        method: 'PUT',
        headers: { 'content-length': bytes.length },
      })
      put.on('error', () => {})
      put.write(bytes.subarray(0, bytes.length / 2))
      await pause(300)
      server.child.kill('SIGKILL')
      put.destroy()
      return
    }
    upload.stored = (await puts(upload.session!, bytes)).status === 200
    if (moment === 'bytes stored') return void server.child.kill('SIGKILL')

    const finalized = await operator.call(
      'POST',
      `${operator.door.assets}/upload-session/finalize`,
      { uploadToken: upload.session!.uploadToken },
      moment === 'delivered' ? {} : { ...dieAt, ...(moment.startsWith('preview') && { 'x-die-in': 'job' }) },
    )
    if (finalized.status === 201) upload.assetId = finalized.body.assetId
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // fetch's way to say that nobody is there
  }
}

const opening: Moment[] = ['URL signed', 'session made']

/** What a client does that was told nothing: the same again. */
async function uploadsOnceMore(operator: Person, upload: Upload): Promise<void> {
  const { bytes } = upload
  const opened = await operator.opensUpload(
    { expectedSizeBytes: bytes.length },
    { 'idempotency-key': upload.idempotencyKey },
  )
  expect(opened.status, upload.moment).toBe(201)
  if (upload.session) expect(opened.body.uploadToken).toBe(upload.session.uploadToken)
  if (!upload.stored) expect((await puts(opened.body, bytes)).status, upload.moment).toBe(200)
  const finalized = await operator.finalizes(opened.body.uploadToken)
  expect([200, 201], `${upload.moment}: ${JSON.stringify(finalized.body)}`).toContain(finalized.status)
  if (upload.assetId) expect(finalized.body.assetId).toBe(upload.assetId)
  upload.assetId = finalized.body.assetId
}

type Server = Awaited<ReturnType<typeof starts>>

async function starts(environment: Environment, children: Set<ChildProcess>) {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  while (!said.includes('Serving')) {
    if (child.exitCode !== null) throw new Error(`It did not start: ${said}`)
    await pause(50)
  }
  return { child }
}

async function dies({ child }: Server, moment: Moment): Promise<void> {
  const until = Date.now() + 60_000
  while (child.signalCode === null && child.exitCode === null && Date.now() < until) await pause(20)
  expect(child.signalCode, `not killed at ${moment}`).toBe('SIGKILL')
}

async function embeddedHome() {
  const folder = await mkdtemp(join(tmpdir(), 'library-killed-'))
  return {
    folder,
    environment: {} as Environment,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function postgresHome() {
  const folder = await mkdtemp(join(tmpdir(), 'library-killed-'))
  const postgres = await startPostgres()
  await postgres.admin('create database library')
  const r2 = await startR2Simulator()
  const environment: Environment = {
    DATABASE_URL: `${postgres.url}/library`,
    STORAGE_ACCOUNT_ID: 'account',
    STORAGE_ACCESS_KEY_ID: r2.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: r2.secretAccessKey,
    STORAGE_BUCKET_NAME: r2.bucket,
    STORAGE_ENDPOINT: r2.endpoint,
  }
  return {
    folder,
    environment,
    async remove() {
      await r2.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
