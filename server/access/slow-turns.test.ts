import { expect, test } from 'vitest'
import { SlowTurns } from './slow-turns.ts'

test('attempts on one account take their turn, each network in its own, and too many are turned away', async () => {
  const turns = new SlowTurns(4)
  const order: string[] = []
  const began = performance.now()
  const tries = (account: string, network: string) =>
    turns.wait(account, network, 20).then((begun) => {
      if (begun) order.push(`${account} ${network}`)
      return begun
    })
  const waiting = [tries('anna', 'a'), tries('anna', 'a'), tries('anna', 'a'), tries('anna', 'b')]
  const other = tries('bert', 'a')
  const begun = await Promise.all([...waiting, other, tries('anna', 'c'), tries('anna', 'd')])
  expect(begun).toEqual([true, true, true, true, true, true, false])
  expect(performance.now() - began).toBeGreaterThanOrEqual(5 * 19)
  expect(order.filter((one) => one.startsWith('anna'))).toEqual([
    'anna a',
    'anna a',
    'anna b',
    'anna c',
    'anna a',
  ])
  expect(await tries('anna', 'd')).toBe(true)
})
