import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The program as a package carries it, in dist/program: Node runs no TypeScript below a node_modules. Types leave blanks behind, so that a line of
 * the program is the line of its source.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const program = `${root}dist/program/`
// As they are imported, and as programs are named: './x.ts', new URL('x.ts', …).
const namesOfOurs = /((?<!\w)['"]\.{1,2}\/[^'"\s]+|new URL\(['"][^'"\s]+)\.ts(?=['"])/g

await rm(program, { recursive: true, force: true })
for await (const file of glob('{cli,contract,demo,server}/**/*.{ts,sql,png}', {
  cwd: root,
  exclude: isOfTests,
}))
  await take(file)
for (const folder of ['demo/files', 'dist/web'])
  await cp(root + folder, program + folder, { recursive: true })
const { name, version, type } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
await writeFile(`${program}package.json`, `${JSON.stringify({ name, version, type }, null, 2)}\n`)

async function take(file: string): Promise<void> {
  await mkdir(dirname(program + file), { recursive: true })
  if (!file.endsWith('.ts')) return cp(root + file, program + file)
  const source = stripTypeScriptTypes(await readFile(root + file, 'utf8'))
  await writeFile(`${program}${file.slice(0, -'.ts'.length)}.js`, source.replace(namesOfOurs, '$1.js'))
}

function isOfTests(path: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('media/fixtures')
}
