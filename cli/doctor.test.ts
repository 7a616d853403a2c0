import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

async function examined(
  environment: Record<string, string>,
): Promise<{ code: number; findings: { part: string; ok: boolean; says: string }[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'library-doctor-'))
  const env = { PATH: process.env.PATH, DATA_DIR: folder, ...environment }
  try {
    return await new Promise((resolve) =>
      execFile(process.execPath, ['cli/asset-library.js', 'doctor', '--json'], { env }, (error, stdout) =>
        resolve({ code: error ? Number(error.code) : 0, findings: JSON.parse(stdout) }),
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('on embedded defaults everything is well', async () => {
  const { code, findings } = await examined({})
  expect(findings.map(({ part }) => part)).toEqual([
    'settings',
    'database',
    'storage',
    'pictures',
    'videos',
    'walls',
  ])
  expect(findings.filter(({ ok, part }) => !ok && part !== 'videos')).toEqual([])
  expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1)
})

test('what is wrong is named with what mends it', async () => {
  const { code, findings } = await examined({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    STORAGE_BUCKET_NAME: 'bucket',
  })
  const said = Object.fromEntries(findings.map(({ part, ok, says }) => [part, ok || says]))
  expect(said.database).toContain('correct DATABASE_URL')
  expect(said.storage).toContain('Set STORAGE_ACCOUNT_ID, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY')
  expect(code).toBe(1)
})

test('a wrong setting is the first thing said', async () => {
  expect(await examined({ PORT: 'eighty' })).toMatchObject({
    code: 1,
    findings: [{ part: 'settings', ok: false }],
  })
})
