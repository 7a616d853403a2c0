import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeCertificates } from '../server/media/fixtures/certificates.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { pngText, sourceTypePacket } from '../server/media/fixtures/marked.ts'
import { beforePicture } from '../server/media/fixtures/png.ts'
import { signed as signAs } from '../server/media/provenance/sign.ts'
import { readSigner } from '../server/media/provenance/signer.ts'
import { puts } from './person.ts'
import { refusal } from './refusal.ts'
import { type ClientWorld, world } from './world.ts'

const w = await world()

const signed = () => readFileSync(fixturePath('c2pa/C.jpg'))
const jpeg = { originalFilename: 'photo.jpg', mimeType: 'image/jpeg' }
const photo = () => sharp(fixturePath('plain.jpg')).resize(900)

async function resolved({ agent, clientId }: ClientWorld, assetRef: string, surface: string) {
  const purpose = { assetRefs: [assetRef], surface }
  return (await agent.post(`/admin/clients/${clientId}/asset-refs/resolve`, purpose)).body.results[0]
}

test('what the bytes say is generated is refused on gbp, though nobody typed it', async () => {
  const client = await w.newClient()
  const painted = await photo().withXmp(sourceTypePacket('trainedAlgorithmicMedia')).jpeg().toBuffer()
  const dreamt = beforePicture(
    await photo().png().toBuffer(),
    pngText('parameters', 'x\nSteps: 9, Sampler: Euler'),
  )
  const files = [
    [
      await client.operator.uploads(painted, { session: jpeg }),
      { digitalSourceType: 'trainedAlgorithmicMedia' },
    ],
    [await client.operator.uploads(dreamt), { generator: 'Stable Diffusion' }],
    [await client.operator.uploads(signed(), { session: jpeg }), { signature: 'unknown-signer' }],
  ] as const
  for (const [asset, evidence] of files) {
    expect(asset).toMatchObject({
      provenance: 'unknown',
      evidence: { ...evidence, says: 'generated', contradicts: false },
    })
    expect(await resolved(client, asset.assetRef, 'gbp')).toMatchObject({
      ok: false,
      code: 'provenance-not-allowed',
    })
    expect(await resolved(client, asset.assetRef, 'website')).toMatchObject({
      ok: true,
      disclosure: asset === files[2][0] ? 'advised' : 'required',
      disclosureField: null,
      disclosureRules: [{ rule: 'eu-ai-act-50', appliesFrom: '2026-08-02' }],
    })
    const { fits } = (await client.operator.get(`${client.operator.door.assets}/${asset.assetId}/fit`)).body
    expect(fits).toContainEqual(
      expect.objectContaining({
        target: 'instagram',
        disclosureField: { name: 'is_ai_generated', value: true, isSet: true },
      }),
    )
    for (const fit of fits)
      if (fit.surface === 'gbp') expect(fit.why).toMatchObject([{ code: 'origin-not-taken' }])
  }
  const camera = await photo().withXmp(sourceTypePacket('digitalCapture')).jpeg().toBuffer()
  const taken = await client.operator.uploads(camera, { session: jpeg })
  expect(await resolved(client, taken.assetRef, 'gbp')).toMatchObject({ ok: true, disclosure: 'none' })
})

test('a person cannot deny what is signed; what anybody can write is shown beside what they say', async () => {
  const client = await w.newClient()
  const { operator } = client
  const { body: upload } = await operator.opensUpload({ ...jpeg, expectedSizeBytes: signed().length })
  await puts(upload, signed())
  expect(await operator.finalizes(upload.uploadToken, { provenance: 'camera' })).toEqual(
    refusal('provenance-contradicted'),
  )
  // The upload is still there, to be finalized without that word.
  const { body: asset } = await operator.finalizes(upload.uploadToken)
  expect(asset).toMatchObject({ provenance: 'unknown', evidence: { says: 'generated' } })
  const denied = await operator.edits(asset.assetId, { provenance: 'camera' })
  expect(denied).toEqual(refusal('provenance-contradicted'))
  expect(denied.body.detail, 'anybody signs by any name').not.toContain(asset.evidence.c2pa.signer)
  const batch = { assetIds: [asset.assetId], action: 'provenance', provenance: 'camera' }
  expect((await operator.post(`${operator.door.assets}/batch`, batch)).body.results).toMatchObject([
    { ok: false, problem: { code: 'provenance-contradicted', detail: denied.body.detail } },
  ])
  expect((await operator.edits(asset.assetId, { provenance: 'generated' })).status).toBe(200)

  const marked = await photo().withXmp(sourceTypePacket('trainedAlgorithmicMedia')).jpeg().toBuffer()
  const doubted = await operator.uploads(marked, { session: jpeg, words: { provenance: 'camera' } })
  expect(doubted).toMatchObject({ provenance: 'camera', evidence: { says: 'generated', contradicts: true } })
  expect(await resolved(client, doubted.assetRef, 'gbp')).toMatchObject({ code: 'provenance-not-allowed' })

  const broken = await operator.uploads(readFileSync(fixturePath('c2pa/XCA.jpg')), { session: jpeg })
  expect(broken.evidence).toMatchObject({ signature: 'broken', says: null })
})

test('a film too large to be checked at once counts as what it says, and its signature is checked soon after', async () => {
  const client = await w.newClient()
  const { operator } = client
  const film = await largeSignedFilm()
  const session = { originalFilename: 'film.mp4', mimeType: 'video/mp4' }
  const { assetId, assetRef, evidence } = await operator.uploads(film, { session })
  expect(evidence).toMatchObject({ says: 'generated', c2pa: { isElsewhere: false } })
  expect(await resolved(client, assetRef, 'gbp')).toMatchObject({ code: 'provenance-not-allowed' })
  const slow = { timeout: 150_000, interval: 250 }
  const signature = async () => (await operator.reads(assetId)).body.evidence?.signature
  await expect.poll(signature, slow).toBe('unknown-signer')
  expect(await operator.edits(assetId, { provenance: 'camera' })).toEqual(refusal('provenance-contradicted'))
  await expect
    .poll(async () => (await operator.reads(assetId)).body.sha256, slow)
    .toBe(createHash('sha256').update(film).digest('hex'))
})

async function largeSignedFilm(): Promise<Buffer> {
  const rest = Buffer.alloc(64 * 1024 ** 2)
  rest.writeUInt32BE(rest.length)
  rest.write('mdat', 4)
  const film = Buffer.concat([readFileSync(fixturePath('a.mp4')), rest])
  const signer = readSigner(makeCertificates())!
  const generated = { hasManifest: false, digitalSourceType: 'trainedAlgorithmicMedia' }
  const [mimeType, { sign }] = ['video/mp4' as const, signer]
  const made = { bytes: film, mimeType, actions: ['c2pa.transcoded' as const] }
  return Buffer.from(await signAs({ mimeType, ...inMemory(film), sign }, made, { ...signer, ...generated }))
}

test('a version keeps what its own file says, also when it comes back', async () => {
  const client = await w.newClient()
  const { operator } = client
  const marked = await photo().withXmp(sourceTypePacket('trainedAlgorithmicMedia')).jpeg().toBuffer()
  const { assetId, assetRef } = await operator.uploads(marked, { session: jpeg })
  await operator.uploads(await photo().jpeg().toBuffer(), { session: { ...jpeg, replacesAssetId: assetId } })
  expect((await operator.reads(assetId)).body.evidence).toMatchObject({ says: null })
  expect(await resolved(client, assetRef, 'gbp')).toMatchObject({ ok: true })
  expect(await resolved(client, `${assetRef}@1`, 'gbp')).toMatchObject({ code: 'provenance-not-allowed' })
  await operator.post(`${operator.door.assets}/${assetId}/versions/1/restore`)
  expect((await operator.reads(assetId)).body).toMatchObject({ version: 3, evidence: { says: 'generated' } })
})

test('files from before are looked at bit by bit, and one that is gone does not hold up the others', async () => {
  const client = await w.newClient()
  const { db, jobs } = w.parts
  const old = await client.operator.uploads(signed(), { session: jpeg })
  const plain = await client.operator.uploads(await photo().jpeg().toBuffer(), { session: jpeg })
  const gone = await client.operator.uploads(await photo().png().toBuffer())
  const ids = [old, plain, gone].map(({ assetId }) => assetId)
  await db.updateTable('assets').set({ evidence: null }).where('id', 'in', ids).execute()
  const versions = db.updateTable('asset_versions').set({ evidence: null })
  await versions.where('asset_id', 'in', ids).execute()
  await versions.set({ object_prefix: 'assets/nowhere' }).where('asset_id', '=', gone.assetId).execute()
  expect((await client.operator.reads(old.assetId)).body.evidence).toBeNull()

  await db.transaction().execute((trx) => jobs.send(trx, 'focal', {}))
  const found = async () =>
    Promise.all(ids.map(async (id) => (await client.operator.reads(id)).body.evidence?.signature))
  await expect.poll(found).toEqual(['unknown-signer', null, null])
  expect(await resolved(client, old.assetRef, 'gbp')).toMatchObject({ code: 'provenance-not-allowed' })
})
