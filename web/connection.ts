import { createStore, useStore } from './store.ts'

// `navigator.onLine` is a guess: a machine without a network counts as offline, though its own server answers. What is
// asked of the server tells; the guess is the reason to ask.
const reach = createStore<'there' | 'away' | 'offline'>('there')
const toldWhenBack = new Set<() => void>()

/**
 * Whether a request came through. With a network one may be lost by chance, and without one the answer may be from before:
 * then the server is asked first.
 */
export function reportReached(reached: boolean) {
  if (reached && isOffline() && navigator.onLine === false) void ask()
  else if (reached) settle(true)
  else if (isOffline()) return
  else if (!navigator.onLine) settle(false)
  else if (asked === answered) void ask()
}

/** Whenever the server is reached again. Answers with how to hear no more. */
export function whenBack(tell: () => void): () => void {
  toldWhenBack.add(tell)
  return () => void toldWhenBack.delete(tell)
}

function settle(reached: boolean) {
  const isBack = reached && isOffline()
  reach.set(reached ? 'there' : navigator.onLine ? 'away' : 'offline')
  if (!reached) askSoon()
  if (isBack) for (const tell of toldWhenBack) tell()
}

// Nobody may ask for anything else until then.
const askAgainAfter = 5000
/** A line that was cut may tell nobody. */
const longestAnswer = 10_000
let asking: ReturnType<typeof setTimeout> | undefined
let asked = 0
let answered = 0

/** Asked again before there is an answer, only the last one counts: it knows of what changed in between. */
async function ask() {
  const turn = ++asked
  const signal = AbortSignal.timeout(longestAnswer)
  const reached = await fetch('/livez', { cache: 'no-store', signal }).then(
    () => true,
    () => false,
  )
  if (turn !== asked) return
  answered = turn
  settle(reached)
}

function askSoon() {
  clearTimeout(asking)
  asking = setTimeout(ask, askAgainAfter)
}

/** That the network goes is told while the last answers still come through it. */
async function askTwice() {
  await ask()
  askSoon()
}

globalThis.addEventListener?.('online', ask)
globalThis.addEventListener?.('offline', askTwice)

export const reachNow = reach.get
export const isOffline = () => reachNow() !== 'there'

/** `away`: there is a network, and the server does not answer. */
export const useReach = () => useStore(reach)
export const useOnline = () => useReach() === 'there'
