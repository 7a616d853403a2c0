import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../server/ids.ts'
import { hashToken, newToken } from '../server/secrets.ts'
import { command } from './command.ts'
import { type Person, person } from './person.ts'
import { png } from './pictures.ts'
import { threeHoursPass } from './three-hours-pass.ts'
import { newClient, newHome, type Server, startServer } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const home = await newHome()
let server: Server | undefined
afterAll(async () => {
  await server?.stop()
  await home.remove()
})

async function restarted(role: 'api' | 'all', told?: string[]): Promise<Server> {
  await server?.stop()
  const environment = { ...home.environment, ROLE: role }
  server = await startServer(environment, told && { write: (line: string) => void told.push(line) })
  return server
}

test('a job that waits while no worker runs is told, until one does', async () => {
  const { parts, url } = await restarted('api')
  const { operator, viewer } = await newClient({ url, parts } as Server)
  const { assetId } = await operator.uploads(png(3, 2))
  expect((await viewer.get('/status')).body.checks.jobs).toMatchObject({ status: 'ok' })
  await sql`update jobs.job set start_after = now() - interval '1 minute' where name = 'media'`.execute(
    parts.db,
  )
  await saysOfJobs(viewer, /No worker takes jobs: media 1 wait\. Start one with ROLE=worker or ROLE=all/)
  expect(await person(url, {}).get('/status')).toMatchObject({
    body: { status: 'degraded', checks: { jobs: { status: 'degraded' } } },
  })

  const again = await restarted('all')
  const same = person(again.url, operator.credentials, operator.door)
  await vi.waitFor(async () => expect((await same.reads(assetId)).body.media.state).toBe('ready'), 90_000)
  await vi.waitFor(async () => expect((await same.get('/status')).body.checks.jobs.status).toBe('ok'), 90_000)
})

test('a schedule that fires and fails shows in the status, the log and the doctor; what failed is done by the next', async () => {
  const { parts, url } = await restarted('api')
  const old = await leavesOldThings({ url, parts } as Server)
  await sql`alter table idempotent_answers rename to somewhere_else`.execute(parts.db)
  await threeHoursPass(parts)

  const lines: string[] = []
  const broken = await restarted('all', lines)
  const viewer = person(broken.url, old.viewer.credentials)
  await saysOfJobs(viewer, /The scheduled purge failed .* \(never done\)\. See the log\./)
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 50, job: 'purge', outcome: 'failed', msg: 'job' }),
  )
  const doctor = await command({ ...home.environment, PUBLIC_URL: broken.url }).run(
    ...['doctor', '--json', '--only', 'jobs', '--only', 'server'],
  )
  const found = (doctor.json as { part: string; ok: boolean; says: string }[]).filter(({ ok }) => !ok)
  expect(found.map(({ says }) => says).join(' ')).toMatch(
    home.environment.DATABASE_URL ? /purge failed .*idempotent_answers.* does not exist/ : /its jobs are/,
  )

  await sql`alter table somewhere_else rename to idempotent_answers`.execute(broken.parts.db)
  await threeHoursPass(broken.parts)
  const mended = await restarted('all')
  await vi.waitFor(async () => expect(await old.left(mended)).toEqual(nothing), {
    timeout: 90_000,
    interval: 250,
  })
  await vi.waitFor(
    async () =>
      expect((await person(mended.url, old.viewer.credentials).get('/status')).body.checks.jobs).toEqual({
        status: 'ok',
        detail: expect.stringMatching(/purge last done 20.* UTC, sweep last done 20.* UTC/),
      }),
    90_000,
  )
})

test('a schedule that has not fired for too long is overdue', async () => {
  const { parts, url } = await restarted('api')
  const { viewer } = await newClient({ url, parts } as Server)
  await sql`update scheduled_runs set known_since = now() - interval '1 day', last_error = null,
    last_succeeded_at = now() - case name when 'sweep' then interval '21 minutes' when 'purge' then interval '2 hours' else interval '1 minute' end`.execute(
    parts.db,
  )
  await saysOfJobs(viewer, /^The scheduled sweep is overdue \(last done .* UTC\)\.$/)
})

const nothing = { reserved: 0, trashed: 0, events: 0, sessions: 0, answers: 0, unsaid: 0 }

/** One of each that a schedule clears away. */
async function leavesOldThings(at: Server) {
  const { db } = at.parts
  const { operator, viewer, clientId } = await newClient(at)
  const opened = await operator.opensUpload({}, { 'idempotency-key': 'asked-long-ago' })
  const { assetId } = await operator.uploads(png(5, 2))
  await operator.trashes(assetId)
  const long = new Date(Date.now() - 90 * 86_400_000)
  await db
    .updateTable('upload_sessions')
    .set({ expires_at: long, urls_expire_at: long, sweep_at: long })
    .where('id', '=', opened.body.uploadSessionId)
    .execute()
  await db.updateTable('assets').set({ trashed_at: long }).where('id', '=', assetId).execute()
  await db.updateTable('events').set({ created_at: long }).where('client_id', '=', clientId).execute()
  await db.updateTable('idempotent_answers').set({ created_at: long }).execute()
  await db
    .insertInto('login_sessions')
    .values({ token_hash: hashToken(newToken()), user_id: operator.id, created_at: long, expires_at: long })
    .execute()
  await db
    .insertInto('connections')
    .values({
      client_id: clientId,
      id: newId('connection'),
      kind: 'linkedin',
      name: 'Page',
      settings: '{}',
      status: 'connected',
      sign_in_until: long,
      created_by: 'tests',
    })
    .execute()

  const left = async ({ parts }: Server) => {
    const { rows } = await sql<typeof nothing>`select
      (select reserved_bytes from client_counters where client_id = ${clientId}) as reserved,
      (select count(*) from assets where id = ${assetId}) as trashed,
      (select count(*) from events where client_id = ${clientId} and created_at <= ${long}) as events,
      (select count(*) from login_sessions where expires_at <= ${long}) as sessions,
      (select count(*) from idempotent_answers where created_at <= ${long}) as answers,
      (select count(*) from connections where sign_in_until <= ${long} and status <> 'error') as unsaid`.execute(
      parts.db,
    )
    return rows[0]
  }
  expect(await left(at)).toEqual({
    reserved: expect.toSatisfy((bytes: number) => bytes > 0),
    trashed: 1,
    events: expect.toSatisfy((events: number) => events > 0),
    sessions: 1,
    answers: 1,
    unsaid: 1,
  })
  return { viewer, left }
}

const saysOfJobs = (somebody: Person, detail: RegExp) =>
  vi.waitFor(
    async () =>
      expect((await somebody.get('/status')).body).toMatchObject({
        status: 'degraded',
        checks: { jobs: { status: 'degraded', detail: expect.stringMatching(detail) } },
      }),
    { timeout: 90_000, interval: 250 },
  )
