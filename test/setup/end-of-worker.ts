import { TestRunner, type TestRunnerConfig } from 'vitest'

type End = () => Promise<unknown>

// Files may each read this module anew: what outlives them stands outside of it.
const everywhere = globalThis as { endsOfWorker?: End[] }
everywhere.endsOfWorker ??= []
const ends = everywhere.endsOfWorker

/** For what many test files use, one after the other: done once, when the process that ran them is told to stop. */
export const atEndOfWorker = (end: End): void => void ends.push(end)

const endAll = () => Promise.all(ends.splice(0).map((end) => end()))

/** Vitest's own runner, which alone is told of that end. */
export default class RunnerWithEnd extends TestRunner {
  constructor(config: TestRunnerConfig) {
    super(config)
    this.onCleanupWorkerContext?.(endAll)
  }
}
