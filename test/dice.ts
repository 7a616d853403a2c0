/** Numbers that are the same for the same seed. */
export function dice(seed: number) {
  let state = seed >>> 0
  /** From 0 to 1. */
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    roll,
    below: (count: number) => Math.floor(roll() * count),
    of: <T>(some: readonly T[]) => some[Math.floor(roll() * some.length)]!,
  }
}
export type Dice = ReturnType<typeof dice>
