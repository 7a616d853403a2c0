import { afterAll, vi } from 'vitest'

/** For a file that looks for what is alike in meaning: the PostgreSQL of the tests has no vectors. */
export function onEmbedded(): void {
  vi.stubEnv('TEST_WORLD', 'embedded')
  afterAll(() => vi.unstubAllEnvs())
}
