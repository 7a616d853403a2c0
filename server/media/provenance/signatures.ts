import { once } from '../once.ts'
import {
  type C2paSettings,
  CannotSign,
  readSigner,
  readTrustAnchors,
  refuseOutOfDate,
  type Signer,
} from './signer.ts'

/** What this server can sign with, and whom it knows. */
export interface Signatures {
  /** Undefined where nothing is signed, or cannot be. */
  signer(): Promise<Signer | undefined>
  /** Certificates of the authorities whose signers are known here, as PEM. */
  trustAnchors: string | undefined
  /** For people. */
  state(): Promise<SignatureState>
}

export interface SignatureState {
  /** Who signs what goes out, and until when; null where nobody does. */
  signs: string | null
  problems: string[]
}

/** What is set wrong is said, and nothing is signed; files go out as they would without a certificate. */
export function openSignatures(
  settings: C2paSettings,
  trial: (signer: Signer) => Promise<string | null>,
): Signatures {
  const own = attempt(() => readSigner(settings))
  const known = attempt(() => readTrustAnchors(settings))
  const refused = once(async () => {
    const wrong = own.value && (await trial(own.value))
    return wrong
      ? `What C2PA_CERTIFICATE signs does not hold (${wrong}). C2PA asks for a certificate by an authority, with an extended key usage such as emailProtection.`
      : undefined
  })
  async function problemOfSigner(): Promise<string | undefined> {
    const outOfDate = own.value && attempt(() => refuseOutOfDate(own.value!)).problem
    return own.problem ?? outOfDate ?? (await refused().catch(untried))
  }
  return {
    signer: async () => ((await problemOfSigner()) ? undefined : own.value),
    trustAnchors: known.value,
    async state() {
      const problem = await problemOfSigner()
      const { name, expires } = own.value ?? {}
      return {
        signs: own.value && !problem ? `signs as ${name} until ${expires!.toISOString().slice(0, 10)}` : null,
        problems: [problem, known.problem].filter((one) => one !== undefined),
      }
    },
  }
}

/** Tried again when it is next asked for. */
const untried = ({ message }: Error) => `C2PA_CERTIFICATE could not be tried. ${message}`

function attempt<T>(read: () => T): { value?: T; problem?: string } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof CannotSign) return { problem: error.message }
    throw error
  }
}
