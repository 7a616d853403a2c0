import { TestRunner } from 'vitest'

/** One line of the table that `npm run test:hard` ends with. */
export interface Experiment {
  experiment: string
  load: string
  faults: string
  /** Acknowledged and not there afterwards. */
  lost: number
  /** There afterwards and belonging to nothing: rows, objects, files, sockets. */
  leaked: number
  recoveredInSeconds?: number
}

declare module 'vitest' {
  interface TaskMeta {
    experiments?: Experiment[]
  }
}

/** Puts a line into the table: call it inside a test, before what is expected of its figures, so that it stands there either way. */
export function experiment(row: Experiment): void {
  const { meta } = TestRunner.getCurrentTest()!
  meta.experiments = [...(meta.experiments ?? []), row]
}
