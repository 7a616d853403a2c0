import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { UploadSession } from '../contract/uploads.ts'
import { ClaimLost, claimDelivery } from '../server/ledger/ledger.ts'
import { type Library, makeLibrary, system } from '../server/library.ts'
import { finalizeSession } from '../server/uploads/finalize.ts'
import * as here from '../server/webhooks/send.ts'
import { json, peer } from './delivery-peers.ts'
import { puts } from './person.ts'
import * as pictures from './pictures.ts'
import { world } from './world.ts'

const png = pictures.png()

// A first owner that was only slow, a lease that ran out, a second owner: the first has no say any more, however its
// work ends. Derived files have theirs in derived.api.test.ts.

const w = await world({ ROLE: 'api', OUTBOUND_ALLOW: '127.0.0.1' })
// Another process: it shares the database, and no memory.
const elsewhere: typeof here = await import(/* @vite-ignore */ `../server/webhooks/send.ts${'?elsewhere'}`)

const runsOut = (
  table: 'upload_sessions' | 'deliveries' | 'webhook_cursors',
  column: string,
  id: string,
  key = 'id',
) =>
  sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - interval '1 second' where ${sql.ref(key)} = ${id}`.execute(
    w.parts.db,
  )

/** Finalizes as a process whose store answers when it is told to. */
function finalizes(library: Library, uploadToken: string) {
  const begun = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const storage = new Proxy(library.storage, {
    get: (store, name) =>
      name === 'copy'
        ? async (from: string, to: string) => {
            begun.resolve()
            await answered.promise
            return store.copy(from, to)
          }
        : Reflect.get(store, name).bind(store),
  })
  return {
    result: finalizeSession({ ...library, storage }, { uploadToken }),
    begun: begun.promise,
    answers: answered.resolve,
    fails: () => answered.reject(new Error('The line was cut.')),
  }
}

test('a finalization that lost its claim and fails leaves the claim to the next', async () => {
  const { operator, clientId } = await w.newClient()
  const session: UploadSession = (await operator.opensUpload({ expectedSizeBytes: png.length })).body
  await puts(session, png)
  const library = makeLibrary(w.parts, clientId, system)
  const first = finalizes(library, session.uploadToken)
  await first.begun
  await runsOut('upload_sessions', 'claimed_until', session.uploadSessionId)
  const second = finalizes(library, session.uploadToken)
  await second.begun
  const row = () =>
    w.parts.db
      .selectFrom('upload_sessions')
      .select(['status', 'claim', 'claimed_until'])
      .where('id', '=', session.uploadSessionId)
      .executeTakeFirstOrThrow()
  const held = await row()
  first.fails()
  await expect(first.result).rejects.toThrow('The line was cut.')
  expect(await row()).toEqual(held)
  second.answers()
  expect(await second.result).toMatchObject({ made: true })
  expect(await row()).toEqual({ status: 'finalized', claim: null, claimed_until: null })
})

test('a delivery that was taken over is written by its new worker alone', async () => {
  const { agent, operator, clientId } = await w.newClient()
  const { assetRef } = await operator.uploads()
  const at = `/admin/clients/${clientId}`
  const site = await peer((_, response) => json(response, {}))
  const secrets = { signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }
  const connection = { kind: 'webhook', name: 'Site', settings: { url: site.url }, secrets }
  const made = await w.admin.post(`${at}/connections`, connection)
  const order = { assetRef, connectionId: made.body.connectionId, surface: 'website' }
  const { deliveryId } = (await agent.post(`${at}/deliveries`, order)).body
  const library = makeLibrary(w.parts, clientId, system)
  const row = () =>
    w.parts.db.selectFrom('deliveries').selectAll().where('id', '=', deliveryId).executeTakeFirstOrThrow()
  const claim = async () => {
    const claimed = await claimDelivery(library, deliveryId)
    if (!claimed || claimed === 'held') throw new Error('It is held by another.')
    return claimed
  }

  using first = await claim()
  await expect(claim()).rejects.toThrow('held by another')
  await runsOut('deliveries', 'claimed_until', deliveryId)
  using second = await claim()
  const { claimed_until: _, ...held } = await row()
  await expect(first.write({ status: 'failed', claim: null })).rejects.toThrow(ClaimLost)
  expect(await row()).toMatchObject(held)
  await second.write({ status: 'preparing' })
  expect([first.row.status, second.row.status, (await row()).status]).toEqual([
    'queued',
    'preparing',
    'preparing',
  ])
})

/** A process that sends. */
const sends = ({ sendWebhooks }: typeof here) => sendWebhooks(w.parts, w.app.log)

test('a sender that lost its webhook and fails says nothing of it', async () => {
  const { operator, clientId } = await w.newClient()
  const answered = Promise.withResolvers<void>()
  const webhook = (id: string) =>
    w.parts.db
      .selectFrom('webhook_cursors')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_cursors.webhook_id')
      .select(['failures', 'last_error', 'failing_since', 'last_sent_at'])
      .where('webhook_id', '=', id)
      .executeTakeFirstOrThrow()
  const seen: unknown[] = []
  const receiver = await peer(async (_, response) => {
    if (receiver.requests.length > 1) {
      const { last_sent_at: _, ...trouble } = await webhook(webhookId)
      seen.push(trouble)
      return json(response, {})
    }
    await answered.promise
    json(response, {}, 503)
  })
  const { webhookId } = (await w.admin.post('/admin/webhooks', { url: receiver.url, clientIds: [clientId] }))
    .body
  await operator.makesFolder('One')
  const first = sends(here)
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), 10_000)
  await runsOut('webhook_cursors', 'leased_until', webhookId, 'webhook_id')

  const second = sends(elsewhere)
  await vi.waitFor(async () => expect((await webhook(webhookId)).last_sent_at).not.toBeNull(), 10_000)
  await second.stop()
  answered.resolve()
  await operator.makesFolder('Two')
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(1), 20_000)
  const untroubled = { failures: 0, last_error: null, failing_since: null }
  expect(seen).toEqual([untroubled, untroubled])
  await first.stop()
})
