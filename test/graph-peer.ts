import type { ServerResponse } from 'node:http'
import { json, type Received } from './delivery-peers.ts'

export const graphVersion = 'v25.0'
export const graphError = (
  response: ServerResponse,
  code: number,
  message: string,
  { status = 400, ...more }: { status?: number; error_subcode?: number; is_transient?: boolean } = {},
) =>
  json(
    response,
    { error: { message, type: 'OAuthException', code, fbtrace_id: 'A6LJylpZRKw2xKLFsAP-cJh', ...more } },
    status,
  )

/** The Graph API asks for its version in the path and a token in the header. */
export function letsInToGraph(
  { path, headers }: Received,
  response: ServerResponse,
  { expired }: { expired: boolean },
): boolean {
  if (!path.startsWith(`/${graphVersion}/`)) {
    graphError(response, 2500, `Unknown path components: ${path}`)
    return false
  }
  if (expired || !/^(Bearer|OAuth) graph-token$/.test(headers.authorization ?? '')) {
    graphError(response, 190, 'Error validating access token: Session has expired on Sunday, 15-Nov-26.', {
      error_subcode: 463,
      status: 401,
    })
    return false
  }
  return true
}

export const graphAnswers = {
  passing: (response: ServerResponse) =>
    graphError(response, 2, 'An unexpected error has occurred. Please retry your request later.', {
      is_transient: true,
      status: 500,
    }),
  limit: (response: ServerResponse) => graphError(response, 4, '(#4) Application request limit reached'),
  refuse: (response: ServerResponse) =>
    graphError(response, 36003, 'The submitted image with aspect ratio is not valid.', {
      error_subcode: 2207009,
    }),
  scope: (response: ServerResponse) =>
    graphError(response, 10, '(#10) Application does not have permission for this action', { status: 403 }),
}
