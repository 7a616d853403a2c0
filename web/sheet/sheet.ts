import type { AssetWords, WordChange, WordResults, WordsPage } from '../../contract/asset-words.ts'
import type { Asset } from '../../contract/assets.ts'
import type { AssetSearch } from '../../contract/search.ts'
import { charactersIn, mostCharacters } from '../../contract/word-lengths.ts'
import { api, query as inUrl, isProblem, send } from '../api.ts'
import type { Library } from '../library/library.tsx'
import type { Chosen } from '../library/visits.ts'
import { createStore } from '../store.ts'
import type { SheetWords } from '../words/sheet.en.ts'
import { readTags } from './csv.ts'
import { changeOf, type Field, fields, problemWith, textOf } from './fields.ts'

export interface Edit {
  assetId: string
  field: Field
  text: string
  /** What the person saw in the cell when they began. */
  over?: string
  /** What was saved there when this was decided, to the letter. */
  before?: string
}

/** The names on the way from the top to a folder. */
export type StepsOf = (folderId: string | null) => string[]

/** How a cell stands that somebody has written in. */
export type Cell = { state: 'saved' } | Unsaved | Refused

interface Unsaved {
  state: 'saving'
  text: string
}

export interface Refused {
  state: 'refused'
  /** What was to be saved: it stays until it is, or the person lets it go. */
  text: string
  why: string
  /** What may help: to choose between this and what it says now, to try again, or only to write something else. */
  remedy: 'choose' | 'again' | 'rewrite'
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
  texts: Map<Field, Written>
  tried: number
}

interface Written {
  text: string
  /** What it may be written over: what was saved when it was written, and what was written here before. */
  over: string[]
}

export interface Step {
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
  /** Somebody types into a cell, which takes it when they leave it. */
  readonly isTyping = createStore(false)
  readonly #library: Library
  readonly #search: AssetSearch
  readonly #chosen: Chosen
  readonly #words: SheetWords
  readonly #problemText: (error: unknown) => string
  #waiting = new Map<string, Waiting>()
  #saving: Promise<void> | null = null
  #steps: Step[] = []
  #isGivenUp = false

  constructor(
    library: Library,
    search: AssetSearch,
    chosen: Chosen,
    words: SheetWords,
    problemText: (error: unknown) => string,
  ) {
    this.#library = library
    this.#search = search
    this.#chosen = chosen
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

  /** Every row as it is now: those of the table, though the search may find them no more, and those that nobody has scrolled to. */
  async everyRow(): Promise<AssetWords[]> {
    const found = new Map<string, AssetWords>()
    const add = (rows: AssetWords[]) => {
      for (const row of rows) found.set(row.assetId, row)
    }
    let cursor: string | null | undefined
    do {
      const { rows, nextCursor } = await this.#page(cursor, 500)
      add(rows)
      cursor = nextCursor
    } while (cursor)
    const { ids, byId } = this.store.get()
    const lost = ids.filter((id) => !found.has(id))
    for (let at = 0; at < lost.length; at += mostAtOnce)
      add(await this.#read(lost.slice(at, at + mostAtOnce)))
    return [...new Set([...ids, ...found.keys()])].map((id) => found.get(id) ?? byId.get(id)!)
  }

  /** All of it, as what is done to many assets names them. */
  get asked(): { assetIds: string[] } | { search: AssetSearch; except?: string[] } {
    const { ids, except } = this.#chosen
    return ids ? { assetIds: ids } : { search: this.#search, except }
  }

  async #page(cursor: string | null | undefined, limit: number): Promise<WordsPage> {
    const { ids, except } = this.#chosen
    if (ids) return this.#pageOf(ids, Number(cursor ?? 0))
    const page = await api.get<WordsPage>(
      `${this.#library.base}/words${inUrl({ ...this.#search, limit, cursor: cursor ?? undefined })}`,
    )
    const rows = page.rows.filter(({ assetId }) => !except?.includes(assetId))
    return rows.length === 0 && page.nextCursor ? this.#page(page.nextCursor, limit) : { ...page, rows }
  }

  async #pageOf(ids: string[], from: number): Promise<WordsPage> {
    const to = from + mostAtOnce
    const rows = await this.#read(ids.slice(from, to))
    if (to >= ids.length) return { rows, nextCursor: null }
    return rows.length > 0 ? { rows, nextCursor: String(to) } : this.#pageOf(ids, to)
  }

  #read(ids: string[]): Promise<AssetWords[]> {
    return this.#library.can('assets:write') ? this.#tried(ids) : this.#readEach(ids)
  }

  /** Reads again what says something else now than here, unless it was written here meanwhile. */
  async follow(assets: Asset[]): Promise<void> {
    const before = this.store.get().byId
    const differs = (asset: Asset) => {
      const row = before.get(asset.assetId)
      return row && fields.some((field) => textOf(row, field) !== textOf(asset, field))
    }
    const ids = assets.filter(differs).map(({ assetId }) => assetId)
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      // Without an answer it is found out when the row is written.
      const rows = await this.#read(ids.slice(at, at + mostAtOnce)).catch(() => [])
      const { byId, cells } = this.store.get()
      const news = rows.filter(
        ({ assetId }) => byId.get(assetId) === before.get(assetId) && !this.#waiting.has(assetId),
      )
      const shown = new Map(cells)
      for (const row of news)
        for (const field of fields) {
          const key = Sheet.key(row.assetId, field)
          const isOther = textOf(row, field) !== textOf(byId.get(row.assetId)!, field)
          if (isOther && cells.get(key)?.state === 'saved') shown.delete(key)
        }
      this.#set({ cells: shown })
      this.learn(news)
    }
  }

  /** A change that is only tried says what is there now. */
  async #tried(ids: string[]): Promise<AssetWords[]> {
    const { results } = await this.send(
      ids.map((assetId) => ({ assetId, ifMatch: '' })),
      true,
    )
    return results
      .filter(({ problem }) => problem?.code === 'changed-meanwhile')
      .flatMap(({ words }) => words ?? [])
  }

  /** For whoever may try none. */
  async #readEach(ids: string[]): Promise<AssetWords[]> {
    const found = await Promise.all(
      ids.map((id) =>
        send<Asset>('GET', `${this.#library.base}/${id}`).catch((error) => {
          if (!isProblem(error, 'not-found')) throw error
        }),
      ),
    )
    return found.flatMap((one) => (one && !one.body.trashedAt ? [{ ...one.body, etag: one.etag! }] : []))
  }

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
  textAt = (assetId: string, field: Field): string => this.textIn(this.store.get().byId.get(assetId)!, field)

  textIn(row: AssetWords, field: Field): string {
    const cell = this.store.get().cells.get(Sheet.key(row.assetId, field))
    return cell?.state === 'saving' ? cell.text : textOf(row, field)
  }

  /** Writes into cells, as one step that can be taken back: undefined if nothing is to be. */
  write(edits: Edit[], { isUndo = false } = {}): Step | undefined {
    const cells = new Map(this.store.get().cells)
    const taken: Edit[] = []
    const before: Edit[] = []
    for (const edit of edits) {
      const { assetId, field, text } = edit
      const seen = edit.before ?? textOf(this.store.get().byId.get(assetId)!, field)
      const key = Sheet.key(assetId, field)
      const now = this.textAt(assetId, field)
      if (text === now) {
        if (cells.get(key)?.state === 'refused') cells.delete(key)
        continue
      }
      const refused = this.#refusedAtOnce(edit)
      if (refused) {
        cells.set(key, refused)
        continue
      }
      before.push({ assetId, field, text: now })
      taken.push(edit)
      cells.set(key, { state: 'saving', text })
      const waiting = this.#waiting.get(assetId) ?? { texts: new Map(), tried: 0 }
      waiting.texts.set(field, { text, over: [seen, ...writtenBy(waiting.texts.get(field))] })
      this.#waiting.set(assetId, waiting)
    }
    this.#set({ cells })
    if (taken.length === 0) return
    const step = { edits: before, after: taken }
    if (!isUndo) this.#steps = [...this.#steps, step].slice(-mostSteps)
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null
    })
    return step
  }

  #refusedAtOnce({ assetId, field, text, over }: Edit): Refused | undefined {
    const problem = problemWith(field, text, this.#words)
    if (problem) return { state: 'refused', text, why: problem, remedy: 'rewrite' }
    const isSeen = over === undefined || this.textAt(assetId, field) === this.#tidied(assetId, field, over)
    return isSeen
      ? undefined
      : { state: 'refused', text, why: this.#words.changedMeanwhile, remedy: 'choose' }
  }

  /** Where the first cell is that could not be saved. A row that the table does not have, as a file may name it, comes to its end. */
  async firstRefused(): Promise<{ row: number; column: number } | undefined> {
    const { ids, byId, cells, next } = this.store.get()
    const columnOf = (id: string) =>
      fields.findIndex((field) => cells.get(Sheet.key(id, field))?.state === 'refused')
    const row = ids.findIndex((id) => columnOf(id) >= 0)
    if (row >= 0) return { row, column: columnOf(ids[row]!) }
    if (next !== null) await this.readMore()
    else this.#set({ ids: [...ids, ...[...byId.keys()].filter((id) => columnOf(id) >= 0)] })
    return this.store.get().ids.length > ids.length ? this.firstRefused() : undefined
  }

  /** The cell says what is saved. */
  letGo(assetId: string, field: Field) {
    const cells = new Map(this.store.get().cells)
    cells.delete(Sheet.key(assetId, field))
    this.#set({ cells })
  }

  /**
   * Takes back one step, or the latest of which anything is as it left it: not what was refused, nor what somebody has
   * written since. Says how many cells are as they were; undefined without such a step.
   */
  async undo(one?: Step): Promise<number | undefined> {
    await this.settled()
    const step = one ?? this.#steps.at(-1)
    if (!step || !this.#steps.includes(step)) return undefined
    this.#steps = this.#steps.filter((other) => other !== step)
    const back = step.edits.filter(({ assetId, field }, at) => {
      const after = step.after[at]!.text
      return this.textAt(assetId, field) === this.#tidied(assetId, field, after)
    })
    if (back.length === 0) return one ? undefined : this.undo()
    this.write(back, { isUndo: true })
    await this.settled()
    await step.takeBack?.()
    const { cells } = this.store.get()
    return back.filter(({ assetId, field }) => cells.get(Sheet.key(assetId, field))?.state !== 'refused')
      .length
  }

  /** The server tidies what it is given: blanks around a title, a tag that is there twice. */
  #tidied(assetId: string, field: Field, text: string): string {
    const now = this.textAt(assetId, field)
    const plain = (value: string) => value.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()
    const plainTags = (value: string) => [...new Set(readTags(value).map(plain))].sort().join('\n')
    const tidy = field === 'tags' ? plainTags : plain
    return tidy(now) === tidy(text) ? now : text
  }

  /** When everything that was written is saved or refused. */
  async settled(): Promise<void> {
    while (this.#saving) await this.#saving
  }

  /** What is not saved will not be. */
  giveUp() {
    this.#isGivenUp = true
    this.#waiting.clear()
  }

  async #save() {
    // What one paste writes goes together.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const next = this.#next()
      for (const [assetId, waiting] of next) {
        this.#waiting.delete(assetId)
        this.#leaveOutTheirs(assetId, waiting)
      }
      const some = next.filter(([, { texts }]) => texts.size > 0)
      if (some.length === 0) continue
      try {
        const { results } = await this.send(
          some.map(([assetId, { texts }]) => this.#changeOf(assetId, texts)),
        )
        for (const [at, result] of results.entries()) this.#take(result, some[at]![1])
        this.#set({ isCutOff: false })
      } catch (error) {
        if (isProblem(error, 'unreachable') && !this.#isGivenUp) {
          this.#putBack(some)
          this.#set({ isCutOff: true })
          await new Promise((resolve) => setTimeout(resolve, againAfter))
          continue
        }
        const why = this.#words.notSaved(this.#problemText(error))
        for (const [assetId, { texts }] of some) this.#refuse(assetId, texts, why, 'again')
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

  /** What somebody else has changed since it was written is not written over, whatever was read of it meanwhile. */
  #leaveOutTheirs(assetId: string, { texts }: Waiting) {
    const now = this.store.get().byId.get(assetId)!
    const theirs = [...texts].filter(
      ([field, { text, over }]) => ![text, ...over].includes(textOf(now, field)),
    )
    if (theirs.length === 0) return
    for (const [field] of theirs) texts.delete(field)
    this.#refuse(assetId, theirs, this.#words.changedMeanwhile, 'choose')
  }

  /** What was written since is newer. */
  #putBack(some: [string, Waiting][]) {
    for (const [assetId, { texts, tried }] of some) {
      const all = new Map(texts)
      for (const [field, { text, over }] of this.#waiting.get(assetId)?.texts ?? [])
        all.set(field, { text, over: [...over, ...writtenBy(texts.get(field))] })
      this.#waiting.set(assetId, { texts: all, tried })
    }
  }

  send = (changes: WordChange[], dryRun?: true): Promise<WordResults> =>
    api.patch<WordResults>(`${this.#library.base}/words`, { changes, dryRun })

  #changeOf(assetId: string, texts: Map<Field, Written>): WordChange {
    const { etag } = this.store.get().byId.get(assetId)!
    return Object.assign(
      { assetId, ifMatch: etag },
      ...[...texts].map(([field, { text }]) => changeOf(field, text)),
    )
  }

  #take({ assetId, ok, words, problem }: WordResults['results'][number], { texts, tried }: Waiting) {
    if (words) this.learn([words])
    const written = [...texts]
    // The answer to an earlier try may have been lost.
    const isThere = words && written.every(([field, { text }]) => textOf(words, field) === text)
    if (ok || isThere) {
      const later = this.#waiting.get(assetId)?.texts
      if (words) for (const field of texts.keys()) later?.get(field)?.over.push(textOf(words, field))
      return this.#show(assetId, [...texts.keys()], () => ({ state: 'saved' }))
    }
    if (!words) return this.#refuse(assetId, written, this.#words.deleted, 'rewrite')
    if (problem?.code !== 'changed-meanwhile')
      return this.#refuse(assetId, written, this.#words.inTrash, 'again')
    // Something else of it has changed: what the person saw in these cells is still there.
    const isUntouched = ([field, { over }]: [Field, Written]) => over.includes(textOf(words, field))
    const untouched = tried < 3 ? written.filter(isUntouched) : []
    if (untouched.length > 0) this.#putBack([[assetId, { texts: new Map(untouched), tried: tried + 1 }]])
    const touched = written.filter((one) => !untouched.includes(one))
    this.#refuse(assetId, touched, this.#words.changedMeanwhile, 'choose')
  }

  #refuse(assetId: string, written: Iterable<[Field, Written]>, why: string, remedy: Refused['remedy']) {
    const texts = new Map(written)
    this.#show(assetId, [...texts.keys()], (field) => ({
      state: 'refused',
      text: texts.get(field)!.text,
      why,
      remedy,
    }))
  }

  #show(assetId: string, written: Field[], cellOf: (field: Field) => Cell) {
    const cells = new Map(this.store.get().cells)
    const later = this.#waiting.get(assetId)?.texts
    for (const field of written) if (!later?.has(field)) cells.set(Sheet.key(assetId, field), cellOf(field))
    this.#set({ cells })
  }

  #set(change: Partial<State>) {
    this.store.set({ ...this.store.get(), ...change })
  }
}

const writtenBy = (earlier: Written | undefined) => (earlier ? [...earlier.over, earlier.text] : [])
