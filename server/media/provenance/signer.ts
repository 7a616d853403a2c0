import { constants, createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Algorithm, coseSign1, protectedHeader, toBeSigned } from './cose.ts'

/** The settings, each a path or PEM itself. */
export interface C2paSettings {
  certificate?: string | undefined
  privateKey?: string | undefined
  trustAnchors?: string | undefined
}

/** Signs what goes out. The key stays in this process; decoders ask it for a signature. */
export interface Signer {
  algorithm: Algorithm
  /** As many bytes as each signature has. */
  signatureBytes: number
  /** Tells what this certificate signed from what another did. */
  mark: string
  name: string
  expires: Date
  sign(claim: Uint8Array): Promise<Uint8Array>
}

/** Why nothing is signed, in a sentence that says what mends it. */
export class CannotSign extends Error {}

/** Undefined where the settings ask for none. */
export function readSigner({ certificate, privateKey }: C2paSettings): Signer | undefined {
  if (!certificate && !privateKey) return undefined
  if (!certificate || !privateKey)
    throw new CannotSign('C2PA_CERTIFICATE and C2PA_PRIVATE_KEY go together: set both, or neither.')
  const chain = certificatesIn(certificate, 'C2PA_CERTIFICATE')
  const leaf = chain[0]!
  const key = keyIn(privateKey)
  if (!leaf.checkPrivateKey(key))
    throw new CannotSign(
      'C2PA_PRIVATE_KEY does not belong to the first certificate of C2PA_CERTIFICATE. The signer’s own comes first.',
    )
  if (!isForSigning(leaf))
    throw new CannotSign(
      'The first certificate of C2PA_CERTIFICATE is not for signing: its key usage lacks digitalSignature.',
    )
  const { algorithm, digest, ...how } = howToSign(key)
  const header = protectedHeader(algorithm, withoutRoot(chain).map(derOf))
  const signer = async (claim: Uint8Array) =>
    coseSign1(header, await signAsync(digest, toBeSigned(header, claim), { key, ...how }))
  return {
    algorithm,
    signatureBytes: coseSign1(header, Buffer.alloc(how.bytes)).length,
    mark: createHash('sha256').update(header).digest('hex').slice(0, 12),
    name: /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? leaf.subject.replaceAll('\n', ', '),
    expires: leaf.validToDate,
    sign: signer,
  }
}

/** Authorities whose signers are known here. */
export function readTrustAnchors({ trustAnchors }: C2paSettings): string | undefined {
  if (!trustAnchors) return undefined
  return certificatesIn(trustAnchors, 'C2PA_TRUST_ANCHORS').join('')
}

/** Why a certificate does not do today. */
export function refuseOutOfDate({ name, expires }: Signer, now = new Date()): void {
  if (now > expires)
    throw new CannotSign(
      `The certificate of ${name} expired on ${expires.toISOString().slice(0, 10)}. Set a new one as C2PA_CERTIFICATE, and restart.`,
    )
}

const signAsync = promisify(sign) as unknown as (
  digest: string | null,
  data: Uint8Array,
  key: object,
) => Promise<Buffer>

/** A signature over elliptic curves is two numbers, one after the other. */
function howToSign(key: KeyObject) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const plain = { dsaEncoding: 'ieee-p1363' } as const
  if (type === 'ed25519') return { algorithm: 'ed25519', digest: null, bytes: 64 } as const
  if (type === 'ec' && details?.namedCurve === 'prime256v1')
    return { algorithm: 'es256', digest: 'sha256', bytes: 64, ...plain } as const
  if (type === 'ec' && details?.namedCurve === 'secp384r1')
    return { algorithm: 'es384', digest: 'sha384', bytes: 96, ...plain } as const
  if (type === 'ec' && details?.namedCurve === 'secp521r1')
    return { algorithm: 'es512', digest: 'sha512', bytes: 132, ...plain } as const
  if ((type === 'rsa' || type === 'rsa-pss') && (details?.modulusLength ?? 0) >= 2048)
    return {
      ...({ algorithm: 'ps256', digest: 'sha256', bytes: Math.ceil(details!.modulusLength! / 8) } as const),
      ...{ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
    }
  throw new CannotSign(
    'C2PA_PRIVATE_KEY must be of P-256, P-384, P-521, Ed25519, or RSA with 2048 bits or more.',
  )
}

/** Node does not tell: the extension's name, whether it is critical, and bits, of which the first is the one. */
function isForSigning({ raw }: X509Certificate): boolean {
  const bits = /0603551d0f(?:0101..)?04..03....(..)/.exec(raw.toString('hex'))?.[1]
  return bits !== undefined && Number.parseInt(bits, 16) >= 0x80
}

/** Whoever checks a signature has roots of his own. */
const withoutRoot = (chain: X509Certificate[]) =>
  chain.filter((certificate, at) => at === 0 || certificate.subject !== certificate.issuer)

const derOf = ({ raw }: X509Certificate): Uint8Array => raw

function certificatesIn(setting: string, name: string): X509Certificate[] {
  const blocks = pemIn(setting, name).match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  try {
    if (blocks) return blocks.map((block) => new X509Certificate(block))
  } catch {}
  throw new CannotSign(`${name} holds no certificates in PEM that can be read.`)
}

function keyIn(setting: string): KeyObject {
  const pem = pemIn(setting, 'C2PA_PRIVATE_KEY')
  try {
    return createPrivateKey(pem)
  } catch {
    throw new CannotSign(
      'C2PA_PRIVATE_KEY holds no private key in PEM, without a passphrase, that can be read.',
    )
  }
}

function pemIn(setting: string, name: string): string {
  if (setting.includes('-----BEGIN')) return setting.replaceAll('\\n', '\n')
  try {
    return readFileSync(setting, 'utf8')
  } catch (error) {
    throw new CannotSign(`The file of ${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
