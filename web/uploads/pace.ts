const seconds = 6

/** How fast bytes have moved in the last few seconds. */
export function paceOfBytes(now = () => performance.now()) {
  let marks: { at: number; bytes: number }[] = []
  let total = 0
  return {
    moved(bytes: number) {
      total += Math.max(0, bytes)
    },
    perSecond(): number {
      const at = now()
      marks = [...marks.filter((mark) => at - mark.at < seconds * 1000), { at, bytes: total }]
      const passed = (at - marks[0]!.at) / 1000
      return passed < 0.5 ? 0 : (total - marks[0]!.bytes) / passed
    },
  }
}
