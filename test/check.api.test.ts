import { expect, test, vi } from 'vitest'
import { newId } from '../server/ids.ts'
import { command } from './command.ts'
import { puts } from './person.ts'
import { png } from './pictures.ts'
import type { Server } from './world.ts'
import { newClient, newHome, startServer } from './world.ts'

vi.setConfig({ testTimeout: 240_000 })

test('every planted fault is found, orphans are swept, and nothing that lives is touched', async () => {
  const home = await newHome()
  const { run } = command(home.environment)
  try {
    const server = await startServer(home.environment)
    const planted = await plant(server).finally(() => server.stop())

    const first = await run('check', '--read', '100%', '--grace', '0', '--json')
    expect(first.errors).toBe('')
    const found = first.json.faults.map(({ kind, subject }: { kind: string; subject: string }) => [
      kind,
      subject,
    ])
    expect(sorted(found)).toEqual(sorted(planted.faults))
    expect(first.code).toBe(1)
    expect(first.json.read).toBe(3)

    // What a dry run announces is what the run then does.
    const dryYoung = await run('sweep', '--dry-run', '--json')
    const young = await run('sweep', '--json')
    expect(young.json).toMatchObject({ uploads: { expired: 1 }, orphans: { objects: 0 } })
    expect(dryYoung.json).toEqual({ ...young.json, dryRun: true })
    const dry = await run('sweep', '--dry-run', '--grace', '0', '--json')
    const swept = await run('sweep', '--grace', '0', '--json')
    expect(swept).toMatchObject({ code: 0, json: { orphans: { objects: planted.orphans } } })
    expect(dry.json).toEqual({ ...swept.json, dryRun: true })

    const again = await startServer(home.environment)
    try {
      expect(await keysOf(again, planted.clientId)).toEqual(planted.live)
    } finally {
      await again.stop()
    }
  } finally {
    await home.remove()
  }
})

async function plant(server: Server) {
  const { db, store } = server.parts
  const { clientId, operator } = await newClient(server)
  const storage = store.storageOf(clientId)
  const assets = []
  for (let i = 0; i < 6; i++) assets.push(await operator.uploads(png(4, 4, [i, 40, 90])))
  const [missing, shorter, flipped, rowless, ...whole] = assets.map(({ assetId }) => assetId)
  for (const { assetId } of assets)
    await vi.waitFor(
      async () => expect((await operator.reads(assetId)).body.media.state).toBe('ready'),
      60_000,
    )
  // Whatever their sessions left is done with, so that only rows say what lives.
  await db.updateTable('upload_sessions').set({ swept: true }).execute()
  const rows = await db.selectFrom('asset_versions').select(['asset_id', 'object_prefix']).execute()
  const prefixOf = (assetId: string | undefined) =>
    rows.find(({ asset_id }) => asset_id === assetId)!.object_prefix
  const original = (assetId: string | undefined) => `${prefixOf(assetId)}/original`

  const [thumb] = await keysBelow(server, clientId, `${prefixOf(whole[0])}/preview-thumb.webp`)

  const before = new Set(await keysOf(server, clientId))
  await storage.delete([original(missing), thumb!])
  await storage.put(original(shorter), Buffer.from('short'), { sizeBytes: 5 })
  const bytes = Buffer.from(png(4, 4, [2, 40, 90]))
  bytes[bytes.length - 20]! ^= 1
  await storage.put(original(flipped), bytes, { sizeBytes: bytes.length })
  await db.deleteFrom('asset_versions').where('asset_id', '=', rowless!).execute()
  await db.updateTable('client_counters').set({ reserved_bytes: 7 }).execute()

  const orphans = [
    `assets/${newId('asset')}/${newId('upload')}/attempt/original`,
    `staging/${newId('upload')}/file`,
    `${prefixOf(whole[1])}/forgotten.webp`,
  ]
  for (const key of orphans) await storage.put(key, Buffer.from('orphan'), { sizeBytes: 6 })
  const stranger = newId('client')
  await store.storageOf(stranger).put('assets/a/b/c/original', Buffer.from('x'), { sizeBytes: 1 })

  // Two uploads under way: one whose time is over, and one that goes on.
  const [abandoned, goingOn] = [await operator.opensUpload(), await operator.opensUpload()]
  for (const { body } of [abandoned, goingOn]) await puts(body, png())
  const past = new Date(Date.now() - 7_200_000)
  await db
    .updateTable('upload_sessions')
    .set({ expires_at: past, urls_expire_at: past, sweep_at: past })
    .where('id', '=', abandoned.body.uploadSessionId)
    .execute()

  const gone = await keysBelow(server, clientId, `${prefixOf(rowless)}/`)
  const faults = [
    ['missing-object', original(missing)],
    ['missing-object', thumb!],
    ['wrong-size', original(shorter)],
    ['wrong-bytes', original(flipped)],
    ['orphan-row', rowless],
    ['wrong-count', clientId],
    ['wrong-count', clientId],
    ...[...orphans, ...gone].map((key) => ['orphan-object', key]),
    ['unknown-client', stranger],
  ]
  const dead = new Set([...orphans, ...gone, original(missing), thumb!])
  const live = [...before].filter((key) => !dead.has(key))
  live.push(`staging/${goingOn.body.uploadSessionId}/file`)
  return { clientId, faults, orphans: orphans.length + gone.length, live: live.sort() }
}

const keysOf = (server: Server, clientId: string) => keysBelow(server, clientId, '')

async function keysBelow({ parts }: Server, clientId: string, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of parts.store.storageOf(clientId).list(prefix)) keys.push(key)
  return keys.sort()
}

const sorted = (pairs: unknown[][]) => pairs.map((pair) => pair.join(' ')).sort()
