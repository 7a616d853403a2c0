import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Claims } from './identity-provider.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const inToken = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** An OpenID provider that signs whatever it likes, and has issuers below it whose metadata say what they like. */
export async function lyingProvider() {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(request.url!)))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const metadata = new Map<string, object>()
  let claims: Claims = {}

  function answer(path: string): object {
    if (path === '/keys')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'one' }] }
    if (path === '/token') return { access_token: 'any', token_type: 'Bearer', id_token: idToken() }
    const below = path.replace('/.well-known/openid-configuration', '')
    return {
      issuer: url + below,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      ...metadata.get(below),
    }
  }

  function idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const said = { iss: url, aud: 'library', iat: now, exp: now + 60, ...claims }
    const text = `${inToken({ alg: 'RS256', kid: 'one' })}.${inToken(said)}`
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  }

  return {
    url,
    /** What the issuer below this path says of itself. */
    metadata,
    /** What the next ID tokens say. */
    says(said: Claims) {
      claims = said
    },
  }
}
