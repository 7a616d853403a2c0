import { useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { linkTo } from '../library/link.ts'
import { isFolderId } from '../library/selection.ts'
import { useActions } from './use-actions.ts'

/** Copies what points to an asset, to several, or to a folder. */
export function useCopying(folderOf: (assetId: string) => string | null) {
  const done = useTranslations('done')
  const library = useLibrary()
  const { copy } = useActions()

  return (what: 'ref' | 'refs' | 'link', ids: string[]) => {
    const id = ids[0]!
    const place = isFolderId(id) ? { folder: id } : { folder: folderOf(id) ?? undefined, asset: id }
    if (what === 'link') return copy(linkTo(library.clientId, place), done('linkCopied'))
    const refs = ids.filter((each) => !isFolderId(each))
    return copy(refs.join('\n'), done('refsCopied', { count: refs.length }))
  }
}
