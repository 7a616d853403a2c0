import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Makes in dist/release what people who run it are given: the package, what is in it, under which licences, and the checksums of all three. */

const root = fileURLToPath(new URL('../', import.meta.url))
const made = `${root}dist/release/`

await rm(made, { recursive: true, force: true })
await mkdir(made, { recursive: true })
await run('npm', 'pack', '--pack-destination', made)
await copyFile(`${root}dist/program/LICENCES.txt`, `${made}LICENCES.txt`)
await billOfMaterials()
await writeFile(`${made}SHA256SUMS`, await checksums())
console.log(await readFile(`${made}SHA256SUMS`, 'utf8'))

async function billOfMaterials(): Promise<void> {
  await run('npm', 'ci', '--prefix', 'release', '--omit=optional', '--ignore-scripts')
  const options = [
    '--package-lock-only',
    '--flatten-components',
    '--output-reproducible',
    '--spec-version',
    '1.6',
  ]
  const { stdout } = await run(`${root}release/node_modules/.bin/cyclonedx-npm`, ...options)
  await writeFile(
    `${made}sbom.json`,
    `${JSON.stringify(await ofWhatIsShipped(JSON.parse(stdout)), null, 2)}\n`,
  )
}

interface Bill {
  components: { group?: string; name: string; version: string; 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** Without what only builds and tests; what of that is built into the web app stays. */
async function ofWhatIsShipped(bill: Bill): Promise<Bill> {
  const { stdout } = await run(process.execPath, 'cli/licences.ts', '--shipped', '--json')
  const shipped = new Set((JSON.parse(stdout) as Bill['components']).map(idOf))
  const leftOut = new Set(
    bill.components.filter((each) => !shipped.has(idOf(each))).map((each) => each['bom-ref']),
  )
  return {
    ...bill,
    components: bill.components.filter((each) => !leftOut.has(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !leftOut.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((each) => !leftOut.has(each)) })),
  }
}

function idOf({ group, name, version }: Bill['components'][number]): string {
  return `${[group, name].filter(Boolean).join('/')}@${version}`
}

/** As `sha256sum --check` reads them. */
async function checksums(): Promise<string> {
  const lines = (await readdir(made)).sort().map(async (name) => {
    const digest = createHash('sha256')
      .update(await readFile(made + name))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
  return (await Promise.all(lines)).join('')
}

function run(program: string, ...args: string[]) {
  return promisify(execFile)(program, args, { cwd: root, maxBuffer: 1e8 })
}
