import type { ConnectionKind } from '../../../contract/connection-kinds.ts'
import { keptUrl } from '../../../contract/http-url.ts'
import { type Remote, Unreadable } from './target.ts'
import { idForm, siteOf } from './targets.ts'

interface Account {
  kind: ConnectionKind
  settings: object
}

/** Whether this is what an id of this account's items looks like. */
export const isRemoteId = ({ kind, settings }: Account, id: string): boolean =>
  idForm(kind, settings as never).test(id)

/** An id that goes out to the account: whether the account, a person or the ledger gave it, it has the right form. */
export function checkedId(account: Account, id: string): string {
  if (isRemoteId(account, id)) return id
  throw new Unreadable('system')
}

/** Whether an address leads to the host that the account is at, or to the vendor's own pages. */
export function isAddressOf({ kind, settings }: Account, url: string): boolean {
  const { siteUrl, url: receiver, baseUrl } = settings as Record<string, string | undefined>
  const own = siteUrl ?? receiver ?? baseUrl
  const { hostname } = new URL(url)
  return (
    (own !== undefined && new URL(own).hostname === hostname) || `.${hostname}`.endsWith(`.${siteOf(kind)}`)
  )
}

/** Where something is, as the other system says. */
export const checkedRemote = (account: Account, { remoteId, remoteUrl }: Remote): Remote => ({
  remoteId: checkedId(account, remoteId),
  remoteUrl: keptUrl(remoteUrl),
})
