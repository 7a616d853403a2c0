/** What the tests use of it; it brings no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Stored {
    grantId: string
    clientId: string
    scopes: Set<string>
    destroy(): Promise<void>
  }
  interface Context {
    path: string
    status: number
    body: unknown
    oidc?: { params?: Record<string, string>; client?: { clientId: string } }
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void
    on(event: string, listener: (...said: unknown[]) => void): void
    AccessToken: {
      find(value: string): Promise<Stored | undefined>
      revokeByGrantId(id: string): Promise<void>
    }
    RefreshToken: { revokeByGrantId(id: string): Promise<void> }
  }
}
