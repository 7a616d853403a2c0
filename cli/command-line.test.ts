import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { command } from '../test/command.ts'

vi.setConfig({ testTimeout: 180_000 })

let folder: string
let run: ReturnType<typeof command>['run']
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-cli-'))
  run = command({ DATA_DIR: folder }).run
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const names = [
  ...['serve', 'migrate', 'doctor', 'check', 'sweep', 'client', 'user', 'key'],
  ...['import', 'export', 'backup', 'restore', 'settings', 'build'],
]

test('without a command, all of them are listed', async () => {
  const { code, output } = await run()
  expect(code).toBe(0)
  for (const name of names) expect(output).toMatch(new RegExp(`^  ${name} +[A-Z].*\\.$`, 'm'))
})

test('each explains itself', async () => {
  const asked = [['settings'], ['migrate'], ['backup'], ['user'], ['user', 'add'], ['key', 'revoke']]
  for (const answers of await inPairs(asked, (args) => run(...args, '--help'))) {
    expect(answers.code).toBe(0)
    expect(answers.output).toMatch(/^Usage: asset-library \w+.*\n\n[A-Z].*\./)
  }
})

describe('used wrongly, it says how in one line and ends with 2', () => {
  const wrong: [string[], RegExp][] = [
    [['dance'], /^There is no command dance\. Commands: serve, /],
    [['user', 'dance'], /^There is no user dance\. Actions: list, add/],
    [['migrate', '--quick'], /^Unknown option '--quick'\. See asset-library migrate --help\.$/],
    [['migrate', 'now'], /^migrate takes nothing but options, not now\.$/],
    [['user', 'add', '--role', 'admin'], /^user add needs --email EMAIL\./],
    [['import', '--client', 'x'], /^import takes DIR\./],
  ]
  test('in all these ways', async () => {
    const ended = await inPairs(wrong, ([args]) => run(...args))
    ended.forEach(({ code, errors }, index) => {
      expect(errors.trimEnd()).toMatch(wrong[index]![1])
      expect(errors.trimEnd()).not.toContain('\n')
      expect(code).toBe(2)
    })
  })
})

test('with --json what is wrong is a document, too', async () => {
  const { code, json } = await run('dance', '--json')
  expect(json).toEqual({ error: { code: 'wrong-use', detail: expect.stringContaining('no command dance') } })
  expect(code).toBe(2)
})

async function inPairs<A, B>(all: A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = []
  for (let first = 0; first < all.length; first += 2)
    results.push(...(await Promise.all(all.slice(first, first + 2).map(work))))
  return results
}
