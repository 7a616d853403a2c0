import { createHash } from 'node:crypto'
import { type ConnectionKind, postRules } from '../../contract/connection-kinds.ts'
import type { NewDelivery } from '../../contract/deliveries.ts'
import type { MoreOfPost } from '../db/schema.ts'
import { outgoingForm } from '../previews/outgoing.ts'
import { Problem } from '../problems.ts'
import type { Resolved } from '../references/resolve.ts'

/** What the ledger keeps of a post beside its first asset. */
export interface Post {
  post_text: string | null
  more: string
  post_key: string
}

/** Where a file alone is delivered. */
export const noPost: Post = { post_text: null, more: '[]', post_key: '' }

/** The same words with the same pictures in the same order are the same post, which is made once. */
export function postOf(text: string | undefined, further: Resolved[]): Post {
  if (text === undefined) return noPost
  const post_text = tidy(text)
  const more = JSON.stringify(
    further.map(
      ({ assetRef, sending }): MoreOfPost => ({
        assetRef,
        rendition: outgoingForm(sending),
        recipe: sending.fits === 'convert' ? sending.recipe : null,
      }),
    ),
  )
  const post_key = createHash('sha256')
    .update(JSON.stringify([post_text, more]))
    .digest('hex')
    .slice(0, 32)
  return { post_text, more, post_key }
}

/** Whether it says what a post to this kind of connection must say, and nothing where no post is made. */
export function checkPost(kind: ConnectionKind, { text, moreAssetRefs }: NewDelivery): void {
  const rules = postRules(kind)
  if (!rules && text !== undefined)
    throw wrongPost('text', 'Leave the text out: this connection takes files and publishes no posts.')
  if (!rules && moreAssetRefs?.length)
    throw wrongPost('moreAssetRefs', 'Deliver one asset at a time: this connection publishes no posts.')
  if (!rules) return
  if (text === undefined) throw wrongPost('text', 'Say what the post is to say, in `text`.')
  const { min, max } = rules.text
  const length = tidy(text).length
  if (length < min) throw wrongPost('text', 'Say what the post is to say: it cannot be without words here.')
  if (length > max) throw wrongPost('text', `Shorten the text: it may have ${max} characters here.`)
}

/** As it is kept and sent: without blanks around it, and each letter written in one way. */
const tidy = (text: string) => text.replaceAll('\r\n', '\n').normalize('NFC').trim()

export const wrongPost = (field: 'text' | 'moreAssetRefs', detail: string) =>
  new Problem('invalid-request', detail, { extra: { errors: [{ path: `/${field}`, message: detail }] } })
