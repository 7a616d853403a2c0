import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeCertificates } from '../server/media/fixtures/certificates.ts'
import { fixturePath, inMemory } from '../server/media/fixtures/fixture.ts'
import { sourceTypePacket } from '../server/media/fixtures/marked.ts'
import { type ClientWorld, ownWorld } from './world.ts'

const its = makeCertificates()
const w = await ownWorld({
  C2PA_CERTIFICATE: its.certificate.replaceAll('\n', '\\n'),
  C2PA_PRIVATE_KEY: its.privateKey,
  C2PA_TRUST_ANCHORS: its.root,
})
const jpeg = { originalFilename: 'photo.jpg', mimeType: 'image/jpeg' }

async function renditionOf({ agent }: ClientWorld, assetId: string, target: string) {
  const answer = await agent.fetch(`${agent.door.assets}/${assetId}/rendition?target=${target}`)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const evidenceIn = async (bytes: Uint8Array, type: 'image/jpeg' | 'image/png' | 'image/webp') =>
  (await w.parts.media.inspect(inMemory(bytes), type)).evidence

test('what goes out is signed, by name; and comes in again as signed by somebody who is known', async () => {
  const client = await w.newClient()
  const { operator } = client
  const painted = await sharp(fixturePath('plain.jpg'))
    .resize(1200, 900, { fit: 'fill' })
    .withXmp(sourceTypePacket('trainedAlgorithmicMedia'))
    .jpeg()
    .toBuffer()
  const { assetId } = await operator.uploads(painted, { session: jpeg })
  const sent = await renditionOf(client, assetId, 'instagram')
  expect(await evidenceIn(sent, 'image/jpeg')).toMatchObject({
    signature: 'trusted',
    digitalSourceType: 'trainedAlgorithmicMedia',
    c2pa: { signer: 'Agency Signer, Agency Signer Ltd', digitalSourceType: 'trainedAlgorithmicMedia' },
  })
  const again = await operator.uploads(sent, { session: jpeg })
  expect(again.evidence).toMatchObject({ signature: 'trusted', says: 'generated' })
  const changed = Buffer.from(sent)
  changed[changed.length - 300]! ^= 1
  expect((await operator.uploads(changed, { session: jpeg })).evidence).toMatchObject({ signature: 'broken' })

  const foreign = await operator.uploads(readFileSync(fixturePath('c2pa/C.jpg')), { session: jpeg })
  expect(foreign.evidence).toMatchObject({ signature: 'unknown-signer' })
  const carried = await renditionOf(client, foreign.assetId, 'instagram')
  expect(await evidenceIn(carried, 'image/jpeg')).toMatchObject({ signature: 'trusted' })
  expect(carried.includes('make_test_images')).toBe(true)
  expect(carried.includes('John Doe')).toBe(false)

  // A film is made by a job, as one that is signed.
  const film = { originalFilename: 'film.mp4', mimeType: 'video/mp4' }
  const moving = await operator.uploads(readFileSync(fixturePath('hevc.mp4')), { session: film })
  const made = () => client.agent.fetch(`${client.agent.door.assets}/${moving.assetId}/rendition?target=x`)
  await expect.poll(async () => (await made()).status).toBe(200)
  const sentFilm = inMemory(Buffer.from(await (await made()).arrayBuffer()))
  expect((await w.parts.media.inspect(sentFilm, 'video/mp4')).evidence).toMatchObject({
    signature: 'trusted',
  })

  const status = (await operator.get('/status')).body
  expect(status.checks.media.detail).toMatch(/signs as Agency Signer until \d{4}-\d\d-\d\d/)
})
