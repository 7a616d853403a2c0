import type { Suggestion } from '../../contract/suggestions.ts'
import type { Library } from '../library/library.tsx'
import { createStore } from '../store.ts'
import { decideAll, isOffered, readSuggestions, reopen } from '../suggestions/suggestions.ts'
import { type Edit, Sheet } from './sheet.ts'

interface State {
  /** Null: none may be asked. */
  model: string | null
  /** By asset and field. */
  open: ReadonlyMap<string, Suggestion>
}

const atOnce = 50
const decidedAtOnce = 20

/** What a model would write into the cells of a sheet. */
export class Suggested {
  readonly store = createStore<State>({ model: null, open: new Map() })
  readonly #library: Library
  readonly #sheet: Sheet
  #read = new Set<string>()
  /** Where none may be asked and nothing is open, nobody looks further. */
  #isOff = false

  constructor(library: Library, sheet: Sheet) {
    this.#library = library
    this.#sheet = sheet
  }

  /** Those of rows that have come; the same rows are not asked for twice, unless anew. */
  async read(ids: string[], { anew = false } = {}): Promise<void> {
    if (!this.#library.can('reviews:write') || this.#isOff) return
    const wanted = anew ? ids : ids.filter((id) => !this.#read.has(id))
    for (const id of wanted) this.#read.add(id)
    for (let at = 0; at < wanted.length; at += atOnce) {
      const some = wanted.slice(at, at + atOnce)
      const page = await readSuggestions(this.#library, some)
      const { model, suggestions } = page
      const open = new Map(this.store.get().open)
      for (const [key, { assetId }] of open) if (some.includes(assetId)) open.delete(key)
      for (const one of suggestions) open.set(Sheet.key(one.assetId, one.field), one)
      this.store.set({ model, open })
      this.#isOff = !isOffered(page)
      if (this.#isOff) return
    }
  }

  /** Says how many were, and how many could not be. It can be taken back like what was typed. */
  async decide(
    decision: 'accept' | 'decline',
    some: Suggestion[],
    { step, signal }: { step?: (done: number) => void; signal?: AbortSignal } = {},
  ): Promise<{ done: number; not: number }> {
    const steps: { before: Edit; after: Edit }[] = []
    const decided: Suggestion[] = []
    for (let at = 0; at < some.length; at += decidedAtOnce) {
      const asked = some.slice(at, at + decidedAtOnce)
      const { results } = await decideAll(
        this.#library,
        asked.map(({ suggestionId }) => ({ suggestionId, decision })),
      )
      for (const [index, { ok, asset }] of results.entries()) {
        const { assetId, field } = asked[index]!
        if (!ok || !asset) continue
        decided.push(asked[index]!)
        const before = { assetId, field, text: this.#sheet.textAt(assetId, field) }
        this.#sheet.show(asset)
        const after = { ...before, text: this.#sheet.textAt(assetId, field) }
        steps.push({ before, after })
      }
      step?.(at + asked.length)
      if (signal?.aborted) break
    }
    this.#sheet.remember(steps, () => this.#reopen(decided))
    await this.#readOf(some)
    return { done: decided.length, not: some.length - decided.length }
  }

  async #reopen(decided: Suggestion[]) {
    for (let at = 0; at < decided.length; at += decidedAtOnce)
      await reopen(
        this.#library,
        decided.slice(at, at + decidedAtOnce).map(({ suggestionId }) => suggestionId),
      )
    await this.#readOf(decided)
  }

  #readOf = (some: Suggestion[]) =>
    this.read([...new Set(some.map(({ assetId }) => assetId))], { anew: true })
}
