import { glob } from 'node:fs/promises'
import { createContext, runInContext } from 'node:vm'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Strict } from '../contract/words.ts'
import { bodyReader } from '../server/http/requests.ts'

const root = new URL('../', import.meta.url)

/** Each pattern of the contract, by where it was found. */
async function patterns(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const walk = (value: unknown, where: string) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value))
      if (key === 'pattern' && typeof inner === 'string') found.set(inner, where)
      else walk(inner, `${where}.${key}`)
  }
  for await (const file of glob('contract/*.ts', { cwd: root }))
    if (!file.endsWith('.test.ts')) walk(await import(new URL(file, root).href), file)
  return found
}

/** What is repeated before it goes wrong at its very end: each may make one that tries all ways anew. */
const pumps = ['a', ' ', '-', '.', '0', 'é', 'a.', 'a-', ' a', '/a', 'A1']
const heads = ['', 'a@', 'https://', 'urn:li:person:', 'whsec_', 'en-']
const ends = ['\u0001', '\n', '!', '@', '']

test('no pattern keeps the process for the length of what it is asked of', async () => {
  const all = await patterns()
  expect(all.size).toBeGreaterThan(10)
  const slow: string[] = []
  for (const [pattern, where] of all) {
    const asked = createContext({ pattern, pumps, heads, ends })
    try {
      // Linear ones take a few milliseconds; those that grow with the square would take minutes.
      runInContext(
        `const one = new RegExp(pattern, 'u')
         for (const head of heads) for (const pump of pumps) for (const end of ends)
           one.test(head + pump.repeat(60_000 / pump.length) + end)`,
        asked,
        { timeout: 20_000 },
      )
    } catch (error) {
      slow.push(`${where}: ${pattern}: ${error}`)
    }
  }
  expect(slow).toEqual([])
}, 600_000)

test('each field is held to its own pattern', () => {
  const field = (pattern: string) => Type.String({ pattern })
  const read = bodyReader(Strict({ word: field('^\\p{L}+$'), number: field('^[0-9]+$') }))
  expect(read({ word: 'Café', number: '12' })).toEqual({ word: 'Café', number: '12' })
  expect(() => read({ word: 'Café', number: 'Café' })).toThrow('number')
  expect(() => read({ word: '12', number: '12' })).toThrow('word')
})
