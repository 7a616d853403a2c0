import type {
  NewPasskey,
  NewPasskeyBegun,
  PasskeyAnswer,
  PasskeySignInBegun,
} from '../../contract/second-factor.ts'

/** Whether this browser can; without https, only on localhost. */
export const canUsePasskeys = () => typeof PublicKeyCredential !== 'undefined'

/** The person was asked and did not want to, or took too long. */
export class PasskeyDeclined extends Error {}

const library = () => import('@simplewebauthn/browser')

/** Has the browser make a passkey. */
export async function newPasskey(
  optionsJSON: NewPasskeyBegun['options'],
): Promise<Omit<NewPasskey, 'step' | 'name'>> {
  const { startRegistration } = await library()
  const { id, response } = await asked(startRegistration({ optionsJSON: optionsJSON as never }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports }
}

/** Has the browser ask a passkey. */
export async function passkeyAnswer(optionsJSON: PasskeySignInBegun['options']): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library()
  const { id, response } = await asked(startAuthentication({ optionsJSON: optionsJSON as never }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new PasskeyDeclined((error as Error).name)
  }
}
