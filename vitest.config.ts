import { defineConfig } from 'vitest/config'

// Node runs the source as it is; so do the tests.
const oxc = { target: 'esnext' }
const limits = { testTimeout: 60_000, hookTimeout: 180_000 }
const api = ['{server,test}/**/*.api.test.ts']
const hard = ['test/hard/**/*.hard.test.ts']

// Whatever talks to the API runs twice: on the embedded default, and on PostgreSQL with R2's S3 dialect.
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/setup/closing-line.ts'],
    projects: [
      {
        oxc,
        test: {
          name: 'plain',
          include: ['{server,contract,cli,test,web,agents}/**/*.test.ts'],
          exclude: [...api, ...hard, '**/node_modules/**'],
          ...limits,
        },
      },
      {
        oxc,
        test: {
          name: 'embedded',
          include: api,
          globalSetup: 'test/setup/embedded.ts',
          env: { TEST_WORLD: 'embedded' },
          ...limits,
        },
      },
      {
        oxc,
        test: {
          name: 'postgres',
          include: api,
          globalSetup: 'test/setup/postgres.ts',
          env: { TEST_WORLD: 'postgres' },
          ...limits,
        },
      },
      // The long ones, by name only: npm run test:hard.
      { test: { name: 'hard', include: hard, ...limits } },
    ],
  },
})
