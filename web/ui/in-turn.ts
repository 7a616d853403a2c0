import { tryingAgain } from '../try-again.ts'

/**
 * A picture that is still being made keeps its connection busy until it is there. To a server that speaks HTTP/1.1 a
 * browser opens six: pictures take four of them, so that whatever else is asked for gets through.
 */
const places = severalAtOnce() ? 24 : 4

/** What came before is at hand: it needs no place. */
const remembered = 1000
const shown = new Set<string>()

type Turn = () => void
const waiting = new Set<Turn>()
const loading = new Set<Turn>()

/** Loads the picture when it is its turn. What this answers gives the turn back, and stops it on its way. */
export function loadInTurn(image: HTMLImageElement, src: string, srcSet: string | undefined): () => void {
  const begin = () => {
    if (srcSet) image.srcset = srcSet
    image.src = src
  }
  const queue = () => {
    waiting.add(begin)
    callNext()
  }
  const again = tryingAgain(queue)
  const giveBack = () => {
    waiting.delete(begin)
    if (loading.delete(begin)) callNext()
  }
  const onLoad = () => {
    remember(src)
    giveBack()
  }
  const onError = () => {
    again.failed()
    giveBack()
  }
  image.addEventListener('load', onLoad)
  image.addEventListener('error', onError)
  if (shown.has(src)) begin()
  else queue()
  return () => {
    image.removeEventListener('load', onLoad)
    image.removeEventListener('error', onError)
    again.stop()
    if (loading.has(begin)) {
      image.removeAttribute('srcset')
      image.removeAttribute('src')
    }
    giveBack()
  }
}

function callNext() {
  for (const begin of waiting) {
    if (loading.size >= places) return
    waiting.delete(begin)
    loading.add(begin)
    begin()
  }
}

function remember(src: string) {
  shown.add(src)
  const [oldest] = shown
  if (shown.size > remembered) shown.delete(oldest!)
}

/** Over one connection any number of requests go at once. */
function severalAtOnce(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return /^h[23]/.test(page?.nextHopProtocol ?? '')
}
