import type { Config } from '../config.ts'
import type { Parts } from '../library.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import { type AgentApp, readMetadata, unknownApp } from './app-metadata.ts'

const largest = 10_000
const seconds = 5

/** An id that is the address of a document (client ID metadata documents): https, with a path, and written in one way only. */
export function isDocumentUrl({ outboundAllow }: Config, id: string): boolean {
  if (!/^https?:\/\//.test(id) || !URL.canParse(id)) return false
  const { protocol, host, hostname, pathname, href, username, password } = new URL(id)
  const isSafe = protocol === 'https:' || outboundAllow.includes(host) || outboundAllow.includes(hostname)
  return isSafe && href === id && pathname !== '/' && !id.includes('#') && !username && !password
}

/** What a program says of itself at its own address: nobody else could say it there. */
export async function documentAt({ outbound }: Parts, url: string): Promise<AgentApp> {
  const { status, headers, text } = await outbound
    .send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      idleSeconds: seconds,
      totalSeconds: seconds,
    })
    .catch((error) => {
      // Why is in the log: whoever asks need not learn which names there are in this network.
      throw error instanceof OutboundFailure ? notRead(url, 'it cannot be reached', error) : error
    })
  if (status !== 200) throw notRead(url, `it answers ${status}`)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw notRead(url, 'it is not JSON')
  if (text.length > largest) throw notRead(url, 'it is too long')
  const said = parsed(text)
  if (said?.client_id !== url) throw notRead(url, 'it is about another one')
  if ((said.token_endpoint_auth_method ?? 'none') !== 'none')
    throw notRead(url, 'it wants to prove itself in another way than by PKCE')
  return { id: url, host: new URL(url).host, ...readMetadata(said) }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const notRead = (url: string, why: string, cause?: unknown) =>
  unknownApp(`What the agent says of itself at ${new URL(url).host} cannot be read: ${why}.`, cause)
