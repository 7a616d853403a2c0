import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { plainName } from '../../contract/words.ts'
import { Problem } from '../problems.ts'
import { hostOf, isRedirectUri } from './redirect-uris.ts'

/** A program that asks people for access: OAuth's client, which is another thing than a client of the agency. */
export interface AgentApp {
  id: string
  name: string
  redirectUris: string[]
  /** Who vouches for what is said here; null: anybody may have said it. */
  host: string | null
}

const longestName = 120

/** What a program says of itself, in a registration or in its document (RFC 7591). Whatever else it says is not needed. */
const AppMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 10 }),
  client_name: Type.Optional(Type.String({ minLength: 1, maxLength: longestName, pattern: plainName })),
})

export function readMetadata(said: unknown): { name: string; redirectUris: string[] } {
  if (!Value.Check(AppMetadata, said))
    throw new Problem(
      'invalid-client-metadata',
      'Send redirect_uris, 1 to 10 of them, and a client_name of at most 120 plain characters.',
    )
  const { client_name, redirect_uris } = said as Static<typeof AppMetadata>
  if (!redirect_uris.every(isRedirectUri))
    throw new Problem(
      'invalid-redirect-uri',
      'A redirect URI is an https address, one of the device itself, or of a program on it; without a fragment.',
    )
  // Of a long one the end, which says whose it is.
  const name = client_name?.trim() ?? hostOf(redirect_uris[0]!).slice(-longestName)
  return { name, redirectUris: redirect_uris }
}

export const unknownApp = (detail: string, cause?: unknown) =>
  new Problem('invalid-client', detail, { cause })
