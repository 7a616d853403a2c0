import { beforeEach, expect, test } from 'vitest'
import { json } from '../../test/delivery-peers.ts'
import { conceptVector, embeddingsPeer } from '../../test/embeddings-peer.ts'
import { openAi } from './ai.ts'
import { openMeaning } from './meaning.ts'

const server = await embeddingsPeer()
beforeEach(() => {
  server.answers()
  server.requests.length = 0
})
// A new one each time: what one has met does not hold up the next.
const meaning = (secondsToWait = 60) =>
  openMeaning(
    openAi({ baseUrl: `${server.url}/v1`, key: '', model: '', embeddingsModel: 'concepts' }),
    secondsToWait,
  )

const distance = (a: number[], b: number[]) => 1 - a.reduce((sum, number, at) => sum + number * b[at]!, 0)

test('what says the same is near, what does not is too far, whatever the scale of the model', async () => {
  for (const offset of [0, 0.5]) {
    server.answers((texts, response) =>
      json(response, {
        data: texts.map((text, index) => ({
          index,
          embedding: conceptVector(text).map((one) => one + offset),
        })),
      }),
    )
    const its = meaning()
    const sought = (await its.sought('client_a', 'Hochzeit'))!
    const [same, other] = await its.vectorsOf(['A bride at her wedding', 'The new espresso machine'])
    expect(distance(sought.vector, same!)).toBeLessThan(sought.farthest)
    expect(distance(sought.vector, other!)).toBeGreaterThan(sought.farthest)
  }
})

test('what one client has looked for is asked for once, and is no other’s', async () => {
  const its = meaning()
  const asked = [its.sought('client_a', 'Hochzeit'), its.sought('client_a', 'Hochzeit')]
  expect(await asked[0]).toEqual(await asked[1])
  await its.sought('client_b', 'Hochzeit')
  expect(server.texts()).toEqual(['Hochzeit', 'Hochzeit'])
})

test('one that hangs is given up and left alone; what is no vector of this model is none', async () => {
  const its = meaning(1)
  await its.space()
  server.answers(() => {})
  expect(await its.sought('client_a', 'Hochzeit')).toBeUndefined()
  server.answers()
  expect(await its.sought('client_a', 'Trauung')).toBeUndefined()
  expect(server.texts()).toEqual(['Hochzeit'])

  const other = meaning()
  await other.space()
  server.answers((texts, response) =>
    json(response, { data: texts.map((_, index) => ({ index, embedding: [1, 2, 3] })) }),
  )
  await expect(other.vectorsOf(['Hochzeit'])).rejects.toMatchObject({ code: 'ai-failed' })
  server.answers((texts, response) =>
    json(response, { data: texts.map((_, index) => ({ index, embedding: Array(5000).fill(0.1) })) }),
  )
  await expect(meaning().space()).rejects.toThrow('5000 numbers')
})
