import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,contract,cli,test}/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
