import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
} from 'openid-client'
import type { SecondStep } from '../../../contract/second-factor.ts'
import { type Origin, record } from '../../changes/audit-trail.ts'
import type { Recognised } from '../../http/recognised.ts'
import type { Parts } from '../../library.ts'
import { Problem } from '../../problems.ts'
import { hashToken, isSame, newToken } from '../../secrets.ts'
import { about, letIn, people } from '../let-in.ts'
import { beginSecondStep } from '../second-factor/second-step.ts'
import { beginStep, takeStep } from '../second-factor/steps.ts'
import type { NewSession } from '../sessions.ts'
import { accountOf, noAccount } from './account.ts'
import { linkIdentity } from './identities.ts'
import type { Provider } from './providers.ts'
import { type Vouched, vouchedFor } from './vouched.ts'

/** What only the browser that began knows, where it wants to go, and what the answer is held against. */
interface Begun {
  provider: string
  browserHash: string
  verifier: string
  nonce: string
  /** Where somebody wants to go who signs in, or whose account is to be linked. */
  to?: string | undefined
  linkTo?: { userId: string; sessionId: string } | undefined
}

/** To type a password and a code elsewhere takes a while. */
export const minutes = 15

/** Sends somebody to the provider. Whoever comes back must bring what is said here, in the same browser, once. */
export async function beginSignOn(
  parts: Parts,
  provider: Provider,
  wish: Pick<Begun, 'to' | 'linkTo'>,
): Promise<{ url: string; browser: string }> {
  const { id, scope } = provider.settings
  const configuration = await provider.discovered().catch((error) => {
    throw failed(provider, error)
  })
  const [browser, verifier, nonce] = [newToken(), newToken(), newToken()]
  const begun: Begun = { provider: id, browserHash: hashToken(browser), verifier, nonce, ...wish }
  const challenge = parts.sealer.seal(JSON.stringify(begun))
  const { step: state } = await beginStep(parts.db, 'single-sign-on', { challenge, minutes })
  const url = addressAt(provider, configuration, {
    redirect_uri: redirectUrl(parts, provider),
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, browser }
}

function addressAt(provider: Provider, configuration: Configuration, asked: Record<string, string>): URL {
  try {
    return buildAuthorizationUrl(configuration, asked)
  } catch (error) {
    throw failed(provider, error)
  }
}

const redirectUrl = ({ config }: Parts, { settings }: Provider) =>
  `${config.publicUrl}/auth/oidc/${settings.id}/callback`

/** What was begun under this state, in this browser. It counts once, however it ends. */
export async function takeSignOn(
  { db, sealer }: Parts,
  { settings }: Provider,
  state: string,
  browser: string,
): Promise<Begun> {
  const { challenge } = await takeStep(db, state, 'single-sign-on')
  const begun = JSON.parse(sealer.open(challenge)) as Begun
  if (begun.provider !== settings.id || !isSame(hashToken(browser), begun.browserHash)) throw over()
  return begun
}

/** Lets in whom the provider vouches for, or asks for the second factor that it did not ask for. */
export async function finishSignOn(
  parts: Parts,
  provider: Provider,
  search: string,
  begun: Begun,
  origin: Origin,
): Promise<NewSession | SecondStep> {
  const { db } = parts
  const { settings } = provider
  const vouched = await answerOf(parts, provider, search, begun)
  try {
    const userId = await accountOf(db, settings, vouched, origin)
    const user = await people(db).where('id', '=', userId).executeTakeFirst()
    if (!user?.is_active) throw noAccount()
    const way = { method: `oidc:${settings.id}`, isStrong: vouched.isStrong }
    if (user.has_second_factor && !way.isStrong) return await beginSecondStep(parts, user, origin, way.method)
    return await letIn(db, user, origin, way)
  } catch (error) {
    if (error instanceof Problem) {
      const nobody = { kind: 'nobody', id: null, name: null, origin } as const
      const details = { provider: settings.id, code: error.code }
      await record(db, nobody, { ...about(undefined), action: 'login.failed', details })
    }
    throw error
  }
}

/** Links the account of whoever began, and has not logged out or in as somebody else since. */
export async function finishLink(
  parts: Parts,
  provider: Provider,
  search: string,
  begun: Begun,
  came: Recognised | undefined,
): Promise<void> {
  const { userId, sessionId } = begun.linkTo!
  if (came?.caller.id !== userId || came.session?.id !== sessionId) throw over()
  const vouched = await answerOf(parts, provider, search, begun)
  await linkIdentity(parts.db, { caller: came.caller, sessionId }, provider.settings, vouched)
}

async function answerOf(
  parts: Parts,
  provider: Provider,
  search: string,
  { verifier, nonce }: Begun,
): Promise<Vouched> {
  try {
    const came = new URL(`${redirectUrl(parts, provider)}?${search}`)
    const tokens = await authorizationCodeGrant(await provider.discovered(), came, {
      expectedState: came.searchParams.get('state')!,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    return await vouchedFor(provider, tokens)
  } catch (error) {
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
      throw new Problem('sign-in-declined', `${provider.settings.name} was told not to let you in here.`)
    throw failed(provider, error)
  }
}

export const over = () =>
  new Problem('sign-in-over', 'Begin the sign-in again, and finish it in the same browser.')

const failed = ({ settings: { name } }: Provider, cause: unknown) =>
  new Problem('sign-in-failed', `${name} did not finish the sign-in. Try again later.`, { cause })
