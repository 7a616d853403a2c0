/** Whether the page holds somebody who wants to leave; then it takes them there itself, if they still want to. */
type Holds = (go: () => void) => boolean

const holding = new Set<Holds>()

export function hold(holds: Holds): () => void {
  holding.add(holds)
  return () => void holding.delete(holds)
}

/** Leaves the app as one leaves a page: not before the person was asked about what would be lost. */
export function leave(go: () => void) {
  if (![...holding].some((holds) => holds(go))) go()
}
