import type { TestProject } from 'vitest/node'
import { builtImage } from './bases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    image: string
  }
}

/** Once for all files. */
export default async function setup(project: TestProject) {
  project.provide('image', await builtImage())
}
