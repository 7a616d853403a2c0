// What the tools of others make of an OpenAPI document: prints what the linter finds, and writes the types of a client.
import { readFile, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { lintFromString, loadConfig } from '@redocly/openapi-core'

// openapi-typescript writes its file with TypeScript 5. The compiler that we use has no such interface any more.
const typescript5 = { url: new URL('typescript-5.js', import.meta.url).href, shortCircuit: true }
registerHooks({
  resolve: (name, context, next) => (name === 'typescript' ? typescript5 : next(name, context)),
})
const { astToString, default: openapiTypes } = await import('openapi-typescript')

const [document, client] = process.argv.slice(2)
const source = await readFile(document, 'utf8')
const config = await loadConfig({ configPath: 'redocly.yaml' })
const found = await lintFromString({ source, absoluteRef: document, config })
for (const { severity, ruleId, message, location } of found)
  console.log(`${severity} ${ruleId}: ${message} (${location[0]?.pointer})`)

await writeFile(client, astToString(await openapiTypes(source)))
