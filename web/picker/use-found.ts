import { useCallback, useEffect, useRef, useState } from 'react'
import type { Found, Source, Wanted } from './source.ts'

export interface FoundList extends Found {
  isLooking: boolean
  error: unknown
  more(): void
  retry(): void
}

const empty: Found = { assets: [], nextCursor: null }

/** What is found, page by page. `given` stands there until something else is asked for. */
export function useFound(source: Source, wanted: Wanted, given?: Found): FoundList {
  const [found, setFound] = useState(given ?? empty)
  const [isLooking, setLooking] = useState(!given)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const asked = useRef<AbortController>(undefined)
  const isGiven = given !== undefined && attempt === 0 && !wanted.q && !wanted.surface && !wanted.folderId

  const look = useCallback(
    async (cursor: string | null) => {
      asked.current?.abort()
      const mine = new AbortController()
      asked.current = mine
      setLooking(true)
      setError(null)
      try {
        const page = await source.find(wanted, cursor, mine.signal)
        if (mine.signal.aborted) return
        setFound((before) =>
          cursor ? { ...page, assets: withoutTwins([...before.assets, ...page.assets]) } : page,
        )
      } catch (failure) {
        if (!mine.signal.aborted) setError(failure)
      } finally {
        if (!mine.signal.aborted) setLooking(false)
      }
    },
    [source, wanted],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt looks again
  useEffect(() => {
    if (isGiven) {
      setFound(given)
      setLooking(false)
    } else void look(null)
    return () => asked.current?.abort()
  }, [look, isGiven, given, attempt])

  return {
    ...found,
    isLooking,
    error,
    more: () => !isLooking && !error && found.nextCursor && void look(found.nextCursor),
    retry: () => setAttempt((before) => before + 1),
  }
}

/** What was found on two pages because others work meanwhile. */
const withoutTwins = (assets: Found['assets']) => [
  ...new Map(assets.map((asset) => [asset.assetRef, asset])).values(),
]
