import { createContext, useContext } from 'react'
import type { AssetSearch } from '../../contract/search.ts'
import { mostShared } from '../../contract/shares.ts'
import { createStore, useStore } from '../store.ts'

interface Selected {
  ids: ReadonlySet<string>
  focus: string | null
  anchor: string | null
  editing: { id: string; field: EditedField } | null
  /** By a marquee: it is not yet what it will be. */
  isBeingDrawn: boolean
  /** One of the ids stands for these. */
  everything: Everything | null
  /** What the person has just named: its name may take it elsewhere, and it stays in sight. */
  followed: { id: string; isSaved: boolean } | null
}

/** All assets that a search finds but some, whether anybody has read them or not. */
interface Everything {
  search: AssetSearch
  except: ReadonlySet<string>
  /** How many the search finds. */
  count: number
}

/** What is selected and where the keyboard stands, held by id so that nothing shifts when the list changes. */
export class Selection {
  readonly store = createStore<Selected>({
    ids: new Set(),
    focus: null,
    anchor: null,
    editing: null,
    isBeingDrawn: false,
    everything: null,
    followed: null,
  })

  get ids() {
    return this.store.get().ids
  }
  get focus() {
    return this.store.get().focus
  }
  get anchor() {
    return this.store.get().anchor
  }
  get editing() {
    return this.store.get().editing
  }

  get followed() {
    return this.store.get().followed
  }

  has(id: string): boolean {
    return isChosen(this.store.get(), id)
  }
  get count() {
    return chosenCount(this.ids)
  }

  only(id: string) {
    this.#choose({ ids: new Set([id]), focus: id, anchor: id })
  }
  toggle(id: string) {
    const { everything } = this.store.get()
    const at = { focus: id, anchor: id }
    if (everything && !isFolderId(id))
      return this.#chooseAll({ ...everything, except: toggled(everything.except, id) }, at)
    this.#choose({ ids: toggled(this.ids, id), everything, ...at })
  }
  /** These folders, and all assets that the search finds. */
  all(folderIds: Iterable<string>, search: AssetSearch, count: number) {
    this.#choose({ ids: new Set(folderIds), anchor: this.anchor ?? this.focus })
    this.#chooseAll({ search, except: new Set(), count })
  }
  /** Of everything, there are more or fewer now. */
  recount(count: number) {
    const { everything } = this.store.get()
    if (everything && everything.count !== count) this.#chooseAll({ ...everything, count })
  }
  these(ids: Iterable<string>, focus = this.focus) {
    this.#choose({ ids: new Set(ids), focus, anchor: this.anchor ?? focus })
  }
  /** What has gone elsewhere is no longer chosen here, and no key reaches it. */
  without(gone: ReadonlySet<string>) {
    if (this.focus && gone.has(this.focus)) this.#choose({ focus: null, anchor: null })
    const { everything } = this.store.get()
    const ids = new Set([...this.ids].filter((id) => !gone.has(id)))
    const isLeft = everything && [...ids].some(isEverything)
    if (ids.size < this.ids.size) this.#choose({ ids, anchor: null, everything: isLeft ? everything : null })
    const except = new Set([...(everything?.except ?? [])].filter((id) => !gone.has(id)))
    if (isLeft && except.size < everything.except.size) this.#chooseAll({ ...everything, except })
  }
  clear() {
    this.#choose({ ids: new Set(), anchor: null })
  }
  focusOn(id: string | null) {
    this.#choose({ focus: id })
  }
  /** Keeps in sight what is being named, until its name is saved or the person turns to something else. */
  async follow(id: string, saved: Promise<boolean>): Promise<boolean> {
    const followed = { id, isSaved: false }
    this.#set({ followed })
    const isSaved = await saved
    if (this.followed === followed) this.#set({ followed: isSaved ? { id, isSaved } : null })
    return isSaved
  }
  endFollowing() {
    this.#set({ followed: null })
  }
  edit(id: string, field: EditedField) {
    this.#set({ editing: { id, field } })
  }
  endEdit() {
    this.#set({ editing: null })
  }
  draw(isBeingDrawn: boolean) {
    this.#set({ isBeingDrawn })
  }

  /** Whoever chooses has turned away from what was just named. */
  #choose(change: Partial<Selected>) {
    const { everything } = this.store.get()
    this.#set({ everything: 'ids' in change ? null : everything, ...change, followed: null })
  }

  #chooseAll(everything: Everything, change: Partial<Selected> = {}) {
    const others = [...this.ids].filter((id) => !isEverything(id))
    if (everything.except.size >= everything.count) return this.#choose({ ids: new Set(others), ...change })
    this.#choose({ ids: new Set([...others, everythingId(everything)]), everything, ...change })
  }

  #set(change: Partial<Selected>) {
    this.store.set({ ...this.store.get(), ...change })
  }
}

/** `tree` is a folder's name where the tree shows it. */
export type EditedField = 'title' | 'description' | 'name' | 'tree'

const SelectionContext = createContext(new Selection())
export const SelectionProvider = SelectionContext.Provider
export const useSelection = () => useContext(SelectionContext)

const useOfSelection = <Part>(read: (selected: Selected) => Part) => useStore(useSelection().store, read)

export const useSelectedIds = () => useOfSelection(({ ids }) => ids)
export const useIsBeingDrawn = () => useOfSelection(({ isBeingDrawn }) => isBeingDrawn)
export const useFollowed = () => useOfSelection(({ followed }) => followed)
export const useFocus = () => useOfSelection(({ focus }) => focus)

/** How one cell stands, asked once: hundreds of cells ask while scrolling. */
export function useCellState(id: string) {
  const [selected, focused, edited] = useOfSelection(
    (selected) =>
      `${isChosen(selected, id) ? 1 : ''},${selected.focus === id ? 1 : ''},${selected.editing?.id === id ? selected.editing.field : ''}`,
  ).split(',')
  return { selected: !!selected, focused: !!focused, edited: (edited || null) as EditedField | null }
}

export const useEditedInTree = () =>
  useOfSelection(({ editing }) => (editing?.field === 'tree' ? editing.id : null))

export const isFolderId = (id: string) => id.startsWith('folder_')
export const isCollectionId = (id: string) => id.startsWith('collection_')

const isChosen = ({ ids, everything }: Selected, id: string) =>
  ids.has(id) || (everything !== null && !isFolderId(id) && !everything.except.has(id))

function toggled(ids: ReadonlySet<string>, id: string): Set<string> {
  const changed = new Set(ids)
  if (!changed.delete(id)) changed.add(id)
  return changed
}

const everythingPrefix = 'everything '
/** It says all there is to say: whoever was handed it knows what was meant, whatever is chosen by then. */
const everythingId = ({ search, except, count }: Everything) =>
  `${everythingPrefix}${JSON.stringify({ search, except: [...except], count: count - except.size })}`
export const isEverything = (id: string) => id.startsWith(everythingPrefix)

/** What stands for very many among these ids. */
export interface Meant {
  search: AssetSearch
  except: string[]
}

export function meantBy(ids: Iterable<string>): Meant | null {
  const { search, except } = readEverything([...ids].find(isEverything)) ?? {}
  return search && except ? { search, except } : null
}

const readEverything = (id: string | undefined): (Meant & { count: number }) | null =>
  id ? JSON.parse(id.slice(everythingPrefix.length)) : null

/** How many folders and assets these are. */
export const chosenCount = (ids: Iterable<string>) =>
  [...ids].reduce((sum, id) => sum + (isEverything(id) ? readEverything(id)!.count : 1), 0)

/** One folder with all below it, or assets alone. */
export const isShareable = (ids: string[]) => chosenCount(ids) <= (ids.some(isFolderId) ? 1 : mostShared)
