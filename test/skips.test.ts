import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// A test that is skipped says why, and the run ends with it: `skip(!hasUnzip, 'unzip is not installed')`.
const silent = [
  /\.(skipIf|runIf)\(/,
  /\b(test|it|describe)\.(skip|todo|only)\b/,
  /\bskip\(\)/,
  /\b(test|it|describe)\b(?! =).*=> \{\n\s+if \(.*\) return\b(?! skip)/,
  /^\s+if \(.*\) return console\./m,
]

test('no test is skipped without a word, or passes because it returned before it began', () => {
  const files = globSync('{server,contract,cli,test,web,agents}/**/{*.test.ts,*-contract.ts}', {
    exclude: ['**/node_modules/**'],
  })
  expect(files.length).toBeGreaterThan(50)
  const found = files
    .filter((file) => !file.endsWith('skips.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      return silent.flatMap((form) => form.exec(source)?.[0] ?? []).map((text) => `${file}: ${text.trim()}`)
    })
  expect(found).toEqual([])
})
