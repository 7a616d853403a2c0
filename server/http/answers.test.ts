import { expect, test } from 'vitest'
import { Problem } from '../problems.ts'
import { asProblem, logProblem } from './answers.ts'

test('a fault of ours is logged with its stack, one of others without, and a mistake of a caller not at all', () => {
  const told: unknown[][] = []
  const at =
    (level: number) =>
    (...line: unknown[]) =>
      void told.push([level, ...line])
  const log = { warn: at(40), error: at(50) } as never
  const ours = new Error('undefined is not a function')
  const away = new Problem('storage-unavailable', 'Away.', { cause: new Error('ECONNREFUSED') })
  logProblem(log, asProblem(ours), { tool: 'pick_assets' })
  logProblem(log, away)
  logProblem(log, new Problem('storage-not-configured', 'Set it up.'))
  logProblem(log, new Problem('source-failed', 'No host.', { cause: new Error('ENOTFOUND') }))
  logProblem(log, new Problem('not-found', 'Nothing.'))
  expect(told).toEqual([
    [50, { err: ours, tool: 'pick_assets' }, 'internal-error'],
    [50, { err: away }, 'storage-unavailable'],
    [40, { detail: 'Set it up.' }, 'storage-not-configured'],
    [40, { detail: 'No host.', because: 'ENOTFOUND' }, 'source-failed'],
  ])
})
