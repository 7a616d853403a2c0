const near = 3 * 86_400_000

/** How to write until when something holds: what ends within a few days ends at an hour. */
export const endingStyle = (
  time: string,
  dateStyle: 'medium' | 'long',
): { dateStyle: 'medium' | 'long'; timeStyle?: 'short' } => ({
  dateStyle,
  ...(Date.parse(time) - Date.now() < near && { timeStyle: 'short' }),
})
