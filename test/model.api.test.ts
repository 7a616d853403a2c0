import { test } from 'vitest'
import { libraryIsItsModel } from './model.ts'
import { world } from './world.ts'

// No jobs: nothing but the commands changes the library.
const w = await world({ ROLE: 'api' })

test(
  'whatever is done to a library, in whatever order, it is what a simple model says',
  { timeout: 120_000 },
  () => libraryIsItsModel(async () => (await w.newClient()).operator, { runs: 12, length: 30 }),
)
