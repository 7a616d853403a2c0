import type { StoredObject } from './storage.ts'

type Pair = [left: StoredObject | undefined, right: StoredObject | undefined]

/** Two listings, each in the order of its keys, as one: what both have stands beside each other. */
export async function* sideBySide(
  left: AsyncIterable<StoredObject>,
  right: AsyncIterable<StoredObject>,
): AsyncGenerator<Pair> {
  const lists = [left, right].map((list) => list[Symbol.asyncIterator]())
  try {
    const next = async (at: number) => (await lists[at]!.next()).value as StoredObject | undefined
    let [l, r] = await Promise.all([next(0), next(1)])
    while (l || r) {
      const [takesLeft, takesRight] = [!r || (l && l.key <= r.key), !l || (r && r.key <= l.key)]
      yield [takesLeft ? l : undefined, takesRight ? r : undefined]
      if (takesLeft) l = await next(0)
      if (takesRight) r = await next(1)
    }
  } finally {
    for (const list of lists) await list.return?.()
  }
}
