import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends the output with what was skipped and why, what passed at its second try, and one line that says how many tests passed and failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const skipped: TestCase[] = []
    const tried: TestCase[] = []
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) counts[test.result().state]++
      tried.push(...tests.filter((test) => test.diagnostic()?.flaky))
      skipped.push(...tests.filter((test) => ['skipped', 'pending'].includes(test.result().state)))
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed'))
        counts.failed++
    }
    process.on('exit', () => {
      for (const line of reasons(skipped)) console.log(line)
      for (const { module, fullName } of tried)
        console.log(`at the second try: ${module.relativeModuleId} > ${fullName}`)
      console.log(`${counts.passed} passed, ${counts.failed} failed`)
      // The embedded PostgreSQL hooks into the end of the process and would make it a good one.
      if (counts.failed > 0) process.exitCode = 1
    })
  }
}

/** Each reason once, with the tests it kept from running. */
function reasons(skipped: readonly TestCase[]): string[] {
  const byReason = Map.groupBy(skipped, (test) => noteOf(test) ?? 'not asked for')
  return [...byReason].flatMap(([reason, tests]) => [
    `${tests.length} skipped: ${reason}`,
    ...(reason === 'not asked for' ? [] : [...new Set(tests.map(({ fullName }) => `  ${fullName}`))]),
  ])
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}
