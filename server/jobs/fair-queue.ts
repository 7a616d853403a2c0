/**
 * First come, first served within each name, and one of each name in turn: whoever queues five hundred delays
 * another's first by one.
 */
export class FairQueue<Item> {
  // A Map keeps its order: the name at the front is the next one served.
  readonly #lines = new Map<string, Item[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  lengthOf(name: string): number {
    return this.#lines.get(name)?.length ?? 0
  }

  push(name: string, item: Item): void {
    const line = this.#lines.get(name)
    if (line) line.push(item)
    else this.#lines.set(name, [item])
    this.#length++
  }

  /** For what was taken and could not be served: it comes first again, as if it had not been taken. */
  putBack(name: string, item: Item): void {
    const line = [item, ...(this.#lines.get(name) ?? [])]
    const others = [...this.#lines].filter(([other]) => other !== name)
    this.#lines.clear()
    this.#lines.set(name, line)
    for (const [other, waiting] of others) this.#lines.set(other, waiting)
    this.#length++
  }

  /** The next one, of a name that may have its turn now. */
  shift(may: (name: string) => boolean = () => true): Item | undefined {
    const next = [...this.#lines].find(([name]) => may(name))
    if (!next) return undefined
    const [name, line] = next
    const item = line.shift()!
    this.#lines.delete(name)
    if (line.length > 0) this.#lines.set(name, line)
    this.#length--
    return item
  }

  /** Takes out all of it. */
  drain(): Item[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#length = 0
    return all
  }
}
