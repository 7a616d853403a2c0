/** Tells a share as percent. Nobody looks more often, and what cannot be told is told a second later. */
export function everySecond(tell: (percent: number) => Promise<unknown>): (share: number) => void {
  let last = 0
  return (share) => {
    if (Date.now() - last < 1000) return
    last = Date.now()
    tell(Math.min(99, Math.floor(share * 100))).catch(() => {})
  }
}
