import { expect } from 'vitest'
import type { FaultProxy } from './fault-proxy.ts'
import type { FaultyStore, StoreFault, Wish } from './faulty-store.ts'
import { type Answer, type Person, puts } from './person.ts'
import { png, pngOfSize } from './pictures.ts'

export const partSize = 5 * 1024 ** 2

/** With these settings a file of a little more than one part is sent in two. */
export const inSmallParts = { MULTIPART_FROM_BYTES: String(partSize), PART_SIZE_BYTES: String(partSize) }

/** A store that can be spoilt, and the line to it. */
export interface Reach {
  store: FaultyStore
  line: FaultProxy
}

type Trouble = [name: string, begin: (reach: Reach) => void]

export const loudTroubles: Trouble[] = [
  ['answers 503', ({ store }) => store.suffers('busy')],
  ['resets the line', ({ store }) => store.suffers('reset')],
  ['says 200 with an error inside', ({ store }) => store.suffers(errorInside)],
  ['breaks off its answers', ({ store }) => store.suffers(cutBody)],
  ['lies behind a line that throws everybody out', ({ line }) => line.weather({ trouble: 'reset' })],
]

/** These take as long as the server's timeouts. */
export const silentTroubles: Trouble[] = [
  ['is silent', ({ store }) => store.suffers('silent')],
  ['lies behind a line that swallows everything', ({ line }) => line.weather({ trouble: 'swallow' })],
]

const errorInside = ({ method, path, copies }: Wish): StoreFault | undefined =>
  copies || method === 'POST' || path.includes('list-type=2') ? 'error inside' : undefined

const cutBody = ({ method, copies }: Wish): StoreFault | undefined =>
  method === 'GET' || method === 'POST' || copies ? 'cut body' : undefined

export function clear({ store, line }: Reach): void {
  store.suffers(undefined)
  line.weather({})
}

/** While it lasts, what needs the store answers 503 and the rest works; once it is over, all is well. Says after how long. */
export async function sitsOut(
  operator: Person,
  reach: Reach,
  begin: Trouble[1],
): Promise<{ recoveredInSeconds: number; refusedInSeconds: number }> {
  const content = (assetId: string) => operator.fetch(`${operator.door.assets}/${assetId}/content`)
  const asset = await operator.uploads(png(40, 30, colour()))
  const tokens = [await uploaded(operator), await uploadedInParts(operator)]
  // Leaves lines of the pool idle, as they are when trouble comes.
  await Promise.all(Array.from({ length: 4 }, async () => (await content(asset.assetId)).arrayBuffer()))

  const began = performance.now()
  begin(reach)
  for (const answer of await Promise.all(tokens.map((token) => operator.finalizes(token)))) isRefusal(answer)
  const refusedInSeconds = (performance.now() - began) / 1000
  expect((await operator.lists()).status).toBe(200)
  expect((await operator.edits(asset.assetId, { title: 'Edited meanwhile' })).status).toBe(200)
  expect((await operator.opensUpload()).status).toBe(201)

  clear(reach)
  const over = performance.now()
  for (const token of tokens)
    expect(await untilMade(operator, token, over + 30_000)).toMatchObject({ status: 201 })
  expect(Buffer.from(await (await content(asset.assetId)).arrayBuffer())).toHaveLength(asset.sizeBytes)
  return { recoveredInSeconds: (performance.now() - over) / 1000, refusedInSeconds }
}

function isRefusal({ status, headers, body }: Answer): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'storage-unavailable' })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(body.detail).toMatch(/try again/i)
}

async function uploaded(person: Person): Promise<string> {
  const bytes = png(20, 10, colour())
  const { body } = await person.opensUpload({ expectedSizeBytes: bytes.length })
  expect((await puts(body, bytes)).status).toBe(200)
  return body.uploadToken
}

async function uploadedInParts(person: Person): Promise<string> {
  const bytes = pngOfSize(partSize + 1000, seed++)
  const { body } = await person.opensUpload({ expectedSizeBytes: bytes.length })
  const { uploadToken } = body
  const parts = { uploadToken, partNumbers: [1, 2] }
  const permits = await person.post(`${person.door.assets}/upload-session/parts`, parts)
  for (const { partNumber, uploadUrl } of permits.body.parts) {
    const part = bytes.subarray((partNumber - 1) * partSize, partNumber * partSize)
    expect((await puts({ uploadUrl }, part)).status).toBe(200)
  }
  return uploadToken
}

async function untilMade(person: Person, token: string, deadline: number): Promise<Answer> {
  for (;;) {
    const answer = await person.finalizes(token)
    if (answer.status === 201 || performance.now() > deadline) return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

let seed = 1
const colour = (): [number, number, number] => [seed++ % 256, 90, 120]
