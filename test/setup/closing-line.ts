import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends the output with what was skipped and why, what passed at its second try, what failed, and one line that says how
 * many tests passed and failed.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const skipped: TestCase[] = []
    const tried: TestCase[] = []
    const failed: string[] = errors.map((error) => `outside of any test: ${inBrief(error)}`)
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) counts[test.result().state]++
      tried.push(...tests.filter((test) => test.diagnostic()?.flaky))
      skipped.push(...tests.filter((test) => ['skipped', 'pending'].includes(test.result().state)))
      const failures = tests.filter((test) => test.result().state === 'failed')
      failed.push(...failures.map((test) => `${nameOf(test)}: ${inBrief(test.result().errors?.[0])}`))
      if (module.state() === 'failed' && failures.length === 0) {
        failed.push(`${module.relativeModuleId}: ${inBrief(module.errors()[0])}`)
        counts.failed++
      }
    }
    process.on('exit', () => {
      for (const line of reasons(skipped)) console.log(line)
      for (const test of tried)
        console.log(`at the second try: ${nameOf(test)}: ${inBrief(test.result().errors?.[0])}`)
      for (const failure of failed) console.log(`failed: ${failure}`)
      console.log(`${counts.passed} passed, ${counts.failed} failed`)
      // The embedded PostgreSQL hooks into the end of the process and would make it a good one.
      if (counts.failed > 0) process.exitCode = 1
    })
  }
}

const nameOf = ({ module, fullName }: TestCase) => `${module.relativeModuleId} > ${fullName}`

/** In one line: what a browser was waited for stands below the first. */
function inBrief(error: unknown): string {
  const { message } = (error ?? {}) as { message?: string }
  return stripVTControlCharacters(String(message ?? error))
    .replace(/\s+/g, ' ')
    .slice(0, 300)
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
