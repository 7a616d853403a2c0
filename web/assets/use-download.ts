import { useTranslations } from 'use-intl'
import type { Download, NewDownload } from '../../contract/downloads.ts'
import { api } from '../api.ts'
import { zipUrl } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { isFolderId, meantBy } from '../library/selection.ts'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'

/** Takes files home: many of them as a zip, which the browser resumes by itself. */
export function useDownload() {
  const t = useTranslations('batch')
  const library = useLibrary()
  const problemText = useProblemText()

  async function start(what: NewDownload) {
    unsay(about)
    toast({ about, text: t('packing') })
    try {
      const { downloadId } = await api.post<Download>(`${library.base}/download`, what)
      unsay(about)
      save(`${library.base}/downloads/${downloadId}`)
    } catch (error) {
      unsay(about)
      toast({ about, text: problemText(error), bad: true })
    }
  }

  return {
    start,
    these(ids: string[]) {
      const [first] = ids
      if (ids.length === 1 && isFolderId(first!)) return save(zipUrl(library, first!))
      const folderIds = ids.filter(isFolderId)
      const assetIds = ids.filter((id) => !isFolderId(id))
      void start({
        ...(meantBy(assetIds) ?? (assetIds.length && { assetIds })),
        ...(folderIds.length && { folderIds }),
      })
    },
  }
}

const about = 'download'

function save(url: string) {
  const link = Object.assign(document.createElement('a'), { href: url, download: '' })
  document.body.append(link)
  link.click()
  link.remove()
}
