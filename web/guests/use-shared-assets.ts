import { useCallback, useEffect, useRef, useState } from 'react'
import type { SharedAsset } from '../../contract/shares.ts'
import { readAssets } from './share-api.ts'

export type SharedList = ReturnType<typeof useSharedAssets>

/** What is shared, read on as it is wanted. */
export function useSharedAssets() {
  const [assets, setAssets] = useState<SharedAsset[]>([])
  const [hasMore, setHasMore] = useState(true)
  const [failed, setFailed] = useState(false)
  const cursor = useRef<string | null | undefined>(undefined)
  const reading = useRef<Promise<void> | null>(null)

  const more = useCallback((): Promise<void> => {
    if (cursor.current === null) return Promise.resolve()
    reading.current ??= readAssets(cursor.current)
      .then(
        (page) => {
          cursor.current = page.nextCursor
          setFailed(false)
          setHasMore(page.nextCursor !== null)
          setAssets((before) => [...before, ...page.assets])
        },
        () => setFailed(true),
      )
      .finally(() => {
        reading.current = null
      })
    return reading.current
  }, [])
  useEffect(() => void more(), [more])

  return { assets, hasMore, failed, more }
}
