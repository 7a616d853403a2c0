import { readFile } from 'node:fs/promises'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { tools } from '../server/mcp/tools/tools.ts'

const page = await readFile(new URL('../docs/agents.md', import.meta.url), 'utf8')

// To write it anew: npm run transcript.
test('the conversation in docs/agents.md could be held today', () => {
  const transcript = /<!-- written by npm run transcript -->(.*)<!-- end -->/s.exec(page)![1]!
  const calls = [...transcript.matchAll(/\*\*agent\*\* calls `(\w+)`\s+```json\n(.*?)\n```/gs)]
  expect(calls.length).toBeGreaterThan(4)
  for (const [, name, args] of calls) {
    const called = tools.find((tool) => tool.name === name)
    expect(called, name).toBeDefined()
    expect([...Value.Errors(called!.input, Value.Default(called!.input, JSON.parse(args!)))], name).toEqual(
      [],
    )
  }
  // Whatever the page says of tools, there are such tools, and it says something of each.
  const table = page.slice(page.indexOf('| tool | does |'), page.indexOf('An answer is JSON'))
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(tools.map(({ name }) => name))
})
