import { beforeEach, inject } from 'vitest'

const chromium = inject('chromium')

beforeEach(({ skip }) => {
  if ('missing' in chromium) skip(chromium.missing)
})
