import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { rereadLists } from '../library/cache.ts'
import { useLibrary } from '../library/library.tsx'
import { useUndo } from '../library/undo.ts'
import { follow, jobLeft, undoJob } from './batch-jobs.ts'

/** After a reload, goes on showing what the server is still at, and offers to take it back. */
export function useJobLeft() {
  const library = useLibrary()
  const client = useQueryClient()
  const t = useTranslations('progress')
  const undo = useUndo()
  async function show() {
    const job = await jobLeft(library)
    if (!job) return
    const what = t(job.undoes ? 'undo' : job.action)
    const ended = await follow(library, what, job)
    rereadLists(client, library)
    const count = ended.done - ended.refused
    if (count === 0) return
    undo.offer(t('ended', { what, count }), () => undoJob(library, t('undo'), ended))
  }
  const latest = useRef(show)
  latest.current = show
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each library
  useEffect(() => void latest.current().catch(() => {}), [library.base])
}
