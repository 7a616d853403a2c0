/** The same answer for whoever asks within so many milliseconds: however many ask, the work is done once. */
export function recently<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; answer: Promise<T> } | undefined
  return () => {
    if (!kept || kept.until <= Date.now()) {
      const made = { until: Number.POSITIVE_INFINITY, answer: work() }
      kept = made
      const done = () => {
        made.until = Date.now() + milliseconds
      }
      made.answer.then(done, done)
    }
    return kept.answer
  }
}
