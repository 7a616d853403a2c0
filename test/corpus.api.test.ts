import { expect, test } from 'vitest'
import { corpus, fixtureSamples, outcomeOf } from './corpus.ts'
import { world } from './world.ts'

const w = await world({ ROLE: 'api' })

// The same ones every time, some of each type and verdict; all of them in npm run test:hard.
const samples = corpus.length > 0 ? corpus : fixtureSamples()
const some = [...Map.groupBy(samples, ({ type, expect: wanted }) => `${type} ${wanted}`).values()].flatMap(
  (alike) => alike.filter((_, place) => place % 60 === 0),
)

test(`${some.length} of ${samples.length} bad files get one verdict at all doors: admin, portal and key`, {
  timeout: 240_000,
}, async () => {
  const { operator, portal, agent } = await w.newClient()
  const outcomes = await Promise.all(
    some.map(async (sample) => ({
      file: sample.file,
      outcomes: [
        await outcomeOf(operator, sample),
        await outcomeOf(portal, sample),
        await outcomeOf(agent, sample),
      ],
    })),
  )
  for (const { file, outcomes: found } of outcomes) {
    const [atAdmin, atPortal, byKey] = found.map(({ verdict, code }) => ({ verdict, code }))
    expect(atAdmin!.verdict, `${file}: ${atAdmin!.code}`).not.toBe('fault')
    expect([atPortal, byKey], file).toEqual([atAdmin, atAdmin])
  }
})
