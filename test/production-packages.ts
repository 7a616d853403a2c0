import { mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Puts into a folder's node_modules what `npm ci --omit=dev` installs, and nothing else. */
export async function linkProductionPackages(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const names = Object.keys(packages)
    .filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !packages[path].dev)
    .map((path) => path.slice('node_modules/'.length))
  for (const name of names) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(root, 'node_modules', name), place)
  }
}
