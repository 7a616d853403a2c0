import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { Parts } from '../../library.ts'
import type { OidcProvider } from '../../oidc-providers.ts'
import { openidFetch } from '../../outbound/openid-fetch.ts'
import { notFound } from '../../problems.ts'

export interface Provider {
  settings: OidcProvider
  /** Where its endpoints are, as it says itself. */
  discovered(): Promise<Configuration>
}

/** The providers of the settings, by their ids. */
export function openProviders(parts: Parts) {
  const known = new Map(parts.config.oidcProviders.map((settings) => [settings.id, open(parts, settings)]))
  return (id: string): Provider => {
    const provider = known.get(id)
    if (!provider) throw notFound('No provider')
    return provider
  }
}

const hour = 3_600_000

function open(parts: Parts, settings: OidcProvider): Provider {
  let kept: { until: number; answer: Promise<Configuration> } | undefined
  return {
    settings,
    discovered() {
      if (!kept || kept.until < Date.now()) {
        kept = { until: Date.now() + hour, answer: discover(parts, settings) }
        kept.answer.catch(() => {
          kept = undefined
        })
      }
      return kept.answer
    },
  }
}

const discover = ({ outbound }: Parts, { issuer, clientId, clientSecret }: OidcProvider) =>
  discovery(new URL(issuer), clientId, undefined, shownAsAsked(clientSecret), {
    [customFetch]: openidFetch(outbound),
    timeout: 20,
    execute: [
      enableNonRepudiationChecks,
      // Settings admit http for hosts that were opened by name only.
      ...(issuer.startsWith('https:') ? [] : [allowInsecureRequests]),
    ],
  })

const shownAsAsked =
  (clientSecret: string): ClientAuth =>
  (server, client, body, headers) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const show = inBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
    return show(server, client, body, headers)
  }
