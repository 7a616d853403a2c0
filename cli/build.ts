import { glob, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from './command.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export const command: Command = {
  summary: 'Build the web app, unless what is there is newer than everything it is made of.',
  options: { force: { explain: 'Build it in any case.' } },
  async run(given) {
    const built = given.flag('force') || (await isStale())
    if (built) await build()
    return { lines: [], json: { built } }
  },
}

async function build(): Promise<void> {
  console.error('Building the web app …')
  const vite = await import('vite')
  await vite.build({ root: `${root}web`, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
}

async function isStale(): Promise<boolean> {
  const built = await stat(`${root}dist/web/index.html`).catch(() => undefined)
  if (!built) return true
  for await (const file of glob(['web/**/*.*', 'contract/*.ts', 'vite.config.ts', 'package-lock.json'], {
    cwd: root,
  }))
    if ((await stat(`${root}${file}`)).mtimeMs > built.mtimeMs) return true
  return false
}
