import type { Reporter, TestModule } from 'vitest/node'
import type { Experiment } from '../hard/table.ts'

/** Prints what the experiments found, once all of them have ended. */
export default class ClosingTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) =>
        (test.meta().experiments ?? []).map((row) => cells(row, test.result().state === 'passed')),
      ),
    )
    if (rows.length > 0) process.on('exit', () => console.log(`\n${asTable([heads, ...rows])}\n`))
  }
}

const heads = ['experiment', 'load', 'faults', 'lost', 'leaked', 'recovered in', '']

const cells = (row: Experiment, held: boolean): string[] => [
  row.experiment,
  row.load,
  row.faults,
  String(row.lost),
  String(row.leaked),
  row.recoveredInSeconds === undefined ? '–' : `${row.recoveredInSeconds.toFixed(1)} s`,
  held ? 'held' : 'FAILED',
]

function asTable(rows: string[][]): string {
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')
}
