import { useEffect, useState } from 'react'
import { tryingAgain } from '../try-again.ts'

/** How often a picture was tried anew: each time it is a new one. */
export function useTries() {
  const [tries, setTries] = useState(0)
  const [again] = useState(() => tryingAgain(() => setTries((before) => before + 1)))
  useEffect(() => again.stop, [again])
  return { tries, tryAgain: again.failed }
}
