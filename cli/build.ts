import { glob, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Builds the web app, unless what is there is newer than everything it is made of. */
if (process.argv.includes('--force') || (await isStale())) {
  console.log('Building the web app …')
  const { build } = await import('vite')
  await build({ root: `${root}web`, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
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
