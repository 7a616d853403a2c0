import { agentPermissions } from '../../contract/agent-sign-in.ts'
import type { Config } from '../config.ts'
import { Problem } from '../problems.ts'

type Origin = Pick<Config, 'publicUrl'>

/** The one thing that tokens are for. */
export const resourceOf = ({ publicUrl }: Origin) => `${publicUrl}/mcp`

export function refuseOtherResource(config: Origin, resource: string | undefined): void {
  if (resource !== undefined && resource !== resourceOf(config))
    throw new Problem('invalid-target', `Access is given to ${resourceOf(config)} and to nothing else.`)
}

/** Where to ask for access to what (RFC 9728). */
export const resourceMetadata = (config: Origin) => ({
  resource: resourceOf(config),
  authorization_servers: [config.publicUrl],
  scopes_supported: agentPermissions,
  bearer_methods_supported: ['header'],
  resource_name: 'Client Asset Library',
})

/** How to ask (RFC 8414). */
export const serverMetadata = ({ publicUrl }: Origin) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${publicUrl}/oauth/token`,
  registration_endpoint: `${publicUrl}/oauth/register`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  scopes_supported: agentPermissions,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})
