import { useEffect, useState } from 'react'
import { copy } from './copy.ts'

const shownFor = 3000

/** Copies, and knows for a moment that it did. */
export function useCopy(text: string): { copied: boolean; copy(): Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownFor)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: async () => setCopied(await copy(text)) }
}
