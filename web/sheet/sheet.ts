import type { AssetWords, WordChange, WordResults, WordsPage } from '../../contract/asset-words.ts'
import type { Asset } from '../../contract/assets.ts'
import type { AssetSearch } from '../../contract/search.ts'
import { charactersIn, mostCharacters } from '../../contract/word-lengths.ts'
import { api, query as inUrl, isProblem } from '../api.ts'
import type { Library } from '../library/library.tsx'
import { createStore } from '../store.ts'
import type { SheetWords } from '../words/sheet.en.ts'
import { changeOf, type Field, problemWith, textOf } from './fields.ts'

export interface Edit {
  assetId: string
  field: Field
  text: string
}

/** The names on the way from the top to a folder. */
export type StepsOf = (folderId: string | null) => string[]

/** How a cell stands that somebody has written in. */
export interface Cell {
  state: 'saving' | 'saved' | 'refused'
  /** What is on its way, or why it was refused. */
  text: string
}

interface State {
  ids: string[]
  byId: ReadonlyMap<string, AssetWords>
  cells: ReadonlyMap<string, Cell>
  /** Null: there are no more. */
  next: string | null | undefined
  isReading: boolean
  /** The server cannot be reached, and what is to be saved waits. */
  isCutOff: boolean
  error: unknown
}

/** What waits to be saved, and how often it was tried. */
interface Waiting {
  texts: Map<Field, string>
  tried: number
}

interface Step {
  edits: Edit[]
  after: Edit[]
  /** What else is to be as it was, once the cells are. */
  takeBack?: () => Promise<unknown>
}

const againAfter = 3000
const pageLength = 200
const mostAtOnce = 50
const mostSteps = 100

/** What is written of all that a search finds: read as it is scrolled to, saved cell by cell. */
export class Sheet {
  readonly store = createStore<State>({
    ids: [],
    byId: new Map(),
    cells: new Map(),
    next: undefined,
    isReading: false,
    isCutOff: false,
    error: null,
  })
  readonly #library: Library
  readonly #search: AssetSearch
  readonly #words: SheetWords
  readonly #problemText: (error: unknown) => string
  #waiting = new Map<string, Waiting>()
  #saving: Promise<void> | null = null
  #steps: Step[] = []

  constructor(
    library: Library,
    search: AssetSearch,
    words: SheetWords,
    problemText: (error: unknown) => string,
  ) {
    this.#library = library
    this.#search = search
    this.#words = words
    this.#problemText = problemText
  }

  static key = (assetId: string, field: Field) => `${assetId} ${field}`

  async readMore(): Promise<void> {
    const { next, isReading } = this.store.get()
    if (next === null || isReading) return
    this.#set({ isReading: true, error: null })
    try {
      const { rows, nextCursor } = await this.#page(next, pageLength)
      const { ids } = this.store.get()
      this.learn(rows)
      this.#set({ ids: [...ids, ...rows.map(({ assetId }) => assetId)], next: nextCursor, isReading: false })
    } catch (error) {
      this.#set({ error, isReading: false })
    }
  }

  /** Every row that there is, also those that nobody has scrolled to. */
  async *everyRow(): AsyncGenerator<AssetWords> {
    let cursor: string | null | undefined
    do {
      const { rows, nextCursor } = await this.#page(cursor, 500)
      yield* rows
      cursor = nextCursor
    } while (cursor)
  }

  #page = (cursor: string | null | undefined, limit: number) =>
    api.get<WordsPage>(
      `${this.#library.base}/words${inUrl({ ...this.#search, limit, cursor: cursor ?? undefined })}`,
    )

  learn(rows: AssetWords[]) {
    const byId = new Map(this.store.get().byId)
    for (const row of rows) byId.set(row.assetId, row)
    this.#set({ byId })
  }

  /** What an asset says now. Its state is learnt when it is next written. */
  show({ assetId, folderId, title, altText, description, tags }: Asset) {
    const row = this.store.get().byId.get(assetId)
    if (row) this.learn([{ ...row, folderId, title, altText, description, tags }])
  }

  /** What was written into cells by another way, as one step that can be taken back. */
  remember(cells: { before: Edit; after: Edit }[], takeBack: Step['takeBack']) {
    if (cells.length === 0) return
    const step = {
      edits: cells.map(({ before }) => before),
      after: cells.map(({ after }) => after),
      takeBack,
    }
    this.#steps = [...this.#steps, step].slice(-mostSteps)
  }

  /** What the cell says, saved or on its way. */
  textAt(assetId: string, field: Field): string {
    const { byId, cells } = this.store.get()
    const cell = cells.get(Sheet.key(assetId, field))
    return cell?.state === 'saving' ? cell.text : textOf(byId.get(assetId)!, field)
  }

  /** Writes into cells, as one step that can be taken back. */
  write(edits: Edit[], { isUndo = false } = {}) {
    const changing = edits.filter(({ assetId, field, text }) => text !== this.textAt(assetId, field))
    const cells = new Map(this.store.get().cells)
    const taken: Edit[] = []
    const before: Edit[] = []
    for (const edit of changing) {
      const { assetId, field, text } = edit
      const problem = problemWith(field, text, this.#words)
      if (problem) {
        cells.set(Sheet.key(assetId, field), { state: 'refused', text: problem })
        continue
      }
      before.push({ ...edit, text: this.textAt(assetId, field) })
      taken.push(edit)
      cells.set(Sheet.key(assetId, field), { state: 'saving', text })
      const waiting = this.#waiting.get(assetId) ?? { texts: new Map(), tried: 0 }
      waiting.texts.set(field, text)
      this.#waiting.set(assetId, waiting)
    }
    this.#set({ cells })
    if (taken.length === 0) return
    if (!isUndo) this.#steps = [...this.#steps, { edits: before, after: taken }].slice(-mostSteps)
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null
    })
  }

  /** Takes the latest step back, where nobody has written since; says how many cells. */
  async undo(): Promise<number> {
    await this.settled()
    const step = this.#steps.pop()
    if (!step) return 0
    const back = step.edits.filter(({ assetId, field }, at) => {
      const after = step.after[at]!.text
      return this.textAt(assetId, field) === this.#tidied(assetId, field, after)
    })
    this.write(back, { isUndo: true })
    await this.settled()
    await step.takeBack?.()
    return back.length
  }

  /** The server tidies what it is given: blanks around a title, a tag that is there twice. */
  #tidied(assetId: string, field: Field, text: string): string {
    const now = this.textAt(assetId, field)
    const plain = (value: string) => value.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
    return plain(now) === plain(text) || field === 'tags' ? now : text
  }

  /** When everything that was written is saved or refused. */
  async settled(): Promise<void> {
    while (this.#saving) await this.#saving
  }

  async #save() {
    // What one paste writes goes together.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const some = this.#next()
      for (const [assetId] of some) this.#waiting.delete(assetId)
      try {
        const { results } = await this.send(
          some.map(([assetId, { texts }]) => this.#changeOf(assetId, texts)),
        )
        for (const [at, result] of results.entries()) this.#take(result, some[at]![1])
        this.#set({ isCutOff: false })
      } catch (error) {
        if (isProblem(error, 'unreachable')) {
          this.#putBack(some)
          this.#set({ isCutOff: true })
          await new Promise((resolve) => setTimeout(resolve, againAfter))
          continue
        }
        const text = this.#problemText(error)
        for (const [assetId, { texts }] of some)
          this.#show(assetId, [...texts.keys()], { state: 'refused', text })
      }
    }
    this.#set({ isCutOff: false })
  }

  /** As many as one request takes. */
  #next(): [string, Waiting][] {
    const some: [string, Waiting][] = []
    let characters = 0
    for (const [assetId, waiting] of this.#waiting) {
      characters += charactersIn(this.#changeOf(assetId, waiting.texts))
      if (some.length === mostAtOnce || (some.length > 0 && characters > mostCharacters)) break
      some.push([assetId, waiting])
    }
    return some
  }

  /** What was written since is newer. */
  #putBack(some: [string, Waiting][]) {
    for (const [assetId, { texts, tried }] of some) {
      const later = this.#waiting.get(assetId)?.texts ?? []
      this.#waiting.set(assetId, { texts: new Map([...texts, ...later]), tried })
    }
  }

  send = (changes: WordChange[], dryRun?: true): Promise<WordResults> =>
    api.patch<WordResults>(`${this.#library.base}/words`, { changes, dryRun })

  #changeOf(assetId: string, texts: Map<Field, string>): WordChange {
    const { etag } = this.store.get().byId.get(assetId)!
    return Object.assign(
      { assetId, ifMatch: etag },
      ...[...texts].map(([field, text]) => changeOf(field, text)),
    )
  }

  #take(result: WordResults['results'][number], sent: Waiting) {
    const { assetId, ok, words, problem } = result
    const written = [...sent.texts.keys()]
    const before = this.store.get().byId.get(assetId)!
    if (words) this.learn([words])
    // The answer to an earlier try may have been lost.
    const isThere = words && written.every((field) => textOf(words, field) === sent.texts.get(field))
    if (ok || isThere) return this.#show(assetId, written, { state: 'saved', text: '' })
    // Something else of it has changed: what the person saw in these cells is still there.
    const isUntouched = words && written.every((field) => textOf(words, field) === textOf(before, field))
    if (isUntouched && sent.tried < 3)
      return this.#putBack([[assetId, { texts: sent.texts, tried: sent.tried + 1 }]])
    const text = problem?.code === 'changed-meanwhile' ? this.#words.changedMeanwhile : this.#words.gone
    this.#show(assetId, written, { state: 'refused', text })
  }

  #show(assetId: string, written: Field[], cell: Cell) {
    const cells = new Map(this.store.get().cells)
    const later = this.#waiting.get(assetId)?.texts
    for (const field of written) if (!later?.has(field)) cells.set(Sheet.key(assetId, field), cell)
    this.#set({ cells })
  }

  #set(change: Partial<State>) {
    this.store.set({ ...this.store.get(), ...change })
  }
}
