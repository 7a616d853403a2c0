import type { Identities } from '../../../contract/access.ts'
import type { Db, Reader } from '../../db/database.ts'
import type { OidcProvider } from '../../oidc-providers.ts'
import { notFound, Problem } from '../../problems.ts'
import { changeOwnAccount, type Owner } from '../own-change.ts'
import { isHash } from '../passwords.ts'
import { deleteOthers } from '../sessions.ts'
import { link, noRole } from './account.ts'
import type { Vouched } from './vouched.ts'

/** The providers there are, and since when each lets this person in. */
export async function listIdentities(
  db: Reader,
  providers: OidcProvider[],
  userId: string,
): Promise<Identities> {
  const linked = await identitiesOf(db, userId)
  return {
    identities: providers.map(({ id, name, issuer }) => {
      const identity = linked.find((one) => one.issuer === issuer)
      return {
        provider: id,
        name,
        linkedAt: identity?.created_at.toISOString() ?? null,
        lastUsedAt: identity?.last_used_at.toISOString() ?? null,
      }
    }),
  }
}

const identitiesOf = (db: Reader, userId: string) =>
  db.selectFrom('login_identities').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()

/**
 * From now on the provider lets this person in. Their role stays as it is until it does: what it says of that counts
 * when somebody signs in there, and not before.
 */
export const linkIdentity = (db: Db, owner: Owner, provider: OidcProvider, vouched: Vouched): Promise<void> =>
  changeOwnAccount(db, owner, async (its) => {
    if (!vouched.role) throw noRole()
    const own = (await identitiesOf(its.trx, owner.caller.id)).find(
      ({ issuer }) => issuer === provider.issuer,
    )
    if (own?.subject === vouched.subject) return
    if (own)
      throw new Problem('in-use', `${provider.name} knows you as somebody else. Unlink that one first.`)
    if (!(await link(its, provider, vouched, owner.caller.id)))
      throw new Problem(
        'identity-taken',
        `Whom ${provider.name} let in has another account here. Log in as that one, and unlink it there.`,
      )
  })

/** The provider lets this person in no more, and whoever came in elsewhere is out. Some way in must be left. */
export const unlinkIdentity = (
  db: Db,
  owner: Owner,
  providers: OidcProvider[],
  provider: OidcProvider,
): Promise<void> =>
  changeOwnAccount(db, owner, async ({ trx, note }) => {
    const { id, name } = owner.caller
    const gone = await trx
      .deleteFrom('login_identities')
      .where('user_id', '=', id)
      .where('issuer', '=', provider.issuer)
      .returning('subject')
      .execute()
    if (gone.length === 0) throw notFound('No login of this provider')
    if (!(await hasWayIn(trx, id, providers)))
      throw new Problem(
        'last-way-in',
        'There would be no way in for you any more. Add a passkey, or ask an administrator for an invitation to choose a password.',
      )
    await deleteOthers(trx, id, owner.sessionId)
    note({ action: 'user.identity-unlinked', thing: id, name, details: { provider: provider.id } })
  })

async function hasWayIn(db: Reader, userId: string, providers: OidcProvider[]): Promise<boolean> {
  const { password_hash, passkeys } = await db
    .selectFrom('users')
    .select('password_hash')
    .select((eb) =>
      eb
        .selectFrom('passkeys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('passkeys'),
    )
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (isHash(password_hash) || Number(passkeys) > 0) return true
  const open = providers.map(({ issuer }) => issuer)
  return (await identitiesOf(db, userId)).some(({ issuer }) => open.includes(issuer))
}
