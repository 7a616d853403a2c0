import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * What only tests, checks and measurements need has a lockfile of its own in this folder, and is installed by whichever of them is the first to run,
 * and again after the lockfile has changed.
 */

const here = fileURLToPath(new URL('./', import.meta.url))
const writtenAt = (file: string) => statSync(here + file, { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes its own account of what is there last.
if (writtenAt('node_modules/.package-lock.json') < writtenAt('package-lock.json')) {
  console.error('Installing what tests and checks need …')
  execFileSync('npm', ['ci', '--prefix', here], { stdio: ['ignore', 'ignore', 'inherit'] })
}
