import type { AuthenticatorTransport, WebAuthnCredential } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import type { Passkey } from '../../../contract/second-factor.ts'
import type { Reader } from '../../db/database.ts'
import type { PasskeysTable } from '../../db/schema.ts'

export type PasskeyRow = Selectable<PasskeysTable>

export const passkeyRows = (db: Reader, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()

export const listPasskeys = async (db: Reader, userId: string): Promise<Passkey[]> =>
  (await passkeyRows(db, userId)).map(toPasskey)

export const toPasskey = (row: PasskeyRow): Passkey => ({
  passkeyId: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** How it is named to a browser. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: transports as AuthenticatorTransport[],
})

export const credentialOf = (row: PasskeyRow): WebAuthnCredential => ({
  ...descriptorOf(row),
  publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
  counter: row.counter,
})
