import { Type } from 'typebox'
import { AccessToken } from '../../../contract/connection-kinds.ts'
import type { Parts } from '../../library.ts'
import { read } from '../targets/answers.ts'
import { withoutSlash } from '../targets/path.ts'

/**
 * The token of the page that a connection is about, for Facebook's pages and for the Instagram account that belongs to one.
 * Undefined when the person manages no such page.
 */
export async function pageToken(
  { outbound, config }: Parts,
  settings: Record<string, unknown>,
  userToken: string,
): Promise<string | undefined> {
  const base = typeof settings.baseUrl === 'string' ? withoutSlash(settings.baseUrl) : graph
  const wanted = Object.values(settings)
  let after = ''
  for (let page = 0; page < mostPages; page++) {
    const answer = await outbound.send({
      method: 'GET',
      url: `${base}/${config.apiVersions.meta.version}/me/accounts?${new URLSearchParams({ fields, limit: '100', ...(after && { after }) })}`,
      headers: { authorization: `Bearer ${userToken}` },
      totalSeconds: 20,
    })
    const { data, paging } = read('meta', Accounts, answer)
    const found = data.find(
      ({ id, instagram_business_account: instagram }) =>
        wanted.includes(id) || (instagram && wanted.includes(instagram.id)),
    )
    if (found) return found.access_token
    if (!paging?.next || !paging.cursors?.after) return undefined
    after = paging.cursors.after
  }
  return undefined
}

const graph = 'https://graph.facebook.com'
const fields = 'id,access_token,instagram_business_account'
const mostPages = 20

const Id = Type.String({ maxLength: 100 })
const Account = Type.Object({
  id: Id,
  access_token: Type.Optional(AccessToken),
  instagram_business_account: Type.Optional(Type.Object({ id: Id })),
})
const Accounts = Type.Object({
  data: Type.Array(Account),
  paging: Type.Optional(
    Type.Object({
      next: Type.Optional(Type.String()),
      cursors: Type.Optional(Type.Object({ after: Type.Optional(Type.String({ maxLength: 1000 })) })),
    }),
  ),
})
