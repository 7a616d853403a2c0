import { expect, test } from 'vitest'
import { tidyName } from './folder-tree.ts'

test('a name from a disk becomes one the library takes', () => {
  expect(tidyName('  Café\u0301 ')).toBe('Café\u0301'.normalize('NFC'))
  expect(tidyName('a\tb:c')).toBe('a-b:c')
  expect([...tidyName('😀'.repeat(200))]).toHaveLength(120)
  expect(tidyName('   ')).toBe('-')
})
