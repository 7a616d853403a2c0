import { expect, test } from 'vitest'
import { csvName } from './file-name.ts'

const day = new Date(2026, 10, 9, 23, 59)

test('a file is named after what it has, of whom and of what, and the day', () => {
  expect(csvName(['Texts', 'Harbour Café', 'Menus'], day)).toBe(
    'Texts – Harbour Café – Menus – 2026-11-09.csv',
  )
  expect(csvName(['Texte', undefined, ''], day)).toBe('Texte – 2026-11-09.csv')
})

test('its name is one on every file system', () => {
  expect(csvName(['Texts', 'A/B: "C"?', '..\u202egnp.', '\u0000'], day)).toBe(
    'Texts – A_B_ _C__ – ..gnp – 2026-11-09.csv',
  )
  const long = csvName(['Texts', 'Ü'.repeat(200), '👩‍👩‍👧'.repeat(40)], day)
  expect(new TextEncoder().encode(long).length).toBeLessThan(255)
  expect(long).toMatch(/^Texts – Ü{30} – (👩‍👩‍👧){3} – 2026-11-09\.csv$/)
})
