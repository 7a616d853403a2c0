import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { searchedWords } from '../../contract/searched-words.ts'
import { useLibrary } from '../library/library.tsx'
import { withProgress } from '../library/progress.ts'
import { chosenCount, isFolderId, meantBy, useSelection } from '../library/selection.ts'
import { toast, unsay } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { readIds, readPosition, readTotal, type useAssetList } from './asset-list.ts'

type List = ReturnType<typeof useAssetList>

/** More than this is meant by its search rather than named one by one. */
const many = 500
/** What has to be named one by one all the same. */
const mostNamed = 10_000

/**
 * Choosing several at once. Everything is meant by its search; where some of less have not been read yet, their ids are
 * asked for: what is chosen is exact.
 */
export function useChoosing({
  query,
  search,
  folders,
  assets,
  order,
  pageOf,
  isAtLeast,
  isLoading,
  isStale,
}: List) {
  const t = useTranslations('progress')
  const library = useLibrary()
  const client = useQueryClient()
  const selection = useSelection()
  const problemText = useProblemText()

  // What somebody else took away must not be reached where it is now. One that is chosen is shown beside the list.
  const before = useRef(order)
  useEffect(() => {
    const was = before.current
    before.current = order
    if (selection.count === 1 || hasHoles(order)) return
    const here = new Set(order)
    selection.without(new Set(was.flatMap((id) => (id && !here.has(id) ? id : []))))
  }, [order, selection])

  const total = assets.length
  useEffect(() => {
    if (!isLoading && !isStale && !isAtLeast) selection.recount(total)
  }, [selection, total, isLoading, isStale, isAtLeast])

  /** Where in the order an asset stands that nobody has read; -1 if it does not, or the person did not want to wait. */
  async function placeOf(assetId: string): Promise<number> {
    const at = await asking((signal) => readPosition(client, library, query, assetId, signal))
    return at === null || at < 0 ? -1 : folders.length + at
  }

  async function asking<Found>(read: (signal: AbortSignal) => Promise<Found>): Promise<Found | null> {
    unsay('choose')
    try {
      return await withProgress(t('choose'), null, (_, signal) => read(signal))
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
    const unread = indexes.filter((index) => !order[index]).map((index) => index - folders.length)
    const { from, cursor } = pageOf(unread[0]!)
    const most = unread.at(-1)! - from + 1
    const read = await asking((signal) =>
      readIds(library, { ...query, meaning: search.meaning }, signal, cursor, most),
    )
    if (!read) return
    const ids = indexes.flatMap((index) => order[index] ?? read[index - folders.length - from] ?? [])
    selection.these(ids, focus ?? ids.at(-1) ?? selection.focus)
  }

  // Beside what has the words, folders are ways to more of which nobody knows what it has.
  const areWays = total > 0 && searchedWords(query.q).length > 0

  async function all() {
    const its = areWays ? order.slice(folders.length) : order
    if (its.length <= many && !hasHoles(its)) return selection.these(its as string[])
    const count = isAtLeast ? await asking((signal) => readTotal(client, library, query, signal)) : total
    if (count === null) return
    selection.all(areWays ? [] : folders.map(({ folderId }) => folderId), search, count)
  }

  /** Each by its own id, for what is done to one after the other; null if they are too many, or it takes too long. */
  async function named(ids: string[]): Promise<string[] | null> {
    const meant = meantBy(ids)
    if (!meant) return ids
    if (chosenCount(ids) > mostNamed) {
      toast({ about: 'choose', text: t('tooManyToName', { most: mostNamed }), bad: true })
      return null
    }
    const found = await asking((signal) => readIds(library, meant.search, signal))
    const except = new Set(meant.except)
    return found && [...ids.filter(isFolderId), ...found.filter((id) => !except.has(id))]
  }

  async function rangeTo(index: number) {
    const id = order[index]
    const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
    if (from < 0) return id && selection.only(id)
    const first = Math.min(from, index)
    const length = Math.abs(index - from) + 1
    if (length === order.length && !areWays) return all()
    await these(
      Array.from({ length }, (_, at) => first + at),
      true,
      id,
    )
  }

  return {
    placeOf,
    these: (indexes: number[], isFinal: boolean) => settled(these(indexes, isFinal)),
    all: () => settled(all()),
    named,
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
