import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from './bases.ts'

test('systemd understands the unit, and finds it confined', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library-unit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const unit = join(folder, 'asset-library.service')
  const text = await readFile('deploy/asset-library.service', 'utf8')
  await writeFile(unit, text.replace('/usr/bin/node', process.execPath))

  // What it does not know it only warns of.
  expect(await run('sh', '-c', 'systemd-analyze verify "$1" 2>&1', 'sh', unit)).toBe('')
  const security = ['systemd-analyze', 'security', '--offline=true', '--no-pager', '--threshold=20', unit]
  expect((await run(...(security as [string]))).split('\n').at(-1)).toMatch(/: 1\.\d OK/)
})
