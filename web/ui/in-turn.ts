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

/** What did not come is tried again after each of these. */
const pauses = [4_000, 15_000, 60_000]
const missed = new Set<Turn>()

/** For when the server is reached again. */
export function loadMissed() {
  for (const tryAgain of missed) tryAgain()
}

/** Loads the picture when it is its turn. What this answers gives the turn back, and stops it on its way. */
export function loadInTurn(image: HTMLImageElement, src: string, srcSet: string | undefined): () => void {
  let tried = 0
  let again: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    if (srcSet) image.srcset = srcSet
    image.src = src
  }
  const queue = () => {
    clearTimeout(again)
    missed.delete(tryAgain)
    waiting.add(begin)
    callNext()
  }
  const tryAgain = () => {
    tried = 0
    queue()
  }
  const giveBack = () => {
    waiting.delete(begin)
    if (loading.delete(begin)) callNext()
  }
  const onLoad = () => {
    remember(src)
    giveBack()
  }
  const onError = () => {
    missed.add(tryAgain)
    if (tried < pauses.length) again = setTimeout(queue, pauses[tried++])
    giveBack()
  }
  image.addEventListener('load', onLoad)
  image.addEventListener('error', onError)
  if (shown.has(src)) begin()
  else queue()
  return () => {
    image.removeEventListener('load', onLoad)
    image.removeEventListener('error', onError)
    clearTimeout(again)
    missed.delete(tryAgain)
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
