/** Does the work for each, a few at a time; after a first failure nothing new is begun. */
export async function atOnce<T>(
  few: number,
  all: Iterable<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = all[Symbol.iterator]()
  let failed = false
  const worker = async () => {
    for (let next = queue.next(); !next.done && !failed; next = queue.next())
      await work(next.value).catch((error) => {
        failed = true
        throw error
      })
  }
  const outcomes = await Promise.allSettled(Array.from({ length: few }, worker))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}
