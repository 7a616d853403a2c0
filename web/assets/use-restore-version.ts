import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { send } from '../api.ts'
import { keys, showAsset } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { undoAwaits, useUndo } from '../library/undo.ts'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'

/** Makes the file of an old version the newest; to take that back is to do the same with the one before. */
export function useRestoreVersion({ assetId, version: current }: Asset) {
  const library = useLibrary()
  const client = useQueryClient()
  const undo = useUndo()
  const done = useTranslations('done')
  const failed = useTranslations('failed')
  const problemText = useProblemText()

  async function restore(version: number) {
    const path = `${library.base}/${assetId}/versions/${version}/restore`
    const { body, etag } = await send<Asset>('POST', path)
    showAsset(client, library, body, etag)
    await client.invalidateQueries({ queryKey: keys.about(library, assetId, 'versions') })
  }

  const about = `${assetId} versions`
  return async (version: number) => {
    unsay(about)
    try {
      await undoAwaits(restore(version))
      undo.offer(done('versionRestored', { version }), () => restore(current))
    } catch (error) {
      toast({ about, text: `${failed('notDone')} ${problemText(error)}`, bad: true })
    }
  }
}
