#!/usr/bin/env node
// Plain JavaScript, so that even an old Node can read it and hand over to the one that came with the packages.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) await (await import('./command-line.ts')).main()
else handOver()

function handOver() {
  const bundled = new URL(
    `../node_modules/node-${process.platform}-${process.arch}/bin/node`,
    import.meta.url,
  )
  if (!existsSync(bundled)) {
    console.error(
      `Node ${process.versions.node} is too old: use 22.18 or later, or run npm ci, which brings its own.`,
    )
    process.exit(1)
  }
  const child = spawn(fileURLToPath(bundled), [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
