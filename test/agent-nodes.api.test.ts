import { type CustomFetch, customFetch, refreshTokenGrant, tokenRevocation } from 'openid-client'
import { expect, test } from 'vitest'
import { type AgentApp, answers, connects, registeredApp } from './agent-app.ts'
import { freePort } from './setup/postgres.ts'
import { ownWorld, startServer } from './world.ts'

const w = await ownWorld({ AGENT_TOKEN_SECONDS: '10', AGENT_SIGN_IN_SECONDS: '25' })

const isIn = async (url: string, token: string) => {
  const { status } = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  expect([200, 401]).toContain(status)
  return status === 200
}

const refreshes = ({ config, resource }: AgentApp, token: string) =>
  refreshTokenGrant(config, token, { resource })

test('any node does any step of a sign-in, and what one of them ended is over at the others', async () => {
  const port = String(await freePort())
  const other = await startServer({ ...w.environment, PORT: port, PUBLIC_URL: w.url, ROLE: 'api' })
  try {
    const { operator, clientId } = await w.newClient()
    const app = await registeredApp(w.url)
    const served: string[] = []
    const servedBy = (node: string) => {
      const through: CustomFetch = (url, init) => {
        served.push(url.replace(w.url, node))
        return fetch(served.at(-1)!, init as RequestInit)
      }
      app.config[customFetch] = through
    }
    const asked = await app.asks()
    const { body } = await answers(operator, asked.url, { clientIds: [clientId] })
    servedBy(other.url)
    const first = await app.takes(body.redirectTo, asked)
    expect(await isIn(w.url, first.access_token)).toBe(true)
    servedBy(w.url)
    const second = await refreshes(app, first.refresh_token!)
    expect(await isIn(other.url, second.access_token)).toBe(true)
    expect(await isIn(w.url, second.access_token)).toBe(true)
    servedBy(other.url)
    await tokenRevocation(app.config, second.refresh_token!)
    expect(await isIn(w.url, second.access_token)).toBe(false)
    expect(await isIn(other.url, second.access_token)).toBe(false)
    expect(served).toEqual([`${other.url}/oauth/token`, `${w.url}/oauth/token`, `${other.url}/oauth/revoke`])

    // A used refresh token that comes back at another node ends the access there, too.
    servedBy(w.url)
    const stolen = await connects(app, operator, { clientIds: [clientId] })
    const next = await refreshes(app, stolen.refresh_token!)
    servedBy(other.url)
    await expect(refreshes(app, stolen.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await isIn(w.url, next.access_token)).toBe(false)
  } finally {
    await other.stop()
  }
})

test('tokens end by the clock: the short one first, then the one that gets the next', async () => {
  const { operator, clientId } = await w.newClient()
  const app = await registeredApp(w.url)
  const said = { clientIds: [clientId] }
  const tokens = await connects(app, operator, said)
  expect(tokens.expires_in).toBe(10)
  const unused = await connects(app, operator, said)
  expect(await isIn(w.url, tokens.access_token)).toBe(true)
  await expect.poll(() => isIn(w.url, tokens.access_token), { interval: 1000 }).toBe(false)
  const next = await refreshes(app, tokens.refresh_token!)
  expect(await isIn(w.url, next.access_token)).toBe(true)

  const isOver = async () =>
    (await w.parts.db.selectFrom('agent_tokens').select('expires_at').execute()).every(
      ({ expires_at }) => expires_at.getTime() < Date.now(),
    )
  await expect.poll(isOver, { interval: 1000 }).toBe(true)
  for (const { refresh_token } of [unused, next])
    await expect(refreshes(app, refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' })
})
