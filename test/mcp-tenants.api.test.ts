import { expect, test } from 'vitest'
import { agentPermissions } from '../contract/agent-sign-in.ts'
import { tools } from '../server/mcp/tools/tools.ts'
import { connects, registeredApp } from './agent-app.ts'
import { callsOf, thingsOf } from './mcp-calls.ts'
import { asks } from './mcp-requests.ts'
import { world } from './world.ts'

const w = await world({ OUTBOUND_ALLOW: '127.0.0.1' })

/** Names somebody else gave, and places in a list. */
const notOurs = ['externalId', 'cursor', 'scheduledFor']
const namesThing = (argument: string) =>
  /(Id|Ids|Ref|Refs|Token)$/.test(argument) && !notOurs.includes(argument)

test('no tool does anything with, or tells anything of, what is another client’s', async () => {
  const [mine, theirs] = [await w.newClient('Acme'), await w.newClient('Bolt')]
  const [own, foreign] = [
    await thingsOf(w.admin, mine, 'Ours'),
    await thingsOf(w.admin, theirs, 'Hush-hush 7319'),
  ]
  const [ownCalls, foreignCalls] = [callsOf(own), callsOf(foreign)]

  // Whatever names a thing, in whichever tool, is tried.
  for (const { name, input } of tools) {
    const named = Object.keys(input.properties).filter(namesThing)
    const tried = new Set(['clientId', ...(ownCalls[name] ?? []).flatMap(({ args }) => Object.keys(args))])
    expect(
      named.filter((argument) => !tried.has(argument)),
      `${name}: not in test/mcp-calls.ts`,
    ).toEqual([])
    expect(ownCalls[name]?.length, name).toBeGreaterThan(0)
  }

  // One is the key of another client; the other's person sees both clients and gave it one.
  const { operator } = await w.newClient()
  await w.admin.patch(`/admin/users/${operator.id}`, { clientIds: [mine.clientId, theirs.clientId] })
  const permissions = [...agentPermissions]
  const consent = { clientIds: [mine.clientId], permissions }
  const { access_token } = await connects(await registeredApp(w.url), operator, consent)
  const callers = [mine.social, { credentials: { authorization: `Bearer ${access_token}` } }]
  const { db } = w.parts
  const lastEvent = () =>
    db
      .selectFrom('client_counters')
      .select(['last_event', 'reserved_bytes'])
      .where('client_id', '=', theirs.clientId)
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await theirs.operator.reads(foreign.assetId)).body.media.state).toBe('ready')
  await expect
    .poll(
      async () =>
        (await theirs.operator.get(`/admin/clients/${theirs.clientId}/deliveries`)).body.deliveries[0].status,
    )
    .not.toMatch(/queued|preparing|sending/)
  const before = await lastEvent()

  for (const caller of callers)
    for (const [tool, calls] of Object.entries(ownCalls))
      for (const [place, { args }] of calls.entries()) {
        const swapped = Object.keys(args)
          .filter(namesThing)
          .map((name) => ({ ...args, [name]: foreignCalls[tool]![place]!.args[name] }))
        const attempts = [
          ...swapped,
          { ...args, clientId: theirs.clientId },
          { ...foreignCalls[tool]![place]!.args, clientId: theirs.clientId },
        ]
        for (const attempt of attempts) {
          const what = `${tool} ${JSON.stringify(attempt)}`
          const { result } = await asks(w.url, caller, 'tools/call', { name: tool, arguments: attempt })
          const said: string = result.content[0].text
          expect(JSON.stringify(result), what).not.toMatch(/Hush-hush|7319|Bolt/)
          expect(said, what).toMatch(/not-found|"moved":0|"(assets|deliveries|pullGrants)":\[\]/)
        }
      }
  expect(await lastEvent(), 'nothing has happened there').toEqual(before)

  // With what is their own, the same calls do what they are for.
  for (const [name, calls] of Object.entries(ownCalls))
    for (const { args, orElse } of calls) {
      const { result } = await asks(w.url, mine.social, 'tools/call', { name, arguments: args })
      if (result.isError) expect(result._meta.code, `${name} ${JSON.stringify(result)}`).toBe(orElse)
    }
})
