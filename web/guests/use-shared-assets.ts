import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApprovalState } from '../../contract/assets.ts'
import type { SharedAsset } from '../../contract/shares.ts'
import { readAssets } from './share-api.ts'

export type SharedList = ReturnType<typeof useSharedAssets>

/** What is shared, or waits for an answer, read on as it is wanted. What is answered stays until somebody looks anew. */
export function useSharedAssets(unanswered: boolean) {
  const [assets, setAssets] = useState<SharedAsset[]>([])
  const [hasMore, setHasMore] = useState(true)
  const [failed, setFailed] = useState(false)
  const cursor = useRef<string | null | undefined>(undefined)
  const reading = useRef<Promise<void> | null>(null)
  const round = useRef(0)

  const more = useCallback((): Promise<void> => {
    if (cursor.current === null) return Promise.resolve()
    const mine = round.current
    reading.current ??= readAssets(unanswered, cursor.current)
      .then(
        (page) => {
          if (mine !== round.current) return
          cursor.current = page.nextCursor
          setFailed(false)
          setHasMore(page.nextCursor !== null)
          setAssets((before) => [...before, ...page.assets])
        },
        () => {
          if (mine === round.current) setFailed(true)
        },
      )
      .finally(() => {
        if (mine === round.current) reading.current = null
      })
    return reading.current
  }, [unanswered])
  useEffect(() => {
    round.current++
    cursor.current = undefined
    reading.current = null
    setAssets([])
    setHasMore(true)
    void more()
  }, [more])

  const stands = useCallback(
    (assetId: string, approval: ApprovalState) =>
      setAssets((before) => before.map((one) => (one.assetId === assetId ? { ...one, approval } : one))),
    [],
  )
  return { assets, hasMore, failed, more, stands }
}
