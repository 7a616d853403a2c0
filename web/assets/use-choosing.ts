import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useLibrary } from '../library/library.tsx'
import { withProgress } from '../library/progress.ts'
import { useSelection } from '../library/selection.ts'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { readIds, type useAssetList } from './asset-list.ts'

type Chosen = Pick<ReturnType<typeof useAssetList>, 'query' | 'folders' | 'order' | 'byMeaning'>

/** Choosing several at once. Where some have not been read yet, their ids are asked for: what is chosen is exact. */
export function useChoosing({ query: asked, folders, order, byMeaning }: Chosen) {
  // What is done to all of a list is done to what it shows, whatever the server finds out by then.
  const query = asked.q ? { ...asked, meaning: !!byMeaning } : asked
  const t = useTranslations('progress')
  const library = useLibrary()
  const selection = useSelection()
  const problemText = useProblemText()

  // What somebody else took away must not be reached where it is now. One that is chosen is shown beside the list.
  const before = useRef(order)
  useEffect(() => {
    const was = before.current
    before.current = order
    if (selection.ids.size === 1 || hasHoles(order)) return
    const here = new Set(order)
    selection.without(new Set(was.flatMap((id) => (id && !here.has(id) ? id : []))))
  }, [order, selection])

  /** Every id of this place in its order, or null if the person did not want to wait. */
  async function everyId(): Promise<string[] | null> {
    unsay('choose')
    try {
      const ids = await withProgress(t('choose'), null, (_, signal) => readIds(library, query, signal))
      return [...folders.map(({ folderId }) => folderId), ...ids]
    } catch (error) {
      if (!(error instanceof DOMException)) toast({ about: 'choose', text: problemText(error), bad: true })
      return null
    }
  }

  /** Whoever acts on the selection meanwhile waits for it. */
  const underWay = useRef<Promise<unknown>>(Promise.resolve())
  const settled = <Work extends Promise<unknown>>(work: Work): Work => {
    underWay.current = work
    return work
  }

  /** On the way only what is known is shown: for the rest the server is asked once, in the end. */
  async function these(indexes: number[], isFinal: boolean, focus?: string | null) {
    const known = indexes.flatMap((index) => order[index] ?? [])
    selection.these(known, focus ?? known.at(-1) ?? selection.focus)
    if (known.length === indexes.length || !isFinal) return
    const all = await everyId()
    if (!all) return
    const ids = indexes.flatMap((index) => all[index] ?? [])
    selection.these(ids, focus ?? ids.at(-1) ?? selection.focus)
  }

  async function all() {
    const ids = hasHoles(order) ? await everyId() : (order as string[])
    if (ids) selection.all(query, ids)
  }

  async function rangeTo(index: number) {
    const id = order[index]
    const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
    if (from < 0) return id && selection.only(id)
    const first = Math.min(from, index)
    await these(
      Array.from({ length: Math.abs(index - from) + 1 }, (_, at) => first + at),
      true,
      id,
    )
  }

  return {
    everyId,
    these: (indexes: number[], isFinal: boolean) => settled(these(indexes, isFinal)),
    all: () => settled(all()),
    rangeTo: (index: number) => settled(rangeTo(index)),
    /** When the last choice is complete. */
    settled: () => underWay.current,
  }
}

/** Not all of it has been read. Most often that shows right behind the first page. */
export function hasHoles(order: (string | undefined)[]): boolean {
  for (let at = 0; at < order.length; at++) if (!(at in order)) return true
  return false
}
