import type { Reporter, TestModule } from 'vitest/node'

/** Ends the output with one line that says how many tests passed and failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) counts[test.result().state]++
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed'))
        counts.failed++
    }
    const skipped = counts.skipped + counts.pending
    process.on('exit', () => {
      if (skipped > 0) console.log(`${skipped} skipped: not for this database, or a tool is missing`)
      console.log(`${counts.passed} passed, ${counts.failed} failed`)
      // The embedded PostgreSQL hooks into the end of the process and would make it a good one.
      if (counts.failed > 0) process.exitCode = 1
    })
  }
}
