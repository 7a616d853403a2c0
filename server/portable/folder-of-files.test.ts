import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder } from './folder-of-files.ts'

test('a file that is not taken is called what it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'library-folder-'))
  try {
    await copyFile(new URL('../media/fixtures/a.gif', import.meta.url), join(folder, 'a.gif'))
    const { assets } = await readFolder(folder)
    expect(assets.map(({ versions }) => versions[0]!.mimeType)).toEqual(['image/gif'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
