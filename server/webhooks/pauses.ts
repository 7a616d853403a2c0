const first = 2
const longest = 3600

/** Seconds before the next attempt: longer each time, and not the same for all who failed at one moment. */
export const pauseAfter = (failures: number) =>
  Math.min(longest, first * 2 ** failures) * (1 - Math.random() / 4)
