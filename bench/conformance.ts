import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { person } from '../test/person.ts'
import { freePort } from '../test/setup/postgres.ts'
import { login, serve } from './serve.ts'

/**
 * The protocol's own conformance suite, as far as it goes without the tools, prompts and resources that it expects a
 * server to be written for: npm run conformance. Fetched when it is run; it brings 120 packages, which is too many to
 * keep for this.
 */
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

const scenarios = [
  'server-initialize',
  'server-stateless',
  'ping',
  'tools-list',
  'resources-list',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
]

/** All others, single checks of these among them, and why. */
const leftOut = {
  'sep-2575-server-rejects-undeclared-capability, sep-2575-missing-capability-http-400':
    'call a tool of a server made for the suite',
  'sep-2549-prompts-list-caching-hints': 'we have no prompts',
  'logging-*, tools-call-with-logging, completion-*, prompts-*, sep-2640-skills-*':
    'we have no log for clients, no completions, no prompts and no skills',
  'tools-call-*, json-schema-2020-12, server-sse-*, resources-read-*, resources-templates-read, resources-subscribe, resources-unsubscribe':
    'call tools and read resources of a server made for the suite; ours are tried by test/mcp*.api.test.ts',
  'elicitation-*, input-required-result-*':
    'call tools of a server made for the suite; ours are tried by test/mcp-asking.api.test.ts',
  'tasks-*': 'call tools of a server made for the suite; ours are tried by test/mcp-tasks.api.test.ts',
  'http-custom-header-server-validation': 'no argument of ours is also a header',
  'server-session-lifecycle': 'a session is a name for what is followed, and any name is taken',
}

const data = await mkdtemp(join(tmpdir(), 'library-conformance-'))
const port = await freePort()
const door = createServer()
const address = `http://localhost:${await opened()}/mcp`
const server = await serve(port, { DATA_DIR: data, AGENT_ORIGINS: new URL(address).origin })
try {
  const url = `http://localhost:${port}`
  const { headers } = await person(url, {}).post('/auth/login', login)
  const admin = person(url, { cookie: headers.get('set-cookie')!.split(';')[0]! })
  const { clientId } = (await admin.post('/admin/clients', { name: 'Conformance' })).body
  const key = { name: 'Conformance', role: 'agent', clientIds: [clientId] }
  holdTheKey((await admin.post('/admin/api-keys', key)).body.apiKey)
  const known = Object.keys(leftOut).join(', ').split(', ')
  let [passed, failed] = [0, 0]
  for (const scenario of scenarios)
    for (const { check, ok } of await checksOf(scenario)) {
      if (ok) passed++
      else if (!known.includes(check)) failed++
    }
  for (const [names, why] of Object.entries(leftOut)) console.log(`left out: ${names}: ${why}`)
  console.log(`${passed} checks pass, ${failed} fail`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
} finally {
  door.closeAllConnections()
  door.close()
  server.kill()
  await rm(data, { recursive: true, force: true })
}

/** The suite brings no key: what it asks goes through here, and gets one. */
function holdTheKey(apiKey: string): void {
  door.on('request', (asked, reply) => {
    const headers = { ...asked.headers, authorization: `Bearer ${apiKey}` }
    const to = { port, host: '127.0.0.1', path: asked.url, method: asked.method, headers }
    const onward = request(to, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
}

async function opened(): Promise<number> {
  door.listen(0, 'localhost')
  await once(door, 'listening')
  return (door.address() as AddressInfo).port
}

async function checksOf(scenario: string) {
  const args = ['exec', '--yes', `--package=${suite}`, '--', 'conformance', 'server', '--url', address]
  const run = spawn('npm', [...args, '--scenario', scenario], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = stripVTControlCharacters(await text(run.stdout))
  console.log(said)
  return [...said.matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE)/g)].map(([, check = '', verdict]) => ({
    check,
    ok: verdict === 'SUCCESS',
  }))
}
