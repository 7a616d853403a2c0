import type { PageHead } from '../http/guest-pages.ts'
import type { Parts } from '../library.ts'
import { sharedAssets } from './contents.ts'
import { findShare } from './share.ts'

/**
 * What a messenger shows of the link. Nothing is counted: whoever sends a link has it looked at by machines. Behind a
 * password nothing is said.
 */
export async function preview(parts: Parts, token: string): Promise<PageHead | undefined> {
  const share = await findShare(parts, token)
  if (!share) return undefined
  const { link } = share
  if (link.password_hash !== null) return {}
  const [first] = (await sharedAssets(share, { limit: 1 })).assets
  return {
    title: link.title,
    description: link.note,
    ...(first && {
      image: `${parts.config.publicUrl}/s/${token}/assets/${first.assetId}/preview?size=large`,
    }),
  }
}
