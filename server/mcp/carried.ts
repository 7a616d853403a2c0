import type { Agent } from './agent.ts'

/**
 * What an agent carries for us from one request to the next, so that nothing need be kept and any node goes on with it.
 * The agent cannot read or change it, and no other can use it.
 */
export function carriedBy({ parts, caller }: Agent, what: string, said: unknown): string {
  const sealed = parts.sealer.seal(JSON.stringify([caller.id, what, said]))
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** What was handed to this very agent to carry; undefined if this is not it. */
export function broughtBack<T>({ parts, caller }: Agent, what: string, text: string): T | undefined {
  try {
    const sealed = Buffer.from(text, 'base64url').toString('base64')
    const [callerId, itsWhat, said] = JSON.parse(parts.sealer.open(sealed))
    return callerId === caller.id && itsWhat === what ? said : undefined
  } catch {
    return undefined
  }
}
