import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const ground = ['db', 'storage', 'media', 'jobs', 'http', 'changes', 'telemetry', 'outbound']

/** Files at the root of the server that put rooms together; all others there are ground. */
const wiring = ['main.ts', 'app.ts', 'parts.ts', 'upkeep.ts', 'requeue.ts', 'demo.ts']

/** Which room leans on which. A new arrow is a decision: draw it here. */
const arrows: Record<string, string[]> = {
  access: [],
  check: ['assets', 'previews', 'uploads'],
  clients: ['access'],
  uploads: ['access', 'assets', 'clients', 'folders'],
  assets: ['access', 'folders', 'references'],
  folders: ['access', 'assets', 'references'],
  portable: ['assets', 'folders', 'uploads'],
  previews: ['access', 'assets', 'publishing'],
  publishing: [],
  references: ['access', 'assets', 'folders', 'previews', 'publishing'],
  deliveries: ['access', 'assets', 'previews', 'references'],
  mcp: ['access', 'assets', 'deliveries', 'events', 'folders', 'previews', 'references', 'uploads'],
  events: ['access'],
  diagnostics: ['access'],
  webhooks: ['access', 'events'],
  audit: [],
}

const files = globSync('{contract,server,web,cli,agents,bench,demo}/**/*.{ts,tsx,js}', {
  exclude: ['**/node_modules/**'],
})
  .map(normalize)
  .filter((file) => !/\.test\.tsx?$|\/fixtures\//.test(file))

test('the rules look at the source', () => {
  for (const known of ['contract/words.ts', 'server/app.ts', 'server/folders/tree.ts', 'cli/serve.ts'])
    expect(files).toContain(known)
})

test('contract imports only its schema library and itself', () => {
  const others = importsOf('contract').filter(
    ({ what }) => what !== 'typebox' && !what.startsWith('contract/'),
  )
  expect(others).toEqual([])
})

test('web imports only contract, itself and packages', () => {
  const others = importsOf('web').filter(({ what, ours }) => ours && !/^(web|contract)\//.test(what))
  expect(others).toEqual([])
})

test('what authors of agents import leans on the contract only', () => {
  const others = importsOf('agents').filter(({ what, ours }) => ours && !/^(agents|contract)\//.test(what))
  expect(others).toEqual([])
})

test('server never imports web, nor the command line, benches, agents or tests', () => {
  const others = importsOf('server').filter(({ what }) => /^(web|cli|bench|agents|test)\//.test(what))
  expect(others).toEqual([])
})

test('ground never looks up to a room', () => {
  const upwards = importsOf('server').filter(({ file, what }) => isGround(file) && roomOf(what) !== undefined)
  expect(upwards).toEqual([])
})

test('no file reaches itself again through its imports, types included', () => {
  const below = new Map<string, string[]>()
  for (const { file, what, ours } of importsOf(''))
    if (ours) below.set(file, [...(below.get(file) ?? []), what])
  const circles: string[] = []
  const finished = new Set<string>()
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || finished.has(file)) return
    for (const next of below.get(file) ?? []) walk(next, [...path, file])
    finished.add(file)
  }
  for (const file of files) walk(file, [])
  expect(circles).toEqual([])
})

describe('rooms', () => {
  const rooms = [...new Set(files.map(roomOf).filter((room) => room !== undefined))].sort()

  test('are all drawn', () => {
    expect(Object.keys(arrows).sort()).toEqual(rooms)
  })

  test.each(rooms)('%s leans on exactly what is drawn', (room) => {
    const leansOn = importsOf(`server/${room}`)
      .map(({ what }) => roomOf(what))
      .filter((other) => other !== undefined && other !== room)
    expect([...new Set(leansOn)].sort()).toEqual([...(arrows[room] ?? [])].sort())
  })
})

test('nobody imports a routes.ts but app.ts', () => {
  const others = importsOf('server').filter(
    ({ file, what }) => what.endsWith('/routes.ts') && file !== 'server/app.ts',
  )
  expect(others).toEqual([])
})

test('only main.ts, the command line and examples read the environment', () => {
  // A child process is given its PATH; that is no setting of ours.
  const readers = files.filter((file) =>
    /process\.(env(?!\.PATH\b)|loadEnvFile)/.test(readFileSync(file, 'utf8')),
  )
  expect(readers.filter((file) => !/^(server\/main\.ts$|cli\/|agents\/examples\/)/.test(file))).toEqual([])
})

interface Import {
  file: string
  /** The path of one of our files, or the name of a package. */
  what: string
  ours: boolean
}

function importsOf(folder: string): Import[] {
  return files
    .filter((file) => folder === '' || file.startsWith(`${folder}/`))
    .flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /(?:^|[;\n])\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
        ),
      ].map(([, from, bare]) => {
        const name = (from ?? bare)!
        const ours = name.startsWith('.')
        return { file, what: ours ? normalize(join(dirname(file), name)) : name, ours }
      }),
    )
}

function roomOf(path: string): string | undefined {
  const [, folder, file] = /^server\/([^/]+)\/(.+)$/.exec(path) ?? []
  return file && !ground.includes(folder!) ? folder : undefined
}

function isGround(file: string): boolean {
  const [, name, below] = file.split('/')
  return below ? ground.includes(name!) : !wiring.includes(name!)
}
