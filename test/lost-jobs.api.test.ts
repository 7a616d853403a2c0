import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { jobHandlers } from '../server/job-handlers.ts'
import { command } from './command.ts'
import { wordpressPeer } from './delivery-peers.ts'
import { faultyStore } from './faulty-store.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { adminLogin, newClient, newHome, type Server, signIn, startServer } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

// The disk has its own faults, tried elsewhere.
const onS3 = process.env.TEST_WORLD === 'postgres'
const home = await newHome()
const store = onS3 ? await faultyStore(home.environment.STORAGE_ENDPOINT!) : undefined
const environment = {
  ...home.environment,
  OUTBOUND_ALLOW: '127.0.0.1',
  ...(store && { STORAGE_ENDPOINT: store.endpoint }),
}
let server: Server | undefined
afterAll(async () => {
  await server?.stop()
  await store?.stop()
  await home.remove()
})

async function restarted(role: 'api' | 'all'): Promise<Server> {
  await server?.stop()
  server = await startServer({ ...environment, ROLE: role })
  return server
}

const sweep = (at: Server) => jobHandlers(at.parts).sweep({}, { last: true })
const same = ({ credentials, door }: Person, at: Server) => person(at.url, credentials, door)

test('what waits for a job that is gone is named by check, and gets one by a retry or the next sweep', async () => {
  const first = await restarted('api')
  const { clientId, operator, agent } = await newClient(first)
  const [retried, swept, unsummed] = await Promise.all(
    [1, 2, 3].map((width) => operator.uploads(png(width, 7))),
  )
  await withoutChecksum(first, unsummed!.assetId)
  const site = await wordpressPeer()
  const admin = person(first.url, {
    cookie: await signIn(first.url, adminLogin.email, adminLogin.password),
  })
  const { body: connection } = await admin.post(`/admin/clients/${clientId}/connections`, {
    kind: 'wordpress',
    name: 'Site',
    settings: { siteUrl: site.url },
    secrets: { username: 'editor', applicationPassword: 'pass word' },
  })
  const { body: delivery } = await agent.post(`/admin/clients/${clientId}/deliveries`, {
    assetRef: swept!.assetRef,
    connectionId: connection.connectionId,
    surface: 'website',
  })
  await sql`delete from jobs.job where name in ('media', 'checksum', 'deliver')`.execute(first.parts.db)
  await first.stop()
  server = undefined

  const { code, json } = await command(environment).run('check', '--read', '100%', '--json')
  expect(json.faults.map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject])).toEqual(
    expect.arrayContaining([
      ...[retried, swept, unsummed].map((asset) => ['no-previews', asset!.assetId]),
      ['no-checksum', unsummed!.assetId],
    ]),
  )
  expect([code, json.faults.length, json.withoutChecksum]).toEqual([1, 4, 1])

  const again = await restarted('all')
  const person2 = same(operator, again)
  for (const asset of [retried, unsummed]) {
    const path = `${operator.door.assets}/${asset!.assetId}/media/retry`
    expect((await person2.post(path)).status).toBe(202)
    await becomes(person2, asset!.assetId, { sha256: expect.any(String), media: { state: 'ready' } })
  }
  expect((await person2.reads(swept!.assetId)).body.media.state).toBe('pending')
  await sweep(again)
  await becomes(person2, swept!.assetId, { media: { state: 'ready' } })
  await vi.waitFor(
    async () =>
      expect(
        (await person2.get(`/admin/clients/${clientId}/deliveries/${delivery.deliveryId}`)).body.status,
      ).toBe('done'),
    90_000,
  )
})

test('a store that is away until every attempt is used up leaves nothing pending once it is back', async ({
  skip,
}) => {
  skip(!onS3, 'the disk is never away')
  const first = await restarted('api')
  const { operator } = await newClient(first)
  const [whole, gone] = [await operator.uploads(png(9, 4)), await operator.uploads(png(9, 5))]
  await withoutChecksum(first, whole.assetId)
  const ids = [whole.assetId, gone.assetId]
  store!.suffers('busy')

  const again = await restarted('all')
  const { db } = again.parts
  const person2 = same(operator, again)
  await everyAttemptIsUsed(again, ids)
  expect((await person2.reads(whole.assetId)).body).toMatchObject({
    sha256: null,
    media: { state: 'pending' },
  })
  await vi.waitFor(
    async () =>
      expect((await person2.get('/status')).body.checks.jobs).toMatchObject({
        status: 'degraded',
        // More, where the sweep's own time has come meanwhile.
        detail: expect.stringMatching(/Jobs have failed .*checksum [1-9], media [2-9]/),
      }),
    90_000,
  )

  store!.suffers(undefined)
  const { object_prefix } = await db
    .selectFrom('asset_versions')
    .select('object_prefix')
    .where('asset_id', '=', gone.assetId)
    .executeTakeFirstOrThrow()
  await again.parts.store.storageOf(gone.clientId).delete([`${object_prefix}/original`])
  await sweep(again)
  await becomes(person2, whole.assetId, { sha256: expect.any(String), media: { state: 'ready' } })
  // What is really gone is no longer waited for.
  await everyAttemptIsUsed(again, [gone.assetId])
  await becomes(person2, gone.assetId, {
    media: { state: 'failed', problem: expect.stringContaining('gone from the object store') },
  })
})

/** As a large file is finalized: its checksum is left to a job. */
async function withoutChecksum({ parts }: Server, assetId: string) {
  await parts.db.updateTable('assets').set({ sha256: null }).where('id', '=', assetId).execute()
  const version = await parts.db
    .updateTable('asset_versions')
    .set({ sha256: null, crc32: null })
    .where('asset_id', '=', assetId)
    .returning(['client_id', 'version'])
    .executeTakeFirstOrThrow()
  const data = { clientId: version.client_id, assetId, version: version.version }
  await parts.db.transaction().execute((trx) => parts.jobs.send(trx, 'checksum', data))
}

/** The jobs fail as often as they may, without the pauses between. */
const everyAttemptIsUsed = ({ parts: { db } }: Server, assetIds: string[]) =>
  vi.waitFor(
    async () => {
      const ours = sql`name in ('media', 'checksum') and data ->> 'assetId' = any(${assetIds}::text[])`
      await sql`update jobs.job set start_after = now() where state = 'retry' and ${ours}`.execute(db)
      const { rows } = await sql`select id from jobs.job where state < 'completed' and ${ours}`.execute(db)
      expect(rows).toEqual([])
    },
    { timeout: 90_000, interval: 200 },
  )

const becomes = (somebody: Person, assetId: string, expected: object) =>
  vi.waitFor(async () => expect((await somebody.reads(assetId)).body).toMatchObject(expected), {
    timeout: 90_000,
    interval: 200,
  })
