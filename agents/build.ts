import { execFile } from 'node:child_process'
import { copyFile, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { eventSchema, eventTypes } from '../contract/events.ts'
import { problems } from '../contract/problems.ts'
import { literals, plainTypes } from './plain-types.ts'

/**
 * Makes `dist/`: the client as JavaScript with its types. It is compiled in a folder that has nothing but its own files,
 * so what is built needs neither the contract nor its schema library.
 */

const sources = ['call', 'client', 'events', 'problem', 'upload']
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
}

type Print = ReturnType<typeof plainTypes>['typeOf']

/** Types of the contract that are no schemas, as the package writes them. */
const written: Record<string, (typeOf: Print) => string> = {
  ProblemCode: () => `export type ProblemCode = ${literals(Object.keys(problems))}`,
  EventType: () => 'export type EventType = keyof EventData',
  EventOf(typeOf) {
    const data = eventTypes.map((type) => `'${type}': ${typeOf(eventSchema(type).properties.data)}`)
    const { type: _, data: __, ...frame } = eventSchema('asset.created').properties
    const members = Object.entries(frame).map(([name, schema]) => `${name}: ${typeOf(schema)}`)
    return `export interface EventData {\n${data.join('\n')}\n}
export type EventOf<T extends EventType> = {\n${members.join('\n')}\ntype: T\ndata: EventData[T]\n}`
  },
  LibraryEvent: () => 'export type LibraryEvent = { [T in EventType]: EventOf<T> }[EventType]',
  WebhookMessage: () =>
    'export type WebhookMessage = { [T in EventType]: { type: T; timestamp: string; data: EventOf<T> } }[EventType]',
}

const here = fileURLToPath(new URL('./', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'asset-library-agent-'))
try {
  for (const name of sources) await copyFile(`${here}${name}.ts`, join(folder, `${name}.ts`))
  await writeFile(join(folder, 'contract.ts'), await plainContract())
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await compile()
} finally {
  await rm(folder, { recursive: true })
}

/** `contract.ts` by itself: types are printed, values come with the file they are in, which imports nothing. */
async function plainContract(): Promise<string> {
  const named: Record<string, object> = {}
  const lines: string[] = []
  const source = await readFile(`${here}contract.ts`, 'utf8')
  const listed = /export (type )?\{([^}]+)\} from '\.\.\/contract\/(.+)'/g
  for (const [line, typesOnly, names, file] of source.matchAll(listed)) {
    const place = new URL(`../contract/${file}`, import.meta.url)
    if (!typesOnly) {
      await copyFile(place, join(folder, file!))
      lines.push(line.replace('../contract/', './'))
      continue
    }
    const module = await import(place.href)
    for (const name of names!.match(/\w+/g)!)
      if (module[name]) named[name] = module[name]
      else if (!written[name]) throw new Error(`${name} is no schema: say in build.ts how it is written.`)
  }
  const { declarations, typeOf } = plainTypes(named)
  return [...lines, ...declarations(), ...Object.values(written).map((write) => write(typeOf))].join('\n\n')
}

async function compile(): Promise<void> {
  const tsc = join(here, '../test/node_modules/typescript/bin/tsc')
  await rm(`${here}dist`, { recursive: true, force: true })
  const compiling = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--outDir', `${here}dist`])
  await compiling.catch(({ stdout }) => {
    throw new Error(stdout)
  })
  // The compiler renames the imports of the code alone, and older ones do not read types from `.ts` of a package.
  for await (const name of glob('*.d.ts', { cwd: `${here}dist` })) {
    const types = await readFile(`${here}dist/${name}`, 'utf8')
    await writeFile(`${here}dist/${name}`, types.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}
