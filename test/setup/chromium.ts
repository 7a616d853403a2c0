import type { TestProject } from 'vitest/node'
import { ChromiumMissing, findChromium } from '../web/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: { path: string } | { missing: string }
  }
}

/** Finds the browser once, before any worker starts: a packaged one is unpacked on the way. */
export default async function setup(project: TestProject) {
  const chromium = await findChromium().then(
    (path) => ({ path }),
    (error: unknown) => {
      if (error instanceof ChromiumMissing) return { missing: error.message }
      throw error
    },
  )
  if ('missing' in chromium) console.warn(`Browser tests are skipped. ${chromium.missing}`)
  project.provide('chromium', chromium)
}
