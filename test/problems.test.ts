import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { problems } from '../contract/problems.ts'

const sources = globSync('server/**/*.ts')
  .filter((file) => !/\.test\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))

test('every code is thrown somewhere: as the first thing a problem or a refusal is given, or chosen for it', () => {
  const unused = Object.keys(problems).filter((code) => {
    const thrown = new RegExp(`\\w\\(\\s*'${code}'|[?:] '${code}'`)
    return !sources.some((source) => thrown.test(source))
  })
  expect(unused).toEqual([])
})
