/** What fails does not keep the rest from being done. */
export async function allOf(works: (() => Promise<unknown>)[]): Promise<void> {
  const failures: Error[] = []
  for (const work of works) await work().catch((error) => failures.push(error))
  const [first, ...more] = failures
  if (first) throw more.length === 0 ? first : new AggregateError(failures, first.message)
}
