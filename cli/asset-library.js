#!/usr/bin/env node
// Plain JavaScript, so that even an old Node can read it and hand over to the one that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) await (await import(commandLine())).main()
else handOver()

/** The source; in a package, what was made of it. */
function commandLine() {
  const source = new URL('command-line.ts', import.meta.url)
  return existsSync(source) ? source : new URL('../dist/program/cli/command-line.js', import.meta.url)
}

function handOver() {
  const bundled = bundledNode()
  if (!bundled) {
    console.error(
      `Node ${process.versions.node} is too old: use 22.18 or later, or run npm ci, which brings its own.`,
    )
    process.exit(1)
  }
  const child = spawn(bundled, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

function bundledNode() {
  try {
    const { resolve } = createRequire(import.meta.url)
    return resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}
